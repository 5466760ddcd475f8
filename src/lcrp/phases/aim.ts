import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { type Objective, objectiveOfEnds } from '../../jssp/objectives.js';
import { quickBound } from '../../search/threads/prover.js';
import type { RepairPolicy } from '../policy/policy.js';
import type { RepairTask } from '../task.js';

/**
 * The value of the objective that a repair aims at; with it, nothing is left to win back. It is what
 * the plan promised, by the durations and downtimes of now, and for work that no plan knows a lower
 * bound of what could be promised now: each new job done as if it were alone in the shop, and a
 * makespan that all the work there is takes at least. O(N), and O(N log N) where there is new work.
 *
 * To take what compensation makes of new work for a promise would leave nothing to aim at: it puts a
 * rush job behind everybody, and finds that it was promised no better.
 */
export function aimOf(task: RepairTask, objective: Objective): number {
  const { instance, planned } = task;
  const promised = objectiveOfEnds(instance, promisedEnds(task), objective);
  const isMakespanOfNewWork = objective === 'makespan' && planned.includes(-1);
  return isMakespanOfNewWork ? Math.max(promised, quickBound(instance).value) : promised;
}

/** The value that is good enough: what is won back of what compensation lost, or the target of the budget. */
export function goalOf(
  { target, budget }: Pick<RepairPolicy, 'target' | 'budget'>,
  value: number,
  planned: number,
): number {
  return Math.max(value - target * (value - planned), budget.target ?? 0);
}

/** n entries: when each job was promised to be done; of what no plan knows, when it could be at best. */
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
