import type { DowntimeColumns, ScheduleView, ViolationView } from '../page/views/schedule-data.js';
import {
  type ChartBar,
  type ChartConflict,
  type ChartRow,
  type ChartShade,
  EMPTY_ROW,
  PLAIN_BAR,
} from './chart.js';

/** The objects that rows of a chart represent. */
export type RowKind = 'machine' | 'job' | 'resource';

/** A bar for an operation, of kind `fixed` if its start is fixed; `setup` for its setup in the row of an operator. */
export interface OperationBar extends ChartBar {
  readonly item: number;
  readonly colour: number;
}

/** The row of a machine, a job, or an operator or tool: its operations by start. */
export interface ScheduleRow extends ChartRow<OperationBar> {
  /** Its name for narrow places. */
  readonly shortName: string;
  /** The latest end of its bars up to each: never decreasing, so that it can be bisected. */
  readonly reach: Float64Array;
}

/** The chart of a schedule, valid or not. */
export interface ScheduleChart {
  readonly kind: RowKind;
  readonly rows: readonly ScheduleRow[];
  /** N entries: the job of each operation. */
  readonly jobOf: Int32Array;
  /** −1 if no row has it. */
  rowOf(op: number): number;
  /** All places of an operation. In rows of operators it may have several, or none. */
  placesOf(op: number): readonly BarPlacement[];
  /** Maps the index of a machine (in rows of machines), a job or a resource to its row, and back. */
  rowAt(index: number): number;
  indexAt(row: number): number;
}

/** The place of an operation in a chart. */
export interface BarPlacement {
  readonly row: number;
  readonly start: number;
  readonly end: number;
}

/** The number of machines that can do an operation. */
export function ableMachines(modes: ScheduleView['modes'], op: number): number {
  if (modes === null) return 1;
  return new Set(modes.machine.slice(modes.offset[op], modes.offset[op + 1])).size;
}

/** The parts of a schedule that a chart shows. */
export interface ChartSource
  extends Pick<
    ScheduleView,
    'jobs' | 'machines' | 'names' | 'fixed' | 'downtimes' | 'setups' | 'violations'
  > {
  readonly jobOffset: ArrayLike<number>;
  readonly machine: ArrayLike<number>;
  readonly start: ArrayLike<number>;
  readonly end: ArrayLike<number>;
}

/** The texts of bars. */
export interface BarTexts {
  /** Labels in rows of machines, the longest first. */
  jobLabels(job: number): readonly string[];
  title?(op: number, job: number): string;
}

const byName = new Intl.Collator('en', { numeric: true });

/** The machines in the order of their names, in which M2 comes before M10. */
export function machineOrder({
  machines,
  names,
}: Pick<ScheduleView, 'machines' | 'names'>): number[] {
  const numbers = Array.from({ length: machines }, (_, machine) => machine);
  const list = names?.machines;
  return list ? numbers.sort((a, b) => byName.compare(list[a], list[b]) || a - b) : numbers;
}

