import { errorLine } from '@alas-jssp/core/errors';
import { createWorker, openLog, type RunResult } from '@alas-jssp/workflow';
import { Command } from 'commander';
import { wholeNumber, withQuiet } from '../common/options.js';
import { print, printError, remark } from '../common/output.js';
import { type RedactOptions, redactedLog, withRedact } from '../common/redacted-log.js';
import { exitCode, onInterruption, type Session } from '../common/session.js';
import { findRegistry, loadRegistry, type RegistryOptions } from './find-registry.js';
import { describeOutcome, outcomeOf, withHandlers } from './outcome.js';

interface Options extends RegistryOptions, RedactOptions {
  log: string;
  concurrency: number;
  once: boolean;
  json: boolean;
}

/** `alas-jssp workflow work`: continues the runs of a log when they are due. */
export function workflowWorkCommand(session: Session): Command {
  return withQuiet(session, withRedact(withHandlers(new Command('work'))), 'no progress on stderr')
    .description('continue the runs of a log when they are due, until Ctrl-C')
    .requiredOption('--log <file>', 'log with the runs')
    .option('--concurrency <count>', 'most parallel runs', wholeNumber('a concurrency', 1), 4)
    .option('--once', 'end when no run is due', false)
    .option('--json', 'print a line of JSON for each run that ends or waits', false)
    .addHelpText(
      'after',
      `
A worker resumes interrupted runs, fires timers and deadlines at their time, and
delivers messages to runs without an owner. Any number of workers may share a
log. After Ctrl-C, running runs continue until they end or wait; a second Ctrl-C
ends the process, and other workers take over.

Exit code 0; with --once, 1 if a run is IN_DOUBT or COMPENSATION_FAILED or could
not be resumed.

Examples:
  $ alas-jssp workflow work --log run.db --handlers refund.mjs
  $ alas-jssp workflow work --log run.db --handlers refund.mjs --once --json`,
    )
    .action(async (options: Options) => {
      session.exitCode = await work(session, options);
    });
}

async function work(session: Session, options: Options): Promise<number> {
  const { log: file, concurrency, once, json, handlers } = options;
  // Errors of the module are reported before the work begins.
  if (handlers !== undefined) await loadRegistry(handlers);
  const store = redactedLog(openLog(file, 'write'), options);
  let bad = false;
  const printed: Promise<void>[] = [];
  const report = (result: RunResult): void => {
    bad ||= ['IN_DOUBT', 'COMPENSATION_FAILED'].includes(result.status);
    if (json) printed.push(print(session, JSON.stringify(outcomeOf(store, result))));
    remark(session, describeOutcome(store, result)[0]);
  };
  const worker = createWorker({
    store,
    concurrency,
    registryOf: (run) => findRegistry(run, options, store),
    onResult: report,
    onError: (error, runId) => {
      bad = true;
      printError(session, `${runId === undefined ? file : `run ${runId}`}: ${errorLine(error)}`);
    },
  });
  let interrupted = false;
  let interrupt = () => {};
  const interruption = new Promise<void>((resolve) => {
    interrupt = resolve;
  });
  const deafen = onInterruption(
    session,
    () => {
      interrupted = true;
      interrupt();
    },
    'running runs continue until they end or wait',
  );
  try {
    await (once ? Promise.race([worker.idle(), interruption]) : interruption);
    await worker.stop();
    await Promise.all(printed);
  } finally {
    deafen();
    store.close();
  }
  if (interrupted) return exitCode.interrupted;
  return bad ? exitCode.no : exitCode.done;
}
