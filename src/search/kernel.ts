import { completionTime } from '../jssp/calendar.js';
import type { Instance } from '../jssp/instance.js';
import { BROKEN } from './costs.js';
import { kernelLoader } from './load-kernel.js';

/** Operations whose completion time affects the cost, in arrays of equal length. */
export interface Watched {
  readonly op: readonly number[];
  /** The time by which each must, or should, be done. */
  readonly due: readonly number[];
  /** The weight of a unit of tardiness; −1 if the time is a limit that must not be violated. */
  readonly weight: readonly number[];
}

const noneWatched: Watched = { op: [], due: [], weight: [] };

/** Arrays of the kernel, in the order of their numbers. */
const arrays = [
  'duration',
  'release',
  'frozenEnd',
  'machine',
  'jobPredecessor',
  'jobSuccessor',
  'machinePredecessor',
  'machineSuccessor',
  'last',
  'downtimeOffset',
  'downtimeFrom',
  'downtimeTo',
  'downtimeResumable',
  'row',
  'column',
  'watched',
  'watchedDue',
  'watchedWeight',
  'order',
  'bestOrder',
  'end',
  'rest',
  'farRest',
  'movable',
  'plannedRank',
  'plannedStart',
] as const;

/** Exports of the WebAssembly module; `kernel/index.ts` is its source. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  allocate(
    operations: number,
    jobs: number,
    machines: number,
    tabuSize: number,
    downtimes: number,
    watched: number,
  ): void;
  addressOf(array: number): number;
  configure(
    neighbourhood: number,
    shortestTenure: number,
    tenureSpread: number,
    tardiness: boolean,
  ): void;
  breakTies(least: number): void;
  configureTrials(most: number): void;
  seedRandom(seed: number): void;
  loadOrder(): void;
  makespan(): number;
  moveAfter(u: number, v: number): number;
  moveBefore(v: number, u: number): number;
  estimateAfter(u: number, v: number): number;
  estimateBefore(v: number, u: number): number;
  estimateAfterByCalendar(u: number, v: number): number;
  estimateBeforeByCalendar(v: number, u: number): number;
  horizon(): number;
  farHorizon(): number;
  limitTrials(most: number): void;
  start(): void;
  search(steps: number, cutoff: number, target: number): number;
  openWindow(from: number, to: number, most: number): number;
  closeWindow(): void;
  settle(): void;
  bestCost(): number;
  iterations(): number;
  configureRepair(on: boolean, cost: number, paths: number): void;
  configureEarliness(price: number, least: number): void;
  evaluations(): number;
  changes(): number;
  beginSwaps(): void;
  swapBack(most: number): number;
}

/**
 * The hot loops of the search for one instance, in WebAssembly with its own memory.
 *
 * The kernel numbers operations by their position in the loaded order: neighbours in time are neighbours in memory,
 * which makes it several times as fast on large instances. Its arrays are views of that memory in this numbering. They
 * have N or N+1 entries; entry N is a dummy that represents "no operation".
 */
export interface Kernel {
  readonly instance: Instance;
  readonly exports: Exports;
  readonly arrays: Readonly<Record<(typeof arrays)[number], Int32Array>>;
  /** Loads the machine orders that a topological order (N) implies. */
  load(order: Int32Array): void;
  /** The operations (N) in the order of the best solution since the search was started. */
  bestOrder(): Int32Array;
  /** N entries: the kernel's number of each operation. */
  readonly number: Int32Array;
}

/** A WebAssembly module with its memory, for one kernel at a time. */
export type KernelHome = Exports;

/** Creates a home for kernels. It keeps the memory of its largest kernel. */
export const createKernelHome = kernelLoader<KernelHome>('#search-kernel');

/**
 * Creates the kernel for an instance without pinned operations.
 *
 * @param watched operations with a limit or a due date
 * @param exports its home; a previous kernel in this home must not be used any more
 */
export function createKernel(
  instance: Instance,
  watched: Watched = noneWatched,
  exports: KernelHome = createKernelHome(),
): Kernel {
  const { operations, jobs, machines, calendar } = instance;
  const table = layOutTabuTable(instance);
  const downtimes = calendar?.from.length ?? 0;
  exports.allocate(operations, jobs, machines, table.size, downtimes, watched.op.length);
  // Calls may grow the memory, which detaches its views, so all addresses are read first.
  const addresses = arrays.map((_, index) => exports.addressOf(index));
  const views = Object.fromEntries(
    arrays.map((name, index) => [
      name,
      new Int32Array(exports.memory.buffer, addresses[index], lengthOf(name, instance, watched)),
    ]),
  ) as Kernel['arrays'];
  setCalendar(views, instance);
  views.watchedDue.set(watched.due);
  views.watchedWeight.set(watched.weight);
  const facts = { ...table, frozenEnd: frozenEnds(instance) };
  const number = new Int32Array(operations);
  const loaded = new Int32Array(operations);
  return {
    instance,
    exports,
    arrays: views,
    number,
    load: (order) => {
      loaded.set(order);
      for (let i = 0; i < operations; i++) number[order[i]] = i;
      renumber(views, instance, facts, loaded, number);
      watched.op.forEach((op, i) => {
        views.watched[i] = number[op];
      });
      exports.loadOrder();
    },
    bestOrder: () => views.bestOrder.map((op) => loaded[op]),
  };
}

