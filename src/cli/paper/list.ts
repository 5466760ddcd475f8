import { type PaperItem, statusOf } from '../../harness/paper/presets/paper-item.js';
import { findItems } from '../../harness/paper/presets/presets.js';
import { columnsOf } from '../../report/columns.js';
import { formatSeconds, NOTHING } from '../../report/format.js';
import type { Session } from '../common/session.js';
import { printRows } from '../common/tables.js';
import type { PaperCommandOptions } from './paper-options.js';
import { asTyped, setupFor } from './setup.js';

/** A row of the list. */
interface ListedItem {
  readonly item: PaperItem;
  readonly command: string;
}

/** Prints the tables and figures of the papers. */
export async function listItems(
  session: Session,
  names: readonly string[],
  options: PaperCommandOptions,
): Promise<void> {
  const items = findItems(names.length === 0 ? ['all'] : names);
  const rows = items.map((item) => ({ item, command: commandOf(item) }));
  const document = {
    schema: 'alas-jssp/paper-list@1',
    rows: rows.map((row) => plain(row, options)),
  };
  await printRows(session, options.format, columns, rows, document);
}

function commandOf(item: PaperItem): string {
  const command = `npx alas-jssp paper ${item.id}`;
  return {
    'without a key': command,
    'in part without a key': command,
    'with a key': `${command} --planner MODEL`,
    not: '',
  }[statusOf(item)];
}

function plain({ item, command }: ListedItem, options: PaperCommandOptions) {
  const { id, paper, title, kind, note, seconds = null, keyless, asking } = item;
  const setup = setupFor(item, { ...options, planner: options.planner ?? ['MODEL'] });
  return {
    id,
    paper,
    title,
    kind,
    status: statusOf(item),
    note,
    command: command === '' ? null : command,
    seconds,
    without_key: (keyless?.(setup) ?? []).map(asTyped),
    with_key: (asking?.(setup) ?? []).map(asTyped),
  };
}

const column = columnsOf<ListedItem>();

const columns = [
  column.of('row', ({ item }) => item.id),
  column.of('title', ({ item }) => item.title),
  column.of('kind', ({ item }) => item.kind),
  column.of('status', ({ item }) => statusOf(item)),
  column.of('time', ({ item }) => item.seconds ?? null, {
    format: (value) => (typeof value === 'number' ? formatSeconds(value) : NOTHING),
  }),
  column.of('command', ({ command }) => command, { minor: 2 }),
  column.of('note', ({ item }) => item.note, { hidden: true }),
];
