import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AlasError } from '../core/errors.js';
import { once } from '../core/once.js';
import { completionTime } from '../jssp/calendar.js';
import type { Instance } from '../jssp/instance.js';

/** Arrays of the kernel, in the order in which it numbers them. */
const arrays = [
  'duration',
  'release',
  'frozenEnd',
  'machine',
  'jobPredecessor',
  'jobSuccessor',
  'last',
  'downtimeOffset',
  'downtimeFrom',
  'downtimeTo',
  'downtimeResumable',
  'row',
  'column',
  'order',
  'bestOrder',
  'end',
  'rest',
] as const;

/** Entries of the table of forbidden arcs; pairs share entries beyond that. */
const MOST_TABU_ENTRIES = 1 << 24;

/** What the WebAssembly module exports; `kernel/index.ts` is its source. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  allocate(
    operations: number,
    jobs: number,
    machines: number,
    tabuSize: number,
    downtimes: number,
  ): void;
  addressOf(array: number): number;
  configure(neighbourhood: number, shortestTenure: number, tenureSpread: number): void;
  seedRandom(seed: number): void;
  loadOrder(): void;
  makespan(): number;
  moveAfter(u: number, v: number): number;
  moveBefore(v: number, u: number): number;
  estimateAfter(u: number, v: number): number;
  estimateBefore(v: number, u: number): number;
  start(): void;
  search(steps: number, cutoff: number, target: number): number;
  bestMakespan(): number;
  iterations(): number;
}

/**
 * The hot loops of the search for one instance, in WebAssembly with a memory of its own. All
 * arrays are views of that memory, N or N+1 entries long (the last one is a dummy that stands for
 * "nobody").
 */
export interface Kernel extends Readonly<Record<(typeof arrays)[number], Int32Array>> {
  readonly instance: Instance;
  readonly exports: Exports;
}

/** The part of the WebAssembly interface that is used here; Node's types leave it out. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };

const compiled = once(() => {
  const file = createRequire(import.meta.url).resolve('#search-kernel');
  return new WebAssembly.Module(readFileSync(file));
});

/** Creates the kernel for an instance, with all that constrains it but due dates and deadlines. */
export function createKernel(instance: Instance): Kernel {
  const { operations, jobs, machines, calendar } = instance;
  const imports = { env: { abort: outOfMemory } };
  const exports = new WebAssembly.Instance(compiled(), imports).exports as Exports;
  const table = layOutTabuTable(instance);
  exports.allocate(operations, jobs, machines, table.size, calendar?.from.length ?? 0);
  const views = arrays.map((name, index) => [
    name,
    new Int32Array(exports.memory.buffer, exports.addressOf(index), lengthOf(name, instance)),
  ]);
  const kernel: Kernel = { instance, exports, ...Object.fromEntries(views) };
  kernel.duration.set(instance.duration);
  kernel.machine.set(instance.machine);
  kernel.row.set(table.row);
  kernel.column.set(table.column);
  linkJobs(kernel);
  setTimes(kernel);
  return kernel;
}

/** Job neighbours and the last operation of each job; a job without operations ends with nobody. */
function linkJobs({ instance, jobPredecessor, jobSuccessor, last }: Kernel): void {
  const { operations, jobs, jobOffset, jobOf } = instance;
  jobPredecessor.fill(operations);
  jobSuccessor.fill(operations);
  for (let op = 1; op < operations; op++) {
    if (jobOf[op] !== jobOf[op - 1]) continue;
    jobPredecessor[op] = op - 1;
    jobSuccessor[op - 1] = op;
  }
  for (let job = 0; job < jobs; job++) {
    const isEmpty = jobOffset[job] === jobOffset[job + 1];
    last[job] = isEmpty ? operations : jobOffset[job + 1] - 1;
  }
}

/** Releases, frozen starts (which count as releases, too) and downtimes. */
function setTimes({ instance, release, frozenEnd, ...kernel }: Kernel): void {
  if (instance.release !== null) release.set(instance.release);
  instance.frozen?.forEach((start, op) => {
    if (start < 0) return;
    release[op] = start;
    frozenEnd[op] = completionTime(instance, op, start);
  });
  if (instance.calendar === null) return;
  kernel.downtimeOffset.set(instance.calendar.offset);
  kernel.downtimeFrom.set(instance.calendar.from);
  kernel.downtimeTo.set(instance.calendar.to);
  kernel.downtimeResumable.set(instance.calendar.resumable);
}

/**
 * Start times (N) of the machine orders that the kernel has loaded. With downtimes that interrupt
 * operations they are completion times less durations, which come in the same order.
 */
export function startsOf({ instance, end, duration }: Kernel): Int32Array {
  return Int32Array.from({ length: instance.operations }, (_, op) => end[op] - duration[op]);
}

function lengthOf(name: (typeof arrays)[number], instance: Instance): number {
  const { operations, jobs, machines, calendar } = instance;
  if (name === 'last') return jobs;
  if (name === 'downtimeOffset') return machines + 1;
  if (name.startsWith('downtime')) return calendar?.from.length ?? 0;
  return name === 'order' || name === 'bestOrder' ? operations : operations + 1;
}

/** Gives every ordered pair of operations of one machine an entry: `row[a] + column[b]`. */
function layOutTabuTable({ operations, machines, machineOffset, machineOperations }: Instance) {
  const row = new Int32Array(operations);
  const column = new Int32Array(operations);
  let size = 0;
  let widest = 0;
  for (let k = 0; k < machines; k++) {
    const width = machineOffset[k + 1] - machineOffset[k];
    for (let slot = 0; slot < width; slot++) {
      const op = machineOperations[machineOffset[k] + slot];
      column[op] = slot;
      row[op] = (size + slot * width) % MOST_TABU_ENTRIES;
    }
    size += width * width;
    widest = Math.max(widest, width);
  }
  return { row, column, size: Math.min(size, MOST_TABU_ENTRIES + widest) };
}

function outOfMemory(): never {
  throw new AlasError('out_of_memory', 'the search needs more memory than WebAssembly has');
}
