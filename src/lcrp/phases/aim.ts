import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { type Objective, objectiveOfEnds } from '../../jssp/objectives.js';
import { quickBound } from '../../search/threads/prover.js';
import type { RepairPolicy } from '../policy/policy.js';
import type { RepairTask } from '../task.js';

/**
 * The value of the objective that a repair aims at, with which nothing remains to be won back: the promise of the plan,
 * by the current durations and downtimes, and for unplanned work a lower bound of what could be promised now: each new
 * job done as if it were alone in the shop, and a makespan that all work takes at least. O(N), and O(N log N) with new
 * work.
 *
 * Using the result of compensation as the promise for new work would leave nothing to aim at: it puts a rush job last
 * and would then find that it is on time.
 */
export function aimOf(task: RepairTask, objective: Objective): number {
  const { instance, planned } = task;
  const promised = objectiveOfEnds(instance, promisedEnds(task), objective);
  const isMakespanOfNewWork = objective === 'makespan' && planned.includes(-1);
  return isMakespanOfNewWork ? Math.max(promised, quickBound(instance).value) : promised;
}

/**
 * The value that is good enough: a share of the loss of compensation is won back, or the target of the budget is met.
 */
export function goalOf(
  { target, budget }: Pick<RepairPolicy, 'target' | 'budget'>,
  value: number,
  planned: number,
): number {
  return Math.max(value - target * (value - planned), budget.target ?? 0);
}

/** n entries: the promised completion of each job; for unplanned jobs, the earliest possible one. */
function promisedEnds({ instance, planned }: RepairTask): Float64Array {
  const { jobs, jobOffset, frozen } = instance;
  const ends = new Float64Array(jobs);
  for (let job = 0; job < jobs; job++) {
    let ready = 0;
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      const hasStarted = frozen !== null && frozen[op] >= 0;
      const start = hasStarted ? frozen[op] : planned[op];
      ready = completionTime(instance, op, start < 0 ? earliestStart(instance, op, ready) : start);
      ends[job] = Math.max(ends[job], ready);
    }
  }
  return ends;
}
