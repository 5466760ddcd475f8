import { nearestNames, suggestNames } from '@alas-jssp/core/nearest-names';
import type { Setups, Transport } from '../shop-parts.js';
import type { ShopMachines } from './import-parts.js';
import type { ShopOperation } from './order-book.js';
import type { TableRow } from './shop-table.js';
import type { ShopTables } from './shop-tables.js';
import { createTimeCells } from './time-cells.js';

/** Cells that stand for every machine or family. */
const EVERY = /^\*?$/;

/** The whole units of a time in a table. */
type UnitsOf = (row: TableRow<'time'>) => number;

/**
 * The setups of a shop from its table. An empty `from` is the first setup of a machine, `*` any other family; rows with
 * fewer of these take precedence, and a machine before its group.
 *
 * @param machines the machines of all modes of each operation
 * @throws InputError for an operation without a family on a machine with setups, or a family without any row
 */
export function importedSetups(
  operations: readonly ShopOperation[],
  modeMachines: readonly (readonly number[])[],
  machines: ShopMachines,
  { setups: rows }: ShopTables,
  unitsOf: UnitsOf,
): Setups | null {
  if (rows === undefined) return null;
  const listed = rows.flatMap((row) => [row.text('from'), row.text('to')]);
  const names = [...new Set(listed.filter((name) => !EVERY.test(name)))];
  const hasEvery = rows.some((row) => row.text('to') === '*');
  for (const { said } of operations) {
    const name = said('family');
    if (hasEvery && name !== '' && !names.includes(name)) names.push(name);
  }
  if (names.length === 0) names.push('any');
  const { matrices, attended } = setupMatrices(rows, names, machines, unitsOf);
  const matrixOf = new Int32Array(machines.names.length).fill(-1);
  const tables = new Map<string, { index: number; table: Int32Array }>();
  matrices.forEach((table, k) => {
    if (table.every((time) => time === 0)) return;
    const key = table.join();
    const known = tables.get(key) ?? { index: tables.size, table };
    tables.set(key, known);
    matrixOf[k] = known.index;
  });
  if (tables.size === 0) return null;
  const families = names.length;
  const all = [...tables.values()].map(({ table }) => table);
  return {
    families,
    names,
    family: Int32Array.from(operations, (operation, op) =>
      familyOf(
        operation,
        names,
        modeMachines[op].some((k) => matrixOf[k] >= 0),
      ),
    ),
    matrixOf,
    time: Int32Array.from(all.flatMap((table) => [...table.subarray(families)])),
    first: Int32Array.from(all.flatMap((table) => [...table.subarray(0, families)])),
    anticipatory: attended.map((flag) => 1 - flag),
  };
}

/**
 * Families that look misspelt: those of the table that no operation has, and those of operations that only `*` matches
 * although a similar one has rows. The table may have families that are not needed at the moment.
 */
export function familyDoubts(
  operations: readonly ShopOperation[],
  { setups: rows = [] }: ShopTables,
): string[] {
  const lines = new Map<string, number>();
  for (const row of rows) {
    for (const name of [row.text('from'), row.text('to')]) {
      if (!EVERY.test(name) && !lines.has(name)) lines.set(name, row.line);
    }
  }
  const used = new Set(operations.map(({ said }) => said('family')));
  used.delete('');
  const meant = (name: string, among: Iterable<string>) => {
    const near = nearestNames(name, among, 1);
    return near.length === 0 ? '' : `; did you mean ${near[0]}?`;
  };
  const unused = Array.from(lines)
    .filter(([name]) => !used.has(name))
    .map(([name, line]) => {
      const place = `line ${line} of the table of setups`;
      return `no operation has the family ${JSON.stringify(name)} of ${place}${meant(name, used)}`;
    });
  const general = [...used].flatMap((name) => {
    const near = lines.has(name) ? '' : meant(name, lines.keys());
    return near === '' ? [] : [`setups have the family ${JSON.stringify(name)} as * only${near}`];
  });
  return [...unused, ...general];
}

function familyOf({ row, said }: ShopOperation, names: readonly string[], isNeeded: boolean) {
  const name = said('family');
  const family = names.indexOf(name);
  if (family >= 0) return family;
  if (!isNeeded) return 0;
  if (name === '') {
    const hint = 'give the family of each operation on a machine with setups (column family)';
    throw row.error('the setup family is missing', hint);
  }
  const problem = `the setup family ${JSON.stringify(name)} is in no row of the table of setups`;
  throw row.error(problem, suggestNames(name, names));
}

