import { InputError } from '@alas-jssp/core/errors';
import {
  type AuditableLog,
  approve,
  cancelRun,
  type Delivery,
  deny,
  type Json,
  requireUnchanged,
  settleEffect,
  signalRun,
} from '@alas-jssp/workflow';
import { Command, Option } from 'commander';
import { namingFile } from '../common/files.js';
import { withQuiet } from '../common/options.js';
import { remark } from '../common/output.js';
import { type RedactOptions, withRedact } from '../common/redacted-log.js';
import type { Session } from '../common/session.js';
import { loadTemporal } from '../common/temporal.js';
import { inShopTime } from '../shop/shop-versions.js';
import { readJson } from '../workflow/read-json.js';
import { chooseRun, withLog } from './runs.js';

const A_LOG = 'a log, or the address of a Temporal server';

/** `alas-jssp log signal`: sends a run a named message. */
export function logSignalCommand(session: Session): Command {
  return withQuiet(session, withRedact(new Command('signal')))
    .description('send a run a message that one of its nodes waits for')
    .argument('<file>', A_LOG)
    .argument('<run>', 'a run that has not ended')
    .argument('<name>', 'name of the message in the workflow')
    .addOption(
      new Option(
        '--data <json>',
        'payload of the message: JSON, @ and a file name, or - for stdin',
      ).default('null', 'none'),
    )
    .option('--by <who>', 'person who sends it')
    .addHelpText(
      'after',
      `
The data must fit the schema that the workflow gives for the message. In a
command to a shop with a clock, "now" may be a date; "row": "few-moves", or
another row of docs/how-to/serve.md (What if), chooses the repair.
${DELIVERY_HELP}

Examples:
  $ alas-jssp log signal run.db order-7 paid --data '{"amount": 59.9}'
  $ alas-jssp log signal run.db order-7 paid --data @payment.json --by kim
  $ alas-jssp log signal shop.db shop-1 command --data '{"now": 640, "events":
      [{"kind": "cancellation", "job": "Job8"}]}'`,
    )
    .action(async (file: string, run: string, name: string, options: SignalOptions) => {
      const data = await readJson(session, options.data, '--data');
      const { by } = options;
      const message = { kind: 'signal', data: { name, data, ...(by !== undefined && { by }) } };
      const post = (log: AuditableLog, runId: string) =>
        signalRun(log, runId, { name, data: inShopTime(log, runId, name, data), by });
      await send(session, file, run, `${name} was sent`, message, post, options.redact);
    });
}

interface SignalOptions extends RedactOptions {
  data: string;
  by?: string;
}

/** `alas-jssp log approve`: gives an approval that a run waits for. */
export function logApproveCommand(session: Session): Command {
  return withQuiet(session, new Command('approve'))
    .description('give an approval that a run waits for, or will wait for')
    .argument('<file>', A_LOG)
    .argument('<run>', 'a run that has not ended')
    .argument('<name>', 'name of the approval in the workflow')
    .requiredOption('--by <who>', 'person who gives it')
    .addHelpText(
      'after',
      `
${DELIVERY_HELP}

Example:
  $ alas-jssp log approve run.db refund-1 manager --by kim`,
    )
    .action((file: string, run: string, name: string, { by }: { by: string }) =>
      send(
        session,
        file,
        run,
        `${name} is approved by ${by}`,
        { kind: 'approve', data: { name, by } },
        (log, runId) => approve(log, runId, name, by),
      ),
    );
}

interface Reasoned {
  by: string;
  reason: string;
}

/** `alas-jssp log deny`: denies an approval. */
export function logDenyCommand(session: Session): Command {
  return withQuiet(session, new Command('deny'))
    .description('deny an approval: the task that waits for it fails with code Denied')
    .argument('<file>', A_LOG)
    .argument('<run>', 'a run that has not ended')
    .argument('<name>', 'name of the approval in the workflow')
    .requiredOption('--by <who>', 'person who denies it')
    .requiredOption('--reason <text>', 'why, for the log and the error of the task')
    .addHelpText(
      'after',
      `
${DELIVERY_HELP}

Example:
  $ alas-jssp log deny run.db refund-1 manager --by kim --reason 'too late'`,
    )
    .action((file: string, run: string, name: string, { by, reason }: Reasoned) =>
      send(
        session,
        file,
        run,
        `${name} is denied by ${by}`,
        { kind: 'deny', data: { name, by, reason } },
        (log, runId) => deny(log, runId, name, by, reason),
      ),
    );
}

