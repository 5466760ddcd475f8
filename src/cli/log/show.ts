import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import {
  type AuditableLog,
  EVENT_TYPES,
  type EventType,
  isWithin,
  type LogEntry,
  type Workflow,
} from '@alas-jssp/workflow';
import { Command } from 'commander';
import { isShop } from '../../pipeline/shop/shop-workflow.js';
import { readStory } from '../../pipeline/shop/story.js';
import { formatStory } from '../../pipeline/shop/story-lines.js';
import { columnsOf } from '../../report/columns.js';
import { clipped, counted, whole } from '../../report/format.js';
import {
  collect,
  isGiven,
  type OutputOptions,
  wholeNumber,
  withOutput,
} from '../common/options.js';
import { print, remark, remarkVerdict } from '../common/output.js';
import type { Session } from '../common/session.js';
import { printRows } from '../common/tables.js';
import { describeRuns, type RunRow, runColumns } from './run-list.js';
import { chooseRun, withLog } from './runs.js';

interface Options extends OutputOptions {
  run?: string;
  node?: string;
  type?: string[];
  last?: number;
  /** Whether the entries of a shop are shown instead of its story. */
  story?: boolean;
}

/** `alas-jssp log show`: the entries of a run, or the runs of a log. */
export function logShowCommand(session: Session): Command {
  return withOutput(session, new Command('show'))
    .description('show the entries of a run, or the runs of a log')
    .argument('<file>', 'a log, or an export of one')
    .option('--run <id>', 'run of the log; needed only if there are several')
    .option('--node <path>', 'show only entries of that node and the nodes inside it')
    .option('--type <types>', 'show only entries of these types, such as Retry,FailNode', collect)
    .option(
      '--last <count>',
      'show only the last entries, at most this number',
      wholeNumber('a count', 1),
    )
    .option('--entries', 'show the entries of a shop, not its story')
    .addHelpText(
      'after',
      `
If a log has several runs and --run is not given, the runs are listed with their
status: RUNNING (with the owner), WAITING (with the message or time), DUE (it
can continue, but no process has resumed it), INTERRUPTED (its process ended),
IN_DOUBT (it is unknown whether an effect happened), or the final status. If a
person or a worker must act, the list has the command for it.

For a shop (alas-jssp execute), the story is printed, one line for each instant,
unless --entries, --node, --type, --last or a format ask for the entries.

Examples:
  $ alas-jssp log show run.db
  $ alas-jssp log show run.db --type ValidateFail,RepairCommit --last 20
  $ alas-jssp log show run.db --node repair --json`,
    )
    .action((file: string, options: Options, command: Command) => {
      const asks = ['entries', 'node', 'type', 'last', 'format', 'json'];
      const story = !asks.some((option) => isGiven(command, option));
      return withLog(file, (log) => show(session, log, file, { ...options, story }));
    });
}

async function show(
  session: Session,
  log: AuditableLog,
  file: string,
  options: Options,
): Promise<void> {
  const runs = log.runs();
  if (options.run === undefined && runs.length > 1) {
    const rows = describeRuns(log, file);
    const data = shapeOf(rows);
    await printRows(session, options.format, runColumns, rows, data);
    const stuck = rows.filter(({ help }) => help !== null).length;
    const needed = stuck === 0 ? '' : `, ${stuck} of them in doubt, stuck or waiting`;
    return remark(
      session,
      `${counted(rows.length, 'run')}${needed}; name one with --run to see its entries`,
    );
  }
  const run = chooseRun(log, file, options.run);
  if (options.story && isShopRun(log, run)) {
    await print(session, formatStory(readStory(log, run)).join('\n'));
    return remarkHelp(session, log, file, run);
  }
  const entries = selectEntries(log, run, options);
  const data = shapeOf(describeRuns(log, file, [run]), run, entries);
  await printRows(session, options.format, entryColumns, entries, data);
  remarkVerdict(
    session,
    options.format,
    `${run}: ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`,
  );
  remarkHelp(session, log, file, run);
}

/** The JSON document; it has one shape for lists of runs and for entries. */
function shapeOf(
  runs: readonly RunRow[],
  run: string | null = null,
  entries: readonly LogEntry[] = [],
) {
  return { schema: 'alas-jssp/log-show@1', runs, run, entries };
}

/** Whether a run is the execution of a shop. */
function isShopRun(log: AuditableLog, run: string): boolean {
  for (const { payload } of log.read({ runId: run, to: 0 })) {
    const { workflow } = payload as { workflow?: Partial<Pick<Workflow, 'meta'>> };
    return workflow?.meta !== undefined && isShop({ meta: workflow.meta });
  }
  return false;
}

/** Remarks the action that a run needs from a person or a worker, if any. */
function remarkHelp(session: Session, log: AuditableLog, file: string, run: string): void {
  const [{ status, why, help }] = describeRuns(log, file, [run]);
  if (help !== null) remark(session, `${run}: ${status}, ${why}; alas-jssp ${help}`);
}

function selectEntries(log: AuditableLog, runId: string, options: Options): LogEntry[] {
  const { node, type, last = Number.POSITIVE_INFINITY } = options;
  const eventTypes = type?.map(requireType);
  if (node !== undefined) requireNode(log, runId, node);
  const entries: LogEntry[] = [];
  for (const entry of log.read({ runId, eventTypes, descending: true })) {
    if (entries.length >= last) break;
    if (node === undefined || isWithin(entry.nodeId, node)) entries.push(entry);
  }
  return entries.reverse();
}

/** Refuses a node without entries. */
function requireNode(log: AuditableLog, runId: string, node: string): void {
  const nodes = new Set<string>();
  for (const { nodeId } of log.read({ runId })) {
    if (isWithin(nodeId, node)) return;
    if (nodeId !== '') nodes.add(nodeId);
  }
  const problem = `the run ${runId} has no entries of a node '${node}'`;
  throw new InputError('bad_option', problem, suggestNames(node, [...nodes]), {}, node);
}

function requireType(name: string): EventType {
  const found = EVENT_TYPES.find((type) => type.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const problem = `unknown event type '${name}'`;
  throw new InputError('bad_option', problem, suggestNames(name, EVENT_TYPES), {}, name);
}

const ofEntry = columnsOf<LogEntry>();

/** The columns of a table of entries. */
export const entryColumns = [
  ofEntry('version', whole),
  ofEntry('ts', (ts) => String(ts).slice(11, -1), { key: 'time', align: 'left', minor: 1 }),
  ofEntry('nodeId', { key: 'node' }),
  ofEntry('eventType', {
    key: 'event',
    tone: ({ eventType }) => (BAD.has(eventType) ? 'bad' : 'plain'),
  }),
  ofEntry.of('payload', ({ payload }) => JSON.stringify(payload), {
    format: clipped(72),
    align: 'left',
  }),
  ...ofEntry.hiddenAs({ correlation_id: 'correlationId', hash: 'hash' }),
];

const BAD: ReadonlySet<EventType> = new Set<EventType>([
  'FailNode',
  'ValidateFail',
  'Timeout',
  'CompensateFail',
  'Cancel',
]);
