import { Command } from 'commander';
import {
  type AuditableLog,
  compensateRun,
  type RunOptions,
  type RunResult,
  requireUnchanged,
  resumeRun,
  stateOfRun,
} from '../../workflow/index.js';
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
Of a run that has ended it tells how.

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
    .addHelpText(
      'after',
      `
What could not be undone before is tried again. Exit code 1, as of every run
that does not complete.

Example:
  $ alas-jssp log trigger run.db refund-1 ledger --by kim --handlers refund.mjs`,
    )
    .action((file: string, run: string, nodeId: string | undefined, options) =>
      goOn(session, file, run, options, (log, runId, all) =>
        compensateRun(log, runId, options.by, { ...all, nodeId }),
      ),
    );
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
    const registry = await findRegistry(stateOfRun(log, runId), options);
    return followRun(session, log, options, (signal) => go(log, runId, { registry, signal }));
  };
  session.exitCode = await withLog(file, work, options);
}
