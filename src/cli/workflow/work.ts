import { Command } from 'commander';
import { errorLine } from '../../core/errors.js';
import { createWorker, openLog, type RunResult } from '../../workflow/index.js';
import { wholeNumber, withQuiet } from '../common/options.js';
import { complain, print, remark } from '../common/output.js';
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

/** `alas-jssp workflow work`: goes on with the runs of a log whenever they are due. */
export function workflowWorkCommand(session: Session): Command {
  return withQuiet(session, withRedact(withHandlers(new Command('work'))), 'no progress on stderr')
    .description('go on with the runs of a log whenever they are due, until Ctrl-C')
    .requiredOption('--log <file>', 'log with the runs')
    .option(
      '--concurrency <count>',
      'most runs at the same time',
      wholeNumber('a concurrency', 1),
      4,
    )
    .option('--once', 'end as soon as nothing is due', false)
    .option('--json', 'print a line of JSON for each run that ends or waits', false)
    .addHelpText(
      'after',
      `
A worker takes up runs that broke off, fires timers and deadlines when their
time has come, and delivers messages to runs that nobody has. Any number of
workers may share a log. Ctrl-C lets the runs under way come to an end, or to
where they wait; a second one ends the process at once, and others take over.

Exit code 0, or with --once 1 if a run did not end or wait as it should: it is
IN_DOUBT or COMPENSATION_FAILED, or could not be gone on with.

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
  // What is wrong with the module is said before anything begins.
  if (handlers !== undefined) await loadRegistry(handlers);
  const store = redactedLog(openLog(file, 'write'), options);
  let bad = false;
  const printed: Promise<void>[] = [];
  const tell = (result: RunResult): void => {
    bad ||= ['IN_DOUBT', 'COMPENSATION_FAILED'].includes(result.status);
    if (json) printed.push(print(session, JSON.stringify(outcomeOf(store, result))));
    remark(session, describeOutcome(store, result)[0]);
  };
  const worker = createWorker({
    store,
    concurrency,
    registryOf: (run) => findRegistry(run, options, store),
    onResult: tell,
    onError: (error, runId) => {
      bad = true;
      complain(session, `${runId === undefined ? file : `run ${runId}`}: ${errorLine(error)}`);
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
    'the runs under way come to an end, or to where they wait',
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