/** `alas-jssp log cancel`: cancels a run. */
export function logCancelCommand(session: Session): Command {
  return withQuiet(session, new Command('cancel'))
    .description('cancel a run and undo its effects')
    .argument('<file>', A_LOG)
    .argument('<run>', 'a run that has not ended')
    .requiredOption('--by <who>', 'person who cancels it')
    .option('--reason <text>', 'why, for the log', 'cancelled by hand')
    .addHelpText(
      'after',
      `
${DELIVERY_HELP}

Example:
  $ alas-jssp log cancel run.db refund-1 --by kim --reason 'the customer called'`,
    )
    .action((file: string, run: string, { by, reason }: Reasoned) =>
      send(
        session,
        file,
        run,
        `cancelled by ${by}`,
        { kind: 'cancel', data: { by, reason } },
        (log, runId) => cancelRun(log, runId, { by, reason }),
      ),
    );
}

interface SettleOptions {
  happened?: boolean;
  didNot?: boolean;
  by: string;
}

/** `alas-jssp log settle`: records whether an effect in doubt happened. */
export function logSettleCommand(session: Session): Command {
  return withQuiet(session, new Command('settle'))
    .description('record whether an effect is there, after a check')
    .argument('<file>', A_LOG)
    .argument('<run>', 'run with a doubt, or an undo that failed')
    .argument('<effect>', 'path of the node of the effect')
    .option('--happened', 'the effect happened')
    .option('--did-not', 'it did not, or was undone by hand')
    .requiredOption('--by <who>', 'person who checked')
    .addHelpText(
      'after',
      `
When no effect is in doubt any more, the run is open again and can be committed
or undone. An effect that could not be undone is settled with --did-not once it
is gone: what it has blocked is undone then.
${DELIVERY_HELP}

Example:
  $ alas-jssp log settle run.db refund-1 payment --happened --by kim`,
    )
    .action((file: string, run: string, nodeId: string, options: SettleOptions) => {
      const { happened = false, didNot = false, by } = options;
      if (happened === didNot) {
        const problem = happened ? 'both options are given' : 'neither option is given';
        throw new InputError('bad_option', problem, 'give --happened or --did-not');
      }
      const fact = happened ? 'happened' : 'did not happen';
      return send(
        session,
        file,
        run,
        `${nodeId} ${fact}, according to ${by}`,
        { kind: 'settle', data: { nodeId, happened, by } },
        (log, runId) => settleEffect(log, runId, nodeId, { happened, by }),
      );
    });
}

const DELIVERY_HELP = `The process that owns the run continues it. If none does, a worker (workflow
work) or alas-jssp log resume does. For a run on a Temporal server, give the
address, temporal://HOST:PORT/NAMESPACE, in place of the file.`;

/** Sends a message and prints how it is delivered. */
async function send(
  session: Session,
  file: string,
  run: string,
  fact: string,
  message: { readonly kind: string; readonly data: Json },
  post: (log: AuditableLog, runId: string) => Delivery | Promise<Delivery>,
  redact = true,
): Promise<void> {
  if (file.startsWith('temporal:')) {
    const { postMessageAt } = await loadTemporal(file);
    await postMessageAt(file, run, message);
    return remark(session, `${run}: ${fact}; its workflow continues`);
  }
  const work = async (log: AuditableLog): Promise<void> => {
    const runId = chooseRun(log, file, run);
    requireUnchanged(log, runId, file);
    const { delivered } = await namingFile(file, () => post(log, runId));
    const next = delivered
      ? 'continue with a worker or alas-jssp log resume'
      : 'the process that owns the run continues';
    remark(session, `${runId}: ${fact}; ${next}`);
  };
  await withLog(file, work, { redact });
}