/** Makes the chart of a schedule: operations with a start in rows of machines, by name, or of jobs. O(N log N). */
export function scheduleChart(
  source: ChartSource,
  kind: 'machine' | 'job',
  { jobLabels, title }: BarTexts,
): ScheduleChart {
  const { jobs, machines, jobOffset, machine, start, end, names } = source;
  const isMachine = kind === 'machine';
  const indices = isMachine ? machineOrder(source) : Array.from({ length: jobs }, (_, job) => job);
  const places = new Int32Array(indices.length);
  for (const [row, index] of indices.entries()) places[index] = row;
  const jobOf = new Int32Array(machine.length);
  const bars = indices.map((): OperationBar[] => []);
  const rowOf = isMachine ? (op: number) => places[machine[op]] : (op: number) => jobOf[op];
  const machineLabels = Array.from({ length: machines }, (_, k) => [
    names?.machines?.[k] || String(k),
  ]);
  const fixed = new Set(source.fixed);
  for (let job = 0; job < jobs; job++) {
    const labels = jobLabels(job);
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      jobOf[op] = job;
      if (start[op] < 0) continue;
      bars[rowOf(op)].push({
        ...PLAIN_BAR,
        start: start[op],
        end: end[op],
        item: op,
        kind: fixed.has(op) ? 'fixed' : 'operation',
        colour: job,
        labels: isMachine ? labels : machineLabels[machine[op]],
        title: title?.(op, job) ?? null,
      });
    }
  }
  const shades = isMachine ? shadesOf(source.downtimes, machines) : [];
  const setups = isMachine ? setupsIn(source, machines) : [];
  const conflicts = conflictsOf(source.violations, isMachine ? null : jobOf);
  const rows = indices.map((index, row): ScheduleRow => {
    const own = bars[row].sort((a, b) => a.start - b.start || a.end - b.end || a.item - b.item);
    return {
      ...EMPTY_ROW,
      ...namesOf(names, kind, index),
      bars: own,
      reach: reachOf(own),
      shades: shades[index] ?? [],
      setups: setups[index] ?? [],
      conflicts: conflicts.get(index) ?? [],
    };
  });
  return {
    kind,
    rows,
    jobOf,
    rowOf,
    placesOf: (op) => [{ row: rowOf(op), start: start[op], end: end[op] }],
    rowAt: (index) => places[index],
    indexAt: (row) => indices[row],
  };
}

/** The names of a row: its name in the shop or else its label in files, and a short one. */
function namesOf(names: ScheduleView['names'], kind: 'machine' | 'job', index: number) {
  const isMachine = kind === 'machine';
  const name = isMachine ? names?.machines?.[index] : names?.jobs?.[index];
  if (name) return { name, shortName: name };
  return isMachine
    ? { name: `Machine${index}`, shortName: `M${index}` }
    : { name: `Job${index + 1}`, shortName: `J${index + 1}` };
}

/** The latest end of the bars up to each. */
export function reachOf(bars: readonly ChartBar[]): Float64Array {
  let latest = 0;
  return Float64Array.from(bars, ({ end }) => {
    latest = Math.max(latest, end);
    return latest;
  });
}

/** The downtimes of each machine. */
function shadesOf({ machine, from, to }: DowntimeColumns, machines: number): ChartShade[][] {
  const shades = Array.from({ length: machines }, (): ChartShade[] => []);
  for (const [i, k] of machine.entries()) {
    shades[k].push({ from: from[i], until: to[i], title: `down from ${from[i]} to ${to[i]}` });
  }
  return shades;
}

/** The setups of each machine. */
function setupsIn({ setups, machine }: ChartSource, machines: number): ChartShade[][] {
  const shades = Array.from({ length: machines }, (): ChartShade[] => []);
  for (const [i, operation] of (setups?.operation ?? []).entries()) {
    const [from, until] = [setups?.from[i] ?? 0, setups?.to[i] ?? 0];
    shades[machine[operation]].push({ from, until, title: `setup from ${from} to ${until}` });
  }
  return shades;
}

/** Violations of rules about times, which hold during a stretch of time; all others concern a claim. */
const CONFLICTS = new Set([
  'release',
  'deadline',
  'downtime',
  'job_precedence',
  'lag_too_short',
  'lag_too_long',
  'machine_overlap',
  'setup',
  'resource_overload',
]);

/** Violations by machine, or by the job of their operation. */
function conflictsOf(
  violations: readonly ViolationView[],
  jobOf: Int32Array | null,
): Map<number, ChartConflict[]> {
  const found = new Map<number, ChartConflict[]>();
  for (const { code, stretch, operation, machine, message } of violations) {
    if (stretch === null) continue;
    const index = jobOf === null ? machine : operation < 0 ? -1 : jobOf[operation];
    const kind = CONFLICTS.has(code) ? 'conflict' : 'claim';
    const list = found.get(index) ?? [];
    list.push({ from: stretch[0], until: stretch[1], title: message, kind });
    found.set(index, list);
  }
  return found;
}

/** The first bar of a row that may end after a time; the number of bars if none does. */
export function firstBarAfter({ reach }: ScheduleRow, time: number): number {
  let low = 0;
  let high = reach.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reach[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
