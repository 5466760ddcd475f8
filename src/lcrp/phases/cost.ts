import { isFree } from '../../jssp/instance.js';
import { objectiveValue } from '../../jssp/objectives.js';
import { jobEnd, machineSequences, type Schedule } from '../../jssp/schedule.js';
import { holdsStarts } from '../pins/held-operations.js';
import { hasNamedPrices, type RepairPolicy } from '../policy/policy.js';
import { type RepairTask, reassignedIn } from '../task.js';
import { plannedTimes } from './compensate.js';

/**
 * The cost of a repaired schedule under a policy, in units of the objective: its value, the cost of changed places, of
 * starts earlier than planned, and of other modes. Infinity if it misses a deadline. O(N log N).
 *
 * @param unit the objective after local compensation; costs of the policy are shares of it
 */
export function repairCost(
  task: RepairTask,
  schedule: Schedule,
  { objective, cost }: RepairPolicy,
  unit: number,
): number {
  if (missesDeadline(schedule)) return Number.POSITIVE_INFINITY;
  const value = objectiveValue(schedule, objective);
  const places = cost.rankChange === 0 ? 0 : cost.rankChange * changedPlaces(task, schedule);
  const moves = cost.movedEarlier === 0 ? 0 : cost.movedEarlier * movedEarlier(task, schedule);
  const modes = cost.reassigned === 0 ? 0 : cost.reassigned * reassignments(task, schedule);
  return value + unit * (places + moves + modes);
}

/**
 * The cost that reordering must undercut: the objective after compensation, plus the cost of making way for pins if
 * there are any.
 */
export function costToBeat(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  unit: number,
): number {
  const cost = holdsStarts(policy.limits) ? repairCost(task, compensated, policy, unit) : unit;
  // The search counts a missed deadline like a missed pin, so only a schedule that misses neither is comparable.
  return cost === Number.POSITIVE_INFINITY ? unit : cost;
}

/** Whether a schedule of that cost may break a tie: explicit prices allow no more than the cost of compensation. */
export function mayBreakTie(
  task: RepairTask,
  schedule: Schedule,
  compensated: Schedule,
  policy: RepairPolicy,
): boolean {
  if (hasNamedPrices(policy)) return !missesDeadline(schedule);
  const unit = objectiveValue(compensated, policy.objective);
  const costOf = (one: Schedule) => repairCost(task, one, policy, unit);
  return costOf(schedule) <= costOf(compensated);
}

/**
 * The number of free operations whose place in their queue is not the planned one. Places are counted among the free
 * planned operations that occupy the machine and are planned there.
 */
export function changedPlaces(task: RepairTask, schedule: Schedule): number {
  const isElsewhere = reassignedIn(task, schedule);
  const { machines, machineOffset, duration } = schedule.instance;
  const times = plannedTimes(task);
  const sequences = machineSequences(schedule);
  let changed = 0;
  for (let k = 0; k < machines; k++) {
    const queue = sequences
      .subarray(machineOffset[k], machineOffset[k + 1])
      .filter(
        (op) =>
          duration[op] > 0 && times[op] >= 0 && isFree(schedule.instance, op) && !isElsewhere(op),
      );
    const planned = queue.slice().sort((a, b) => times[a] - times[b] || a - b);
    for (let place = 0; place < queue.length; place++) {
      if (queue[place] !== planned[place]) changed++;
    }
  }
  return changed;
}

/** The number of free operations in another mode than planned; new ones have no plan. */
function reassignments(task: RepairTask, schedule: Schedule): number {
  const isElsewhere = reassignedIn(task, schedule);
  const { planned } = task;
  let count = 0;
  for (let op = 0; op < planned.length; op++) if (planned[op] >= 0 && isElsewhere(op)) count++;
  return count;
}

function movedEarlier({ planned }: RepairTask, { start }: Schedule): number {
  let moved = 0;
  for (let op = 0; op < start.length; op++) if (start[op] < planned[op]) moved++;
  return moved;
}

/** Whether a job is done after its deadline. O(n). */
export function missesDeadline(schedule: Schedule): boolean {
  const { jobs, deadline } = schedule.instance;
  if (deadline === null) return false;
  for (let job = 0; job < jobs; job++) {
    if (deadline[job] >= 0 && jobEnd(schedule, job) > deadline[job]) return true;
  }
  return false;
}
