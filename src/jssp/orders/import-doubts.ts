// What an import understands, although something else may be meant: sentences for its remarks.
import type { Resources } from '../shop-parts.js';
import type { ShopCapacities, ShopMachines } from './import-parts.js';
import type { ShopOperation } from './order-book.js';
import type { ShopTables } from './shop-tables.js';

/** The least letters of a name that may be misspelt: short ones are all alike. */
const LETTERS = 4;

/**
 * Machines of orders that look misspelt: no table lists them, and one that is listed, or a group, differs by a slip.
 * Names with other numbers are of other machines.
 */
export function machineDoubts(
  operations: readonly ShopOperation[],
  { groups }: ShopMachines,
  inCalendar: readonly string[],
  { machines: rows = [] }: ShopTables,
): string[] {
  const known = [...rows.map((row) => row.text('machine')), ...groups.keys(), ...inCalendar];
  const seen = new Set(known);
  const doubts: string[] = [];
  for (const { row, machines } of operations.flatMap(({ ways }) => ways)) {
    for (const name of machines) {
      if (seen.has(name)) continue;
      seen.add(name);
      const near = meantName(name, known);
      if (near === undefined) continue;
      const place = `${row.file}:${row.line}`;
      doubts.push(`no table lists the machine "${name}" of ${place}; did you mean ${near}?`);
    }
  }
  return doubts;
}

/** The known name that another one may stand for. */
function meantName(name: string, known: readonly string[]): string | undefined {
  const letters = lettersOf(name);
  if (letters.length < LETTERS) return undefined;
  const isNumbered = name !== name.replaceAll(/\d/g, '');
  if (isNumbered && known.some((one) => lettersOf(one) === letters)) return undefined;
  const near = known.filter((one) => isSlip(letters, lettersOf(one)));
  return near.find((one) => digitsOf(one) === digitsOf(name)) ?? near[0];
}

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[\d\s_.-]+/g, '');
const digitsOf = (name: string) => name.replaceAll(/\D/g, '');

/** Whether two words differ by one letter, or by two that are exchanged. */
function isSlip(a: string, b: string): boolean {
  let first = 0;
  while (first < a.length && a[first] === b[first]) first++;
  const most = Math.min(a.length, b.length) - first;
  let last = 0;
  while (last < most && a.at(-1 - last) === b.at(-1 - last)) last++;
  const [one, other] = [a, b].map((word) => word.slice(first, word.length - last));
  if (one === other) return false;
  const isExchange = one.length === 2 && other === one[1] + one[0];
  return Math.max(one.length, other.length) === 1 || isExchange;
}

/** Operators and tools that are needed and never work, because their calendars have no shift. */
export function idleDoubts(
  { names, calendars }: ShopCapacities,
  { needResource, calendar }: Resources,
  horizon: number,
): string[] {
  if (calendar === null) return [];
  const { offset, from, to } = calendar;
  const needed = new Set(needResource);
  return calendars.flatMap(({ name, row }, resource) => {
    let away = 0;
    for (let i = offset[resource]; i < offset[resource + 1]; i++) away += to[i] - from[i];
    if (away < horizon || row === null || !needed.has(resource)) return [];
    const place = `line ${row.line} of the table of operators`;
    const reason = `the calendar ${name} has no shift before the horizon`;
    return [`${names[resource]} of ${place} is needed, and never works: ${reason}`];
  });
}
