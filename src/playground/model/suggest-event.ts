import type { DisruptionEvent, Instance, Schedule } from '../../browser/index.js';

/** A breakdown as the page asks for it. */
export interface BreakdownWish {
  readonly machine: number;
  readonly from: number;
  readonly length: number;
}

/** The usual length of a breakdown: a twentieth of the plan. */
export function usualLength({ makespan }: { readonly makespan: number }): number {
  return Math.max(1, Math.round(makespan / 20));
}

/**
 * A breakdown that is worth looking at: two fifths into the time that is left, on one of the machines with the most work
 * left that work at that time. `turn` gives another one each time.
 */
export function suggestBreakdown(schedule: Schedule, now: number, turn = 0): BreakdownWish {
  const { instance, start, end, makespan } = schedule;
  const { machines, machine, frozen } = instance;
  const left = new Float64Array(machines);
  const from = Math.round(now + (makespan - now) * (0.4 + 0.1 * (turn % 3)));
  const works = new Set<number>();
  for (let op = 0; op < start.length; op++) {
    if (frozen !== null && frozen[op] >= 0) continue;
    if (start[op] < from && from < end[op]) works.add(machine[op]);
    left[machine[op]] += Math.max(0, end[op] - Math.max(from, start[op]));
  }
  const all = Array.from(left.keys()).sort((a, b) => left[b] - left[a] || a - b);
  const working = all.filter((k) => works.has(k));
  const busiest = working.length === 0 ? all : working;
  const length = usualLength(schedule);
  return { machine: busiest[turn % Math.min(3, busiest.length)], from, length };
}

/** A breakdown as an event. The operation that it interrupts continues afterwards. */
export function breakdownEvent({ machine, from, length }: BreakdownWish): DisruptionEvent {
  return { kind: 'breakdown', at: from, machine, from, to: from + length, resumable: true };
}

/**
 * A new job like one of the shop: the operations of every other step of a job, in the usual times. Always the same for
 * the same shop.
 */
export function newJobEvent(instance: Instance, now: number, rank: number): DisruptionEvent {
  const { jobs, jobOffset, machine, duration } = instance;
  const full = Array.from({ length: jobs }, (_, job) => job).filter(
    (job) => jobOffset[job + 1] > jobOffset[job],
  );
  const model = full[rank % full.length];
  const operations = [];
  for (let op = jobOffset[model]; op < jobOffset[model + 1]; op += 2) {
    operations.push({ machine: machine[op], duration: duration[op] });
  }
  return {
    kind: 'arrival',
    at: now,
    job: { name: `rush ${rank + 1}`, operations, release: now },
  };
}

/** The jobs that have operations which have not started at a time. */
export function openJobs({ instance, start }: Schedule, now: number): number[] {
  const { jobs, jobOffset } = instance;
  return Array.from({ length: jobs }, (_, job) => job).filter((job) => {
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) if (start[op] >= now) return true;
    return false;
  });
}
