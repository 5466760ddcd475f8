import { createHeaps } from '@alas-jssp/core/heaps';
import { calendarBounds, type MakespanBounds } from './calendar-bounds.js';
import { flexibleBounds } from './flexible-bounds.js';
import type { Instance } from './instance.js';
import { isClassic, type Modes } from './shop-parts.js';

/** A bound on the objective, and the argument or the source that proves it, such as `literature, 2026-08`. */
export interface ProvenBound {
  readonly value: number;
  readonly source: string;
}

/** A lower bound on the makespan with its proof. */
export interface LowerBound extends ProvenBound {
  readonly source:
    | 'job length'
    | 'machine load'
    | 'machine heads and tails'
    | 'one-machine preemptive';
}

/** Heads and tails by operation, N entries each, from any rule that makes them lower bounds. */
export interface HeadsAndTails {
  readonly head: Int32Array;
  readonly tail: Int32Array;
}

/**
 * The best of the lower bounds of this file; of equal ones the simplest argument. They respect downtimes and frozen
 * starts. If an instance has no feasible schedule, the value is meaningless. O(N log N), and as much again whenever
 * downtimes raise the last one.
 */
export function lowerBound(instance: Instance): LowerBound {
  return best(lowerBounds(instance));
}

/**
 * The best of the lower bounds of a shop with alternatives, setups, transport, precedence or resources. Valid for every
 * shop; `machine load` and the bounds after it are then those of a machine or of a group of machines.
 */
export function flexibleLowerBound(instance: Instance): LowerBound {
  return best(allBounds(flexibleBounds(instance)));
}

/** Every lower bound of this file, the simplest argument first. */
export function lowerBounds(instance: Instance): LowerBound[] {
  return allBounds(boundsOf(instance));
}

/** The best of them without downtimes, and with frozen operations counted along their jobs only. */
export function lowerBoundOfWork(instance: Instance): LowerBound {
  return best(allBounds(plainBounds(instance)));
}

function allBounds(by: MakespanBounds): LowerBound[] {
  return [
    ...simpleBounds(by),
    { value: by.headsAndTails(), source: 'machine heads and tails' },
    { value: by.preemptive(), source: 'one-machine preemptive' },
  ];
}

/** The better of the lower bounds that can be checked by hand. O(N log N) at most. */
export function simpleBound(instance: Instance): LowerBound {
  return best(simpleBounds(boundsOf(instance)));
}

/** The better of the simple bounds of {@link lowerBoundOfWork}, in O(N) with a small factor. */
export function simpleBoundOfWork(instance: Instance): LowerBound {
  return best(simpleBounds(plainBounds(instance)));
}

function boundsOf(instance: Instance): MakespanBounds {
  if (!isClassic(instance)) return flexibleBounds(instance);
  const isPlain = instance.calendar === null && instance.frozen === null;
  return isPlain ? plainBounds(instance) : calendarBounds(instance);
}

function plainBounds(instance: Instance): MakespanBounds {
  if (!isClassic(instance)) return flexibleBounds(instance);
  const along = jobHeadsAndTails(instance);
  return {
    jobLength: () => longestJob(instance, along),
    machineLoad: () => machineLoads(instance).reduce((most, load) => Math.max(most, load)),
    headsAndTails: () => headsAndTailsOf(instance, along),
    preemptive: () => preemptiveOf(instance, along),
  };
}

function simpleBounds(by: MakespanBounds): LowerBound[] {
  return [
    { value: by.jobLength(), source: 'job length' },
    { value: by.machineLoad(), source: 'machine load' },
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

/** The earliest completion of the longest job if it were alone in the shop. */
export function jobLengthBound(instance: Instance): number {
  return boundsOf(instance).jobLength();
}

function longestJob({ operations, duration }: Instance, { head }: HeadsAndTails): number {
  let longest = 0;
  for (let op = 0; op < operations; op++) longest = Math.max(longest, head[op] + duration[op]);
  return longest;
}

/** The time that the busiest machine needs for its work. */
export function machineLoadBound(instance: Instance): number {
  return boundsOf(instance).machineLoad();
}

/** The total work of each machine: m entries. */
export function machineLoads({ machines, operations, machine, duration }: Instance): Int32Array {
  const load = new Int32Array(machines);
  for (let op = 0; op < operations; op++) load[machine[op]] += duration[op];
  return load;
}

/** Smallest head, plus work, plus smallest tail, of the machine where this sum is largest. */
export function machineHeadTailBound(instance: Instance): number {
  return boundsOf(instance).headsAndTails();
}

function headsAndTailsOf(instance: Instance, { head, tail }: HeadsAndTails): number {
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
 * Jackson's preemptive schedule on each machine: at any time the available operation with the longest tail runs; the
 * largest completion plus tail bounds the makespan (Carlier 1982, doi:10.1016/S0377-2217(82)80007-6). Dominates the
 * other three bounds if every job ends with work on some machine. O(N log N).
 *
 * With downtimes it runs while the machine is up, and tails are replaced by the latest times by which operations must
 * be done for all to end within a makespan: as long as one of them cannot be met, the makespan is raised to the bound
 * of the operations that prevent it.
 */
export function preemptiveBound(instance: Instance): number {
  return boundsOf(instance).preemptive();
}

function preemptiveOf(instance: Instance, { head, tail }: HeadsAndTails): number {
  const { duration, machineOffset } = instance;
  const left = duration.slice();
  // One heap per machine, the longest tail first.
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
 * A time by which every semi-active schedule has ended: that of all work, one operation after the other in its longest
 * mode, with the longest setups, transport and lags, after the last release, frozen start and end of a downtime. From
 * then on some machine works until all is done.
 */
export function horizonOf(instance: Instance): number {
  const { duration, release, frozen, calendar, modes, operations } = instance;
  const latest = (times: Int32Array | undefined | null): number =>
    times?.reduce((a, b) => Math.max(a, b), 0) ?? 0;
  const sum = (times: Int32Array | undefined): number => times?.reduce((a, b) => a + b, 0) ?? 0;
  const free = Math.max(latest(release), latest(frozen), latest(calendar?.to));
  const { setups, transport, precedence, resources } = instance;
  const setup = Math.max(latest(setups?.time), latest(setups?.first));
  const each = setup + latest(transport?.time);
  const work = modes === null ? sum(duration) : sumOfLongest(modes);
  const lags = sum(precedence?.minLag);
  return free + work + each * operations + lags + latest(resources?.calendar?.to);
}

function sumOfLongest({ offset, duration }: Modes): number {
  let sum = 0;
  for (let op = 0; op + 1 < offset.length; op++) {
    // Views of parts of arrays take longer to make than to look at.
    let longest = 0;
    for (let mode = offset[op]; mode < offset[op + 1]; mode++) {
      longest = Math.max(longest, duration[mode]);
    }
    sum += longest;
  }
  return sum;
}