/** For each machine F first setups, and then F × F from one family to another. */
function setupMatrices(
  rows: NonNullable<ShopTables['setups']>,
  names: readonly string[],
  machines: ShopMachines,
  unitsOf: UnitsOf,
): { readonly matrices: Int32Array[]; readonly attended: Uint8Array } {
  const families = names.length;
  const size = families * (families + 1);
  const cells = machines.names.map(() => createTimeCells<(typeof rows)[number]>(size));
  const attended = new Uint8Array(machines.names.length);
  const isOne = (cell: string) => Number(machines.indexOf.has(cell));
  const narrownessOf = (row: (typeof rows)[number]) => {
    const [machine, from, to] = [row.text('machine'), row.text('from'), row.text('to')];
    const named = [!EVERY.test(machine), from !== '*', to !== '*'].map(Number);
    const level = 4 * named[0] + named[1] + named[2];
    return { level, pattern: 2 * named[1] + named[2], exact: isOne(machine) };
  };
  const every = names.map((_, i) => i);
  refuseRepeated(rows, (row) => [row.text('machine'), row.text('from'), row.text('to')]);
  for (const row of rows) {
    const [from, to] = [row.text('from'), row.text('to')];
    if (to === '') throw row.error('the family to set up for is missing', 'name it, or give *');
    const time = unitsOf(row);
    const narrowness = narrownessOf(row);
    const targets = to === '*' ? every : [names.indexOf(to)];
    const sources = from === '*' ? every : [names.indexOf(from)];
    for (const k of machinesIn(row, row.text('machine'), machines)) {
      if (isAttended(row)) attended[k] = 1;
      for (const target of targets) {
        if (from === '') {
          cells[k].set(target, time, narrowness, row);
          continue;
        }
        for (const source of sources) {
          const isSame = source === target && (from === '*' || to === '*');
          if (!isSame) cells[k].set(families * (1 + source) + target, time, narrowness, row);
        }
      }
    }
  }
  cells.forEach((one, k) => {
    one.refuseTies((cell) => {
      const source = Math.floor(cell / families) - 1;
      const change = source < 0 ? 'the first setup' : `the setup from ${names[source]}`;
      return `${change} to ${names[cell % families]} on ${machines.names[k]}`;
    });
  });
  return { matrices: cells.map(({ time }) => time), attended };
}

/** Whether the setups of a row need the job. @throws InputError for a cell that is neither yes nor no */
function isAttended(row: TableRow<'attended'>): boolean {
  const cell = row.text('attended');
  if (/^(?:yes|ja|true|x|1)$/i.test(cell)) return true;
  if (/^(?:no|nein|false|0)?$/i.test(cell)) return false;
  throw row.error(`attended is ${JSON.stringify(cell)}`, 'give yes or no');
}

/** Refuses rows for the same machines and families as another: which of their times holds would be a guess. */
function refuseRepeated<Row extends TableRow<never>>(
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly string[],
): void {
  const known = new Set<string>();
  for (const row of rows) {
    const cells = cellsOf(row).map((cell) => cell.trim());
    const key = JSON.stringify(cells);
    if (known.has(key)) {
      const named = cells.filter((cell) => cell !== '').join(', ');
      throw row.error(`another row is for ${named}, too`, 'leave one of them');
    }
    known.add(key);
  }
}

/**
 * The transport times of a shop from its table. They hold for the way back, too, unless it has a row of its own; `*` is
 * every machine; rows without it take precedence, and a machine before its group.
 */
export function importedTransport(
  machines: ShopMachines,
  { transport: rows }: ShopTables,
  unitsOf: UnitsOf,
): Transport | null {
  if (rows === undefined) return null;
  const count = machines.names.length;
  const cells = createTimeCells<(typeof rows)[number]>(count * count);
  refuseRepeated(rows, (row) => [row.text('from'), row.text('to')]);
  for (const row of rows) {
    const [from, to] = [row.text('from'), row.text('to')];
    const isPair = !EVERY.test(from) && !EVERY.test(to);
    const [sources, targets] = [from, to].map((cell) => machinesIn(row, cell, machines));
    const isOne = (cell: string) => Number(machines.indexOf.has(cell));
    const [one, other] = [Number(!EVERY.test(from)), Number(!EVERY.test(to))];
    const exact = isOne(from) + isOne(to);
    // A row for the way itself comes before one for the way back.
    const way = { level: 2 * (one + other) + 1, pattern: 2 * one + other, exact };
    const back = { level: 2 * (one + other), pattern: 2 * other + one, exact };
    const units = unitsOf(row);
    for (const source of sources) {
      for (const target of targets) {
        const isSame = source === target;
        if (isSame && !(isPair && sources.length === 1 && targets.length === 1)) continue;
        cells.set(source * count + target, units, way, row);
        if (!isSame) cells.set(target * count + source, units, back, row);
      }
    }
  }
  cells.refuseTies((cell) => {
    const [from, to] = [Math.floor(cell / count), cell % count];
    return `the way from ${machines.names[from]} to ${machines.names[to]}`;
  });
  const { time } = cells;
  return time.some((units) => units > 0) ? { time } : null;
}

/** The machines of a cell: one, those of a group, or all. */
function machinesIn(
  row: TableRow<never> | TableRow<'time'>,
  cell: string,
  { names, indexOf, groups }: ShopMachines,
): number[] {
  if (EVERY.test(cell)) return names.map((_, k) => k);
  const found = (groups.get(cell) ?? [cell]).map((name) => indexOf.get(name));
  const known = found.filter((k) => k !== undefined);
  if (known.length === found.length) return known;
  const problem = `there is no machine or group ${JSON.stringify(cell)}`;
  throw row.error(problem, suggestNames(cell, [...names, ...groups.keys()]));
}
