import { Command } from 'commander';
import { InputError } from '../../core/errors.js';
import {
  type AuditableLog,
  compensateRun,
  type RunOptions,
  type RunResult,
  requireUnchanged,
  resumeRun,
  stateOfRun,
} from '../../workflow/index.js';
import { remark } from '../common/output.js';
import { type RedactOptions, withRedact } from '../common/redacted-log.js';
import type { Session } from '../common/session.js';
import { findRegistry, type RegistryOptions } from '../workflow/find-registry.js';
import {
  followRun,
  type OutcomeOptions,
  RUN_EXIT_CODES,
  withHandlers,
  withOutcome,
} from '../workflow/outcome.js';
import { describeRuns } from './run-list.js';
import { chooseRun, withLog } from './runs.js';

interface Options extends OutcomeOptions, RegistryOptions, RedactOptions {}

/** `alas-jssp log resume`: goes on with a run that broke off or waits. */
export function logResumeCommand(session: Session): Command {
  return withOutcome(session, withRedact(withHandlers(new Command('resume'))))
    .description('go on with a run that broke off or waits, from where its log says it is')
    .argument('<file>', 'a log')
    .option('--run <id>', 'run of the log; needed only if there are several')
    .addHelpText(
      'after',
      `
Of a run that has ended it tells how, and of a shop (alas-jssp execute) its
story; log restore writes a version of its schedule.

${RUN_EXIT_CODES}

Example:
  $ alas-jssp log resume run.db --handlers refund.mjs`,
    )
    .action((file: string, options: Options & { run?: string }) =>
      goOn(session, file, options.run, options, resumeRun),
    );
}

/** `alas-jssp log trigger`: undoes what a run did, because a person says so. */
export function logTriggerCommand(session: Session): Command {
  return withOutcome(session, withRedact(withHandlers(new Command('trigger'))))
    .description('undo by hand what a run did: all of it, or what one node did')
    .argument('<file>', 'a log')
    .argument('<run>', 'a run that waits, broke off or was undone in part')
    .argument('[node]', 'the path of a node; what builds on it is undone first')
    .requiredOption('--by <who>', 'person who says so')
    .option('--back-to <node>', 'undo only what came after that node, and go on from there')
    .option('--even-committed', 'also if the run has completed', false)
    .addHelpText(
      'after',
      `
What could not be undone before is tried again. A run that goes on elsewhere is
told to undo, and waited for. Exit code 1, as of every run that does not
complete.

Examples:
  $ alas-jssp log trigger run.db refund-1 ledger --by kim --handlers refund.mjs
  $ alas-jssp log trigger run.db trip-1 --back-to flight --by kim \\
      --handlers trip.mjs`,
    )
    .action((file: string, run: string, nodeId: string | undefined, options: TriggerOptions) => {
      const { by, backTo, evenCommitted } = options;
      if (nodeId !== undefined && backTo !== undefined) {
        const problem = 'a node is undone, or all that came after one';
        throw new InputError('bad_option', problem, `leave out ${nodeId} or --back-to`);
      }
      return goOn(session, file, run, options, (log, runId, all) =>
        compensateRun(log, runId, by, { ...all, nodeId, backTo, evenCommitted }),
      );
    });
}

interface TriggerOptions extends Options {
  by: string;
  backTo?: string;
  evenCommitted: boolean;
}

async function goOn(
  session: Session,
  file: string,
  run: string | undefined,
  options: Options,
  go: (log: AuditableLog, runId: string, options: RunOptions) => Promise<RunResult>,
): Promise<void> {
  const work = async (log: AuditableLog): Promise<number> => {
    const runId = chooseRun(log, file, run);
    requireUnchanged(log, runId, file);
    const registry = await findRegistry(stateOfRun(log, runId), options, log);
    const [{ status, why }] = describeRuns(log, file, [runId]);
    if (status === 'RUNNING') remark(session, `${runId}: ${why}; it is waited for`);
    return followRun(session, log, options, (signal) => go(log, runId, { registry, signal }));
  };
  session.exitCode = await withLog(file, work, options);
}
