import { createHeaps } from '../core/heaps.js';
import type { Instance } from './instance.js';

/**
 * A bound on the objective, and the argument or the authority that proves it, such as
 * `literature, 2026-08`.
 */
export interface ProvenBound {
  readonly value: number;
  readonly source: string;
}

/** A lower bound on the makespan that is proven here. */
export interface LowerBound extends ProvenBound {
  readonly source:
    | 'job length'
    | 'machine load'
    | 'machine heads and tails'
    | 'one-machine preemptive';
}

/** Heads and tails by operation, N entries each, with any rule that makes them lower bounds. */
export interface HeadsAndTails {
  readonly head: Int32Array;
  readonly tail: Int32Array;
}

/**
 * The best of the lower bounds of this file; of equal ones the simplest argument. Downtimes only
 * make schedules longer, so every bound holds with a calendar, too.
 */
export function lowerBound(instance: Instance): LowerBound {
  return best(lowerBounds(instance));
}

/** Every lower bound of this file, the simplest argument first. */
export function lowerBounds(instance: Instance): LowerBound[] {
  const along = jobHeadsAndTails(instance);
  return [
    ...simpleBounds(instance, along),
    { value: machineHeadTailBound(instance, along), source: 'machine heads and tails' },
    { value: preemptiveBound(instance, along), source: 'one-machine preemptive' },
  ];
}

/** The better of those lower bounds that everyone can check with a pencil. O(N). */
export function simpleBound(instance: Instance): LowerBound {
  return best(simpleBounds(instance, jobHeadsAndTails(instance)));
}

function simpleBounds(instance: Instance, along: HeadsAndTails): LowerBound[] {
  return [
    { value: jobLengthBound(instance, along), source: 'job length' },
    { value: machineLoadBound(instance), source: 'machine load' },
  ];
}

function best(bounds: readonly LowerBound[]): LowerBound {
  return bounds.reduce((most, bound) => (bound.value > most.value ? bound : most));
}

/**
 * Heads and tails along the jobs alone, all machines free. Releases and frozen starts count in
 * the heads.
 */
export function jobHeadsAndTails(instance: Instance): HeadsAndTails {
  const { jobs, jobOffset, operations, duration, release, frozen } = instance;
  const head = new Int32Array(operations);
  const tail = new Int32Array(operations);
  for (let job = 0; job < jobs; job++) {
    let time = 0;
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      if (frozen !== null && frozen[op] >= 0) time = frozen[op];
      else if (release !== null && release[op] > time) time = release[op];
      head[op] = time;
      time += duration[op];
    }
    time = 0;
    for (let op = jobOffset[job + 1] - 1; op >= jobOffset[job]; op--) {
      tail[op] = time;
      time += duration[op];
    }
  }
  return { head, tail };
}

/** The earliest completion of the longest job, were it alone in the shop. */
export function jobLengthBound(instance: Instance, along = jobHeadsAndTails(instance)): number {
  const { operations, duration } = instance;
  let longest = 0;
  for (let op = 0; op < operations; op++) {
    longest = Math.max(longest, along.head[op] + duration[op]);
  }
  return longest;
}

/** The work of the busiest machine. */
export function machineLoadBound(instance: Instance): number {
  return machineLoads(instance).reduce((most, load) => Math.max(most, load));
}

/** The total work of each machine: m entries. */
export function machineLoads({ machines, operations, machine, duration }: Instance): Int32Array {
  const load = new Int32Array(machines);
  for (let op = 0; op < operations; op++) load[machine[op]] += duration[op];
  return load;
}

/** Smallest head, plus work, plus smallest tail, of the machine where this sum is largest. */
export function machineHeadTailBound(
  instance: Instance,
  { head, tail }: HeadsAndTails = jobHeadsAndTails(instance),
): number {
  const { duration } = instance;
  let best = 0;
  for (let k = 0; k < instance.machines; k++) {
    let work = 0;
    let leastHead = Infinity;
    let leastTail = Infinity;
    for (const op of workOf(instance, k)) {
      work += duration[op];
      leastHead = Math.min(leastHead, head[op]);
      leastTail = Math.min(leastTail, tail[op]);
    }
    if (work > 0) best = Math.max(best, leastHead + work + leastTail);
  }
  return best;
}

/**
 * Jackson's preemptive schedule on each machine: at any time the available operation with the
 * longest tail works; the largest completion plus tail bounds the makespan (Carlier 1982,
 * doi:10.1016/S0377-2217(82)80007-6). Dominates the other three bounds where every job ends with
 * work on some machine. O(N log N).
 */
export function preemptiveBound(
  instance: Instance,
  { head, tail }: HeadsAndTails = jobHeadsAndTails(instance),
): number {
  const { duration, machineOffset } = instance;
  const left = duration.slice();
  // One heap a machine, the longest tail first.
  const available = createHeaps(
    machineOffset,
    Float64Array.from(tail, (time) => -time),
  );
  let latest = 0;
  for (let k = 0; k < instance.machines; k++) {
    const arrivals = workOf(instance, k).sort((a, b) => head[a] - head[b]);
    let time = 0;
    let arrived = 0;
    while (arrived < arrivals.length || available.size[k] > 0) {
      if (available.size[k] === 0) time = Math.max(time, head[arrivals[arrived]]);
      while (arrived < arrivals.length && head[arrivals[arrived]] <= time) {
        available.push(k, arrivals[arrived++]);
      }
      const op = available.top(k);
      const next = arrived < arrivals.length ? head[arrivals[arrived]] : Infinity;
      const run = Math.min(left[op], next - time);
      time += run;
      left[op] -= run;
      if (left[op] === 0) latest = Math.max(latest, time + tail[available.pop(k)]);
    }
  }
  return latest;
}

/** The operations of a machine that occupy it. */
function workOf({ machineOffset, machineOperations, duration }: Instance, k: number): Int32Array {
  return machineOperations
    .subarray(machineOffset[k], machineOffset[k + 1])
    .filter((op) => duration[op] > 0);
}

/**
 * A time by which every semi-active schedule has ended: that of all work, one operation after the
 * other, once nothing waits for a release, a frozen start or the end of a downtime. From then on
 * some machine works until all is done.
 */
export function horizonOf({
  duration,
  release,
  frozen,
  calendar,
}: Pick<Instance, 'duration' | 'release' | 'frozen' | 'calendar'>): number {
  const latest = (times: Int32Array | undefined | null): number =>
    times?.reduce((a, b) => Math.max(a, b), 0) ?? 0;
  const free = Math.max(latest(release), latest(frozen), latest(calendar?.to));
  return duration.reduce((sum, d) => sum + d, free);
}
