import type { Resources } from '../shop-parts.js';

/** After the last change of a resource. */
export const FOREVER = 2 ** 31 - 1;

/** The free capacity of resources over time, which operations take and give back. */
export interface Room {
  /** Forgets everything taken. */
  clear(): void;
  /** Takes an amount of a resource in [from, to); a negative amount gives it back. */
  take(resource: number, from: number, to: number, amount: number): void;
  /** The end of the first time in [from, to) in which less than an amount is free; −1 if there is none. */
  shortage(resource: number, from: number, to: number, amount: number): number;
}

/** One resource: from `time[i]` on, until the next, `free[i]` is free. */
interface FreeSteps {
  time: Int32Array;
  free: Int32Array;
  count: number;
}

/** The free capacity of the resources of a shop. */
export function createRoom(resources: Resources): Room {
  const initial = Array.from({ length: resources.count }, (_, r) => capacityOf(resources, r));
  const steps = initial.map(copySteps);
  return {
    clear: () => {
      for (let r = 0; r < steps.length; r++) {
        const { time, free, count } = initial[r];
        steps[r].time.set(time.subarray(0, count));
        steps[r].free.set(free.subarray(0, count));
        steps[r].count = count;
      }
    },
    take: (resource, from, to, amount) => {
      if (from >= to) return;
      const one = steps[resource];
      const first = splitAt(one, from);
      const stop = splitAt(one, to);
      for (let i = first; i < stop; i++) one.free[i] -= amount;
      mergeAt(one, stop);
      mergeAt(one, first);
    },
    shortage: (resource, from, to, amount) => {
      const { time, free, count } = steps[resource];
      for (let i = stepAt(steps[resource], from); i < count && time[i] < to; i++) {
        if (free[i] >= amount) continue;
        let next = i + 1;
        while (next < count && free[next] < amount) next++;
        return next < count ? time[next] : FOREVER;
      }
      return -1;
    },
  };
}

function copySteps({ time, free, count }: FreeSteps): FreeSteps {
  return { time: time.slice(), free: free.slice(), count };
}

function capacityOf({ capacity, calendar }: Resources, resource: number): FreeSteps {
  const time = [0];
  const free = [capacity[resource]];
  const add = (at: number, amount: number) => {
    if (at === time[time.length - 1]) free[free.length - 1] = amount;
    else {
      time.push(at);
      free.push(amount);
    }
  };
  const { offset, from, to, amount } = calendar ?? noCalendar;
  for (let i = offset[resource] ?? 0; i < (offset[resource + 1] ?? 0); i++) {
    add(from[i], amount[i]);
    add(to[i], capacity[resource]);
  }
  return { time: Int32Array.from(time), free: Int32Array.from(free), count: time.length };
}

const none = new Int32Array();
const noCalendar = { offset: none, from: none, to: none, amount: none };

/** The step in which a time lies. */
function stepAt({ time, count }: FreeSteps, at: number): number {
  let low = 0;
  let high = count;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= at) low = middle;
    else high = middle;
  }
  return low;
}

/** The step that begins at a time, which is made if there is none. */
function splitAt(steps: FreeSteps, at: number): number {
  const i = stepAt(steps, at);
  if (steps.time[i] === at) return i;
  if (steps.count === steps.time.length) {
    steps.time = grow(steps.time);
    steps.free = grow(steps.free);
  }
  const { time, free, count } = steps;
  // Most steps that move are few, because lists grow in time: a loop is faster than `copyWithin`.
  for (let j = count; j > i + 1; j--) {
    time[j] = time[j - 1];
    free[j] = free[j - 1];
  }
  time[i + 1] = at;
  free[i + 1] = free[i];
  steps.count++;
  return i + 1;
}

/** Drops a step that is like the one before it. */
function mergeAt(steps: FreeSteps, i: number): void {
  const { time, free, count } = steps;
  if (i === 0 || i >= count || free[i] !== free[i - 1]) return;
  for (let j = i + 1; j < count; j++) {
    time[j - 1] = time[j];
    free[j - 1] = free[j];
  }
  steps.count--;
}

function grow(numbers: Int32Array): Int32Array {
  const larger = new Int32Array(2 * numbers.length + 16);
  larger.set(numbers);
  return larger;
}
