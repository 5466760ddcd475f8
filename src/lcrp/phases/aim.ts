import { completionTime, earliestStart } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';
import { type Objective, objectiveOfEnds } from '../../jssp/objectives.js';
import { quickBound } from '../../search/threads/prover.js';
import type { RepairPolicy } from '../policy/policy.js';
import type { RepairTask } from '../task.js';
import { remember } from './remember.js';

/**
 * The value of the objective that a repair aims for; at this value, nothing remains to be won back. For planned work it
 * is the promise of the plan with current durations and downtimes. For unplanned work it is a lower bound: each new job
 * is done as if it were alone in the shop, and the makespan is at least a lower bound of all work. O(N), and O(N log N)
 * with new work.
 *
 * The result of compensation cannot serve as the promise for new work: compensation puts a rush job last, so the job
 * would always seem to be on time.
 */
export function aimOf(task: RepairTask, objective: Objective): number {
  const { instance, planned } = task;
  const promised = objectiveOfEnds(instance, promisedEnds(task), objective);
  const isMakespanOfNewWork = objective === 'makespan' && planned.includes(-1);
  return isMakespanOfNewWork ? Math.max(promised, boundOf(instance)) : promised;
}

const boundOf = remember((instance: Instance) => quickBound(instance).value);

/**
 * The value that is good enough: at this value, the target share of the loss of compensation is won back, or the target
 * of the budget is met.
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
