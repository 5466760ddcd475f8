import { AlasError } from '@alas-jssp/core/errors';
import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { earliestJobEnds, earliestReady, modeTimes } from '../../jssp/flexible-times.js';
import type { Instance } from '../../jssp/instance.js';
import { isClassic } from '../../jssp/shop-parts.js';
import { wordsOf } from '../../jssp/words.js';

/**
 * The reason why frozen starts contradict each other, or why a job cannot meet its deadline even alone; null if neither
 * is the case. O(N log N).
 */
export function infeasibleReason(instance: Instance): string | null {
  const reason = isClassic(instance) ? infeasibleJob(instance) : infeasibleFlexibleJob(instance);
  return reason ?? overlapOfFrozen(instance);
}

/**
 * Checks that frozen starts do not contradict each other, and that every job meets its deadline if it is alone in the
 * shop; otherwise a search would be in vain. O(N log N).
 *
 * @throws AlasError `no_feasible_schedule`
 */
export function refuseInfeasible(instance: Instance): void {
  const reason = infeasibleReason(instance);
  if (reason === null) return;
  throw new AlasError(
    'no_feasible_schedule',
    `no schedule of ${instance.name} is feasible: ${reason}`,
  );
}

/** The first job that cannot meet its frozen starts or its deadline, even alone. */
function infeasibleJob(instance: Instance): string | null {
  const { jobs, jobOffset, frozen, deadline } = instance;
  const words = wordsOf(instance);
  for (let job = 0; job < jobs; job++) {
    let time = 0;
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      const isFrozen = frozen !== null && frozen[op] >= 0;
      if (isFrozen && frozen[op] < time) {
        return `${words.operation(op)} is frozen at ${words.time(frozen[op])}, but its job is not that far before ${words.time(time)}`;
      }
      const start = isFrozen ? frozen[op] : earliestStart(instance, op, time);
      time = completionTime(instance, op, start);
    }
    if (deadline !== null && deadline[job] >= 0 && deadline[job] < time) {
      return `${words.job(job)} has the deadline ${words.time(deadline[job])}, but is not done before ${words.time(time)}`;
    }
  }
  return null;
}

/** The same for a shop with alternatives, setups, transport or graphs, as if its machines were always up. */
function infeasibleFlexibleJob(instance: Instance): string | null {
  const { jobs, operations, deadline, frozen } = instance;
  const times = modeTimes(instance);
  const words = wordsOf(instance);
  for (let op = 0; op < operations && frozen !== null; op++) {
    if (frozen[op] < 0) continue;
    const ready = earliestReady(instance, times, op);
    if (frozen[op] < ready) {
      return `${words.operation(op)} is frozen at ${words.time(frozen[op])}, but its job is not that far before ${words.time(ready)}`;
    }
  }
  const ends = earliestJobEnds(instance, times);
  for (let job = 0; job < jobs; job++) {
    if (deadline !== null && deadline[job] >= 0 && deadline[job] < ends[job]) {
      return `${words.job(job)} has the deadline ${words.time(deadline[job])}, but is not done before ${words.time(ends[job])}`;
    }
  }
  return null;
}

/** The first two frozen operations that occupy a machine at the same time. */
function overlapOfFrozen(instance: Instance): string | null {
  const { operations, machines, machine, duration, frozen } = instance;
  if (frozen === null) return null;
  const busy: number[] = [];
  for (let op = 0; op < operations; op++) if (frozen[op] >= 0 && duration[op] > 0) busy.push(op);
  busy.sort((a, b) => frozen[a] - frozen[b] || a - b);
  const last = new Int32Array(machines).fill(-1);
  for (const op of busy) {
    const k = machine[op];
    const before = last[k];
    if (before >= 0 && completionTime(instance, before, frozen[before]) > frozen[op]) {
      const { operation, time, machine: machineWords } = wordsOf(instance);
      return `${operation(before)} and ${operation(op)} are frozen at ${time(frozen[before])} and ${time(frozen[op])} on ${machineWords(k)} and overlap`;
    }
    last[k] = op;
  }
  return null;
}
