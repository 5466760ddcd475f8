import { type AuditableLog, type Replay, replayRun, stateOfRun } from '@alas-jssp/workflow';
import { Command } from 'commander';
import { counted } from '../../report/format.js';
import { renderJson } from '../../report/table.js';
import { print } from '../common/output.js';
import { exitCode, type Session } from '../common/session.js';
import { findRegistry, type RegistryOptions } from '../workflow/find-registry.js';
import { type OutcomeOptions, withHandlers, withOutcome } from '../workflow/outcome.js';
import { chooseRun, withLog } from './runs.js';

interface Options extends OutcomeOptions, RegistryOptions {
  run?: string;
}

/** `alas-jssp log replay`: reruns runs from their log and compares the entries. */
export function logReplayCommand(session: Session): Command {
  return withOutcome(session, withHandlers(new Command('replay')))
    .description('rerun runs from their log, without outside calls, and compare the entries')
    .argument('<file>', 'a log, or an export of one')
    .option('--run <id>', 'run to replay (default: all)')
    .addHelpText(
      'after',
      `
Exit code 0 if all entries are equal (parity); 1 if not, with the first
divergence and its cause: code, data or clock.

Example:
  $ alas-jssp log replay run.db --handlers refund.mjs`,
    )
    .action(async (file: string, options: Options) => {
      session.exitCode = await withLog(file, (log) => replay(session, log, file, options));
    });
}

/** Replays one run or all runs and prints the result of each. */
async function replay(
  session: Session,
  log: AuditableLog,
  file: string,
  options: Options,
): Promise<number> {
  const names = log.runs();
  const chosen =
    options.run === undefined && names.length > 1 ? names : [chooseRun(log, file, options.run)];
  const runs: ({ readonly run: string } & Replay)[] = [];
  for (const run of chosen) {
    const registry = await findRegistry(stateOfRun(log, run), options, log);
    runs.push({ run, ...(await replayRun(log, run, { registry })) });
  }
  const parity = runs.every((one) => one.parity);
  const data = { schema: 'alas-jssp/replay@1', log: file, parity, runs };
  await print(
    session,
    options.format === 'json'
      ? renderJson(data)
      : runs.map((one) => describe(one.run, one)).join('\n'),
  );
  return parity ? exitCode.done : exitCode.no;
}

function describe(run: string, { parity, divergence, entries, rerun, decisions }: Replay): string {
  const size = `${counted(rerun, 'step')} rerun, ${counted(decisions, 'decision')} repeated`;
  if (parity || divergence === undefined) return `${run}: parity, ${entries} entries, ${size}`;
  const { version, nodeId, cause, message } = divergence;
  const place = nodeId === '' ? '' : ` (${nodeId})`;
  return `${run}: divergence at entry ${version}${place}, ${cause}: ${message}; ${size} before`;
}
