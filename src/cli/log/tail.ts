import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditableLog, isWithin, type LogEntry } from '@alas-jssp/workflow';
import { Command, Option } from 'commander';
import { wholeNumber, withJson } from '../common/options.js';
import { print } from '../common/output.js';
import { exitCode, onInterruption, type Session } from '../common/session.js';
import { chooseRun, lastEntry, withLog } from './runs.js';
import { entryColumns } from './show.js';

/** Milliseconds between two reads of the log. */
const POLL = 200;

interface Options {
  run?: string;
  node?: string;
  last: number;
  format: 'text' | 'json';
}

/** `alas-jssp log tail`: follows a run until it ends. */
export function logTailCommand(session: Session): Command {
  const format = new Option('--format <format>', 'format of the line for each entry')
    .choices(['text', 'json'])
    .default('text');
  return withJson(new Command('tail').addOption(format))
    .description('follow a run until it ends, or until Ctrl-C')
    .argument('<file>', 'a log that is being written')
    .option('--run <id>', 'run to follow (default: the last one started)')
    .option('--node <path>', 'show only entries of that node and the nodes inside it')
    .option(
      '--last <count>',
      'number of earlier entries to begin with',
      wholeNumber('a count', 0),
      10,
    )
    .addHelpText('after', '\nExample:\n  $ alas-jssp log tail run.db --last 3')
    .action(async (file: string, options: Options) => {
      session.exitCode = await withLog(file, (log) => follow(session, log, file, options));
    });
}

async function follow(
  session: Session,
  log: AuditableLog,
  file: string,
  options: Options,
): Promise<number> {
  const run = chooseRun(log, file, options.run ?? log.runs().at(-1));
  const interrupted = new AbortController();
  const deafen = onInterruption(session, () => interrupted.abort());
  try {
    let from = Math.max(0, (lastEntry(log, run)?.version ?? 0) + 1 - options.last);
    for (;;) {
      const entries = [...log.read({ runId: run, from })];
      await show(session, entries, options);
      from = (entries.at(-1)?.version ?? from - 1) + 1;
      if (lastEntry(log, run)?.eventType === 'EndRun') return exitCode.done;
      await sleep(POLL, undefined, { signal: interrupted.signal }).catch(() => {});
      if (interrupted.signal.aborted) return exitCode.interrupted;
    }
  } finally {
    deafen();
  }
}

async function show(
  session: Session,
  entries: readonly LogEntry[],
  { node, format }: Options,
): Promise<void> {
  const wanted = entries.filter(({ nodeId }) => node === undefined || isWithin(nodeId, node));
  for (const entry of wanted)
    await print(session, format === 'json' ? JSON.stringify(entry) : lineOf(entry));
}

/** An entry as one line in aligned columns. */
function lineOf(entry: LogEntry): string {
  const cells = entryColumns
    .filter(({ hidden }) => !hidden)
    .map(({ value, format }) => format?.(value(entry), entry) ?? String(value(entry)));
  const [version, time, node, event, payload] = cells;
  return `${version.padStart(6)}  ${time}  ${event.padEnd(14)}  ${node.padEnd(16)}  ${payload}`;
}