/** Writes all data of operations and jobs in the numbering of an order. */
function renumber(
  views: Kernel['arrays'],
  { operations, jobs, jobOffset, jobOf, duration, machine, release, frozen }: Instance,
  facts: { row: Int32Array; column: Int32Array; frozenEnd: Int32Array },
  order: Int32Array,
  number: Int32Array,
): void {
  for (let i = 0; i < operations; i++) {
    const op = order[i];
    const job = jobOf[op];
    views.order[i] = i;
    views.duration[i] = duration[op];
    views.machine[i] = machine[op];
    views.row[i] = facts.row[op];
    views.column[i] = facts.column[op];
    views.frozenEnd[i] = facts.frozenEnd[op];
    // A frozen start is also a release.
    const isFrozen = frozen !== null && frozen[op] >= 0;
    views.release[i] = isFrozen ? frozen[op] : (release?.[op] ?? 0);
    views.jobPredecessor[i] = op > jobOffset[job] ? number[op - 1] : operations;
    views.jobSuccessor[i] = op + 1 < jobOffset[job + 1] ? number[op + 1] : operations;
  }
  for (let job = 0; job < jobs; job++) {
    const isEmpty = jobOffset[job] === jobOffset[job + 1];
    views.last[job] = isEmpty ? operations : number[jobOffset[job + 1] - 1];
  }
}

/** N entries: the completion of each operation with a frozen start, 0 for the others. */
function frozenEnds(instance: Instance): Int32Array {
  const ends = new Int32Array(instance.operations);
  instance.frozen?.forEach((start, op) => {
    if (start >= 0) ends[op] = completionTime(instance, op, start);
  });
  return ends;
}

function setCalendar(views: Kernel['arrays'], { calendar }: Instance): void {
  if (calendar === null) return;
  views.downtimeOffset.set(calendar.offset);
  views.downtimeFrom.set(calendar.from);
  views.downtimeTo.set(calendar.to);
  views.downtimeResumable.set(calendar.resumable);
}

/**
 * Start times (N) of the machine orders that the kernel has loaded. With resumable downtimes they are completion times
 * minus durations, which have the same order.
 */
export function startsOf({ instance, arrays: { end }, number }: Kernel): Int32Array {
  return instance.duration.map((duration, op) => end[number[op]] - duration);
}

/**
 * The value of the objective for a cost of the kernel, with the makespan as a fraction if it breaks ties; Infinity if a
 * limit is violated.
 */
export function valueOfCost(cost: number): number {
  return cost < BROKEN ? cost : Number.POSITIVE_INFINITY;
}

function lengthOf(
  name: (typeof arrays)[number],
  { operations, jobs, machines, calendar }: Instance,
  watched: Watched,
): number {
  if (name === 'last') return jobs;
  if (name === 'downtimeOffset') return machines + 1;
  if (name.startsWith('watched')) return watched.op.length;
  if (name.startsWith('downtime')) return calendar?.from.length ?? 0;
  return name === 'order' || name === 'bestOrder' ? operations : operations + 1;
}

/** Entries of the table of forbidden arcs; beyond it, pairs share entries. */
const MAX_ENTRIES = 1 << 24;

/** The layout of the table of forbidden arcs: the entry of a → b is at `row[a] + column[b]`. */
export interface TabuTable {
  /** N entries each. */
  readonly row: Int32Array;
  readonly column: Int32Array;
  readonly size: number;
}

/** Gives every ordered pair of operations of one machine an entry. */
export function layOutTabuTable(instance: Instance): TabuTable {
  const { operations, machines, machineOffset, machineOperations } = instance;
  const row = new Int32Array(operations);
  const column = new Int32Array(operations);
  let size = 0;
  let widest = 0;
  for (let k = 0; k < machines; k++) {
    const width = machineOffset[k + 1] - machineOffset[k];
    for (let slot = 0; slot < width; slot++) {
      const op = machineOperations[machineOffset[k] + slot];
      column[op] = slot;
      row[op] = (size + slot * width) % MAX_ENTRIES;
    }
    size += width * width;
    widest = Math.max(widest, width);
  }
  return { row, column, size: Math.min(size, MAX_ENTRIES + widest) };
}
