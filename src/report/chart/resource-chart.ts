import type { ResourceColumns } from '../page/views/schedule-data.js';
import { type ChartConflict, type ChartShade, EMPTY_ROW, PLAIN_BAR } from './chart.js';
import {
  type BarPlacement,
  type BarTexts,
  type ChartSource,
  type OperationBar,
  reachOf,
  type ScheduleChart,
} from './schedule-chart.js';

/** Maximum number of rows of a resource; of a larger capacity, each row is several units. */
const MOST_ROWS = 24;

/** The row of a unit of a resource, while it is filled. */
interface UnitRow {
  readonly name: string;
  readonly resource: number;
  readonly bars: OperationBar[];
  readonly shades: ChartShade[];
  readonly setups: ChartShade[];
  readonly conflicts: ChartConflict[];
  /** The latest end of what is in it. */
  until: number;
}

/** A stretch of time in which units are used, or missing. */
interface UnitStretch {
  readonly from: number;
  readonly to: number;
  readonly units: number;
  /** The number of the use in its columns; −1 if the units are missing then. */
  readonly use: number;
}

/**
 * Makes the chart of the operators and tools of a schedule: a row for each unit of each resource, with the operations
 * and setups that use it, and the times at which the unit is missing. The units are interchangeable: each use takes
 * those that are free. O(N log N).
 */
export function resourceChart(
  view: Pick<ChartSource, 'jobs' | 'jobOffset' | 'machine' | 'fixed' | 'violations'>,
  resources: ResourceColumns,
  texts: BarTexts,
): ScheduleChart {
  const jobOf = new Int32Array(view.machine.length);
  for (let job = 0; job < view.jobs; job++) {
    jobOf.fill(job, view.jobOffset[job], view.jobOffset[job + 1]);
  }
  const fixed = new Set(view.fixed);
  const { operation, from, to, isSetup } = resources.uses;
  const barOf = (use: number): OperationBar => {
    const op = operation[use];
    return {
      ...PLAIN_BAR,
      start: from[use],
      end: to[use],
      item: op,
      kind: isSetup[use] ? 'setup' : fixed.has(op) ? 'fixed' : 'operation',
      colour: jobOf[op],
      labels: texts.jobLabels(jobOf[op]),
      title: texts.title?.(op, jobOf[op]) ?? null,
    };
  };
  const stretches = stretchesOf(resources);
  const units = resources.names.flatMap((_, r) => {
    const rows = unitRows(resources, r);
    for (const stretch of stretches[r]) place(rows, stretch, view, barOf);
    return rows;
  });
  const rows = units.map(({ name, bars, shades, setups, conflicts }) => {
    const own = { bars, shades, setups, conflicts, reach: reachOf(bars) };
    return { ...EMPTY_ROW, name, shortName: name, ...own };
  });
  const places = placesIn(units);
  return {
    kind: 'resource',
    rows,
    jobOf,
    rowOf: (op) => places.get(op)?.[0].row ?? -1,
    placesOf: (op) => places.get(op) ?? [],
    rowAt: (index) => units.findIndex(({ resource }) => resource === index),
    indexAt: (row) => units[row].resource,
  };
}

/** The number of units that a row represents. */
function unitsPerRow(capacity: number): number {
  return Math.max(1, Math.ceil(capacity / MOST_ROWS));
}

/** The empty rows of a resource, with numbers if there are several. */
function unitRows({ names, capacity }: ResourceColumns, resource: number): UnitRow[] {
  const [name, all] = [names[resource], capacity[resource]];
  const each = unitsPerRow(all);
  return Array.from({ length: Math.max(1, Math.ceil(all / each)) }, (_, i) => {
    const [first, last] = [i * each + 1, Math.min(all, (i + 1) * each)];
    const numbers = first === last ? String(first) : `${first}–${last}`;
    const lists = { bars: [], shades: [], setups: [], conflicts: [] };
    return { name: all > 1 ? `${name} ${numbers}` : name, resource, ...lists, until: 0 };
  });
}

/** The uses and the missing units of each resource, by time. */
function stretchesOf({ capacity, reduced, uses }: ResourceColumns): UnitStretch[][] {
  const found = capacity.map((): UnitStretch[] => []);
  const rowsFor = (resource: number, amount: number) =>
    Math.ceil(amount / unitsPerRow(capacity[resource]));
  for (const [i, resource] of reduced.resource.entries()) {
    const units = rowsFor(resource, capacity[resource] - reduced.amount[i]);
    found[resource].push({ from: reduced.from[i], to: reduced.to[i], units, use: -1 });
  }
  for (const [use, resource] of uses.resource.entries()) {
    const units = rowsFor(resource, uses.amount[use]);
    found[resource].push({ from: uses.from[use], to: uses.to[use], units, use });
  }
  for (const list of found) list.sort((a, b) => a.from - b.from || a.use - b.use);
  return found;
}

/** Puts a stretch into the rows that are free then; if there are too few, into those that are free first. */
function place(
  rows: readonly UnitRow[],
  { from, to, units, use }: UnitStretch,
  { violations }: Pick<ChartSource, 'violations'>,
  barOf: (use: number) => OperationBar,
): void {
  const free = rows.filter(({ until }) => until <= from);
  const busy = rows.filter(({ until }) => until > from).sort((a, b) => a.until - b.until);
  for (const row of [...free, ...busy].slice(0, units)) {
    const both = [from, Math.min(to, row.until)] as const;
    for (const { code, stretch, message } of violations) {
      if (code !== 'resource_overload' || stretch === null) continue;
      const [first, last] = [Math.max(stretch[0], both[0]), Math.min(stretch[1], both[1])];
      if (first >= last) continue;
      row.conflicts.push({ from: first, until: last, title: message, kind: 'conflict' });
    }
    row.until = Math.max(row.until, to);
    if (use < 0) {
      row.shades.push({ from, until: to, title: `away from ${from} to ${to}` });
      continue;
    }
    const bar = barOf(use);
    row.bars.push(bar);
    if (bar.kind !== 'setup') continue;
    row.setups.push({ from, until: to, title: `setup from ${from} to ${to}` });
  }
}

/** The places of each operation that uses a resource; those of operations before those of setups. */
function placesIn(units: readonly UnitRow[]): ReadonlyMap<number, readonly BarPlacement[]> {
  const places = new Map<number, BarPlacement[]>();
  for (const [row, { bars }] of units.entries()) {
    for (const { item, start, end, kind } of bars) {
      const list = places.get(item) ?? [];
      if (kind === 'setup') list.push({ row, start, end });
      else list.unshift({ row, start, end });
      places.set(item, list);
    }
  }
  return places;
}
