import type { ScheduleView } from '../../views/schedule-data.js';

/** The objects that rows of a chart represent. */
export type RowKind = 'machine' | 'job';

/** The operations of a schedule by the row that they are drawn in, each row by start. */
export interface ChartRows {
  readonly kind: RowKind;
  readonly count: number;
  /** N entries: the job of each operation. */
  readonly jobOf: Int32Array;
  /** count + 1 entries: row r owns the slots `offset[r] … offset[r + 1] − 1` of `order`. */
  readonly offset: Int32Array;
  /** Operations with a start. */
  readonly order: Int32Array;
  /** The latest end of the slots of a row up to each: never decreasing, so that it can be bisected. */
  readonly reach: Float64Array;
  rowOf(op: number): number;
  /** The row of a machine, in rows of machines, or of a job, and the other way round. */
  rowAt(index: number): number;
  indexAt(row: number): number;
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

/** Sorts the operations of a schedule into rows, machines in the order of their names; O(N log N). */
export function chartRows(view: ScheduleView, kind: RowKind): ChartRows {
  const { jobs, machines, jobOffset, machine, start, end } = view;
  const jobOf = new Int32Array(machine.length);
  for (let job = 0; job < jobs; job++) jobOf.fill(job, jobOffset[job], jobOffset[job + 1]);
  const count = kind === 'machine' ? machines : jobs;
  const indices = Int32Array.from(kind === 'machine' ? machineOrder(view) : Array(jobs).keys());
  const places = new Int32Array(count);
  indices.forEach((index, row) => {
    places[index] = row;
  });
  const rowOf =
    kind === 'machine' ? (op: number) => places[machine[op]] : (op: number) => jobOf[op];
  const order = Int32Array.from(start.keys()).filter((op) => start[op] >= 0);
  order.sort((a, b) => rowOf(a) - rowOf(b) || start[a] - start[b] || end[a] - end[b] || a - b);
  const offset = new Int32Array(count + 1);
  for (const op of order) offset[rowOf(op) + 1]++;
  for (let row = 0; row < count; row++) offset[row + 1] += offset[row];
  const reach = new Float64Array(order.length);
  for (let row = 0; row < count; row++) {
    let latest = 0;
    for (let i = offset[row]; i < offset[row + 1]; i++) {
      latest = Math.max(latest, end[order[i]]);
      reach[i] = latest;
    }
  }
  const [rowAt, indexAt] = [(index: number) => places[index], (row: number) => indices[row]];
  return { kind, count, jobOf, offset, order, reach, rowOf, rowAt, indexAt };
}

/** The first slot of a row that may end after a time; the end of the row if none does. */
export function firstSlotAfter({ offset, reach }: ChartRows, row: number, time: number): number {
  let low = offset[row];
  let high = offset[row + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reach[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The name of a row: that of its shop, else the label of files, or a short one if there is little room. */
export function rowName(
  { names }: ScheduleView,
  { kind, indexAt }: ChartRows,
  row: number,
  isShort: boolean,
) {
  const index = indexAt(row);
  const name = kind === 'machine' ? names?.machines?.[index] : names?.jobs?.[index];
  if (name) return name;
  if (kind === 'machine') return isShort ? `M${index}` : `Machine${index}`;
  return isShort ? `J${index + 1}` : `Job${index + 1}`;
}
