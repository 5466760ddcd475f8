import { InputError } from '@alas-jssp/core/errors';
import {
  type AuditableLog,
  compensateRun,
  type RunOptions,
  type RunResult,
  requireUnchanged,
  resumeRun,
  stateOfRun,
} from '@alas-jssp/workflow';
import { Command } from 'commander';
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

/** `alas-jssp log resume`: resumes an interrupted or waiting run. */
export function logResumeCommand(session: Session): Command {
  return withOutcome(session, withRedact(withHandlers(new Command('resume'))))
    .description('resume an interrupted or waiting run from its log')
    .argument('<file>', 'a log')
    .option('--run <id>', 'run of the log; needed only if there are several')
    .addHelpText(
      'after',
      `
For a run that has ended, the command prints its outcome, for a shop (alas-jssp
execute) its history; log restore writes a version of its schedule.

${RUN_EXIT_CODES}

Example:
  $ alas-jssp log resume run.db --handlers refund.mjs`,
    )
    .action((file: string, options: Options & { run?: string }) =>
      continueRun(session, file, options.run, options, resumeRun),
    );
}

/** `alas-jssp log trigger`: undoes a run, or a part of it, on a person's request. */
export function logTriggerCommand(session: Session): Command {
  return withOutcome(session, withRedact(withHandlers(new Command('trigger'))))
    .description('undo the effects of a run, or those of one node')
    .argument('<file>', 'a log')
    .argument('<run>', 'a run that waits, was interrupted or was undone in part')
    .argument('[node]', 'path of a node; effects that depend on it are undone first')
    .requiredOption('--by <who>', 'person who decides it')
    .option('--back-to <node>', 'undo only the effects after that node, and resume from there')
    .option('--even-committed', 'also undo a completed run', false)
    .addHelpText(
      'after',
      `
Effects whose undo failed before are tried again. If another process owns the
run, it gets the request, and the command waits. Exit code 1, as for every run
that does not complete.

Examples:
  $ alas-jssp log trigger run.db refund-1 ledger --by kim --handlers refund.mjs
  $ alas-jssp log trigger run.db trip-1 --back-to flight --by kim \\
      --handlers trip.mjs`,
    )
    .action((file: string, run: string, nodeId: string | undefined, options: TriggerOptions) => {
      const { by, backTo, evenCommitted } = options;
      if (nodeId !== undefined && backTo !== undefined) {
        const problem = 'a node and --back-to are given';
        throw new InputError('bad_option', problem, `omit ${nodeId} or --back-to`);
      }
      return continueRun(session, file, run, options, (log, runId, all) =>
        compensateRun(log, runId, by, { ...all, nodeId, backTo, evenCommitted }),
      );
    });
}

interface TriggerOptions extends Options {
  by: string;
  backTo?: string;
  evenCommitted: boolean;
}

async function continueRun(
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
    if (status === 'RUNNING') remark(session, `${runId}: ${why}; waiting for it`);
    return followRun(session, log, options, (signal) => go(log, runId, { registry, signal }));
  };
  session.exitCode = await withLog(file, work, options);
}
