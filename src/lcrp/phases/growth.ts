import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { type Instance, isFree } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import { orderByTime, sequencesOf } from '../../search/evolution/solution.js';
import { evaluationsFor, type RepairPolicy } from '../policy/policy.js';
import type { Phase, RepairContext, RepairTask } from '../task.js';
import { goalOf } from './aim.js';
import { costToBeat } from './cost.js';
import { deadlineOf } from './deadline.js';
import { surroundingsOf } from './neighbourhood.js';
import { openReordering } from './reorder.js';

/** The result of reordering in growing neighbourhoods. */
export interface GrowthResult {
  /** The best schedule, realigned; null if nothing was found that is worth its cost. */
  readonly schedule: Schedule | null;
  readonly phase: Phase;
  /** The neighbourhood in which it was found, ascending. */
  readonly neighbourhood: Int32Array;
  readonly evaluations: number;
}

/** The values between which growth works. */
interface GrowthSettings {
  /** The objective that is aimed at. */
  readonly planned: number;
  /** The objective after compensation, which the costs of the policy are shares of. */
  readonly value: number;
  /** Critical paths that are looked at until one leaves a move, at most: 20 unless given. */
  readonly paths?: number | undefined;
  /** The schedule to begin with, if it is not the compensated one. */
  readonly from?: Schedule | undefined;
}

/**
 * Phases 2 and 3: reorders within a radius around what was hit. Until enough of what compensation
 * lost is won back, another round follows: with a larger radius if the last one improved nothing.
 * Ends at the latest when rounds, evaluations or time are used up; every round has a share of the
 * evaluations that are left.
 *
 */
export function grow(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  { planned, value, paths, from }: GrowthSettings,
  context: RepairContext,
): GrowthResult {
  const { radius, budget } = policy;
  const surroundings = surroundingsOf(task, compensated, policy.limits);
  const none = { phase: 'reordering', neighbourhood: new Int32Array() } as const;
  const goal = goalOf(policy, value, planned);
  const most = evaluationsFor(policy, task.instance.operations);
  const { isOver } = deadlineOf(policy, context);
  if (isOver()) return { schedule: null, ...none, evaluations: 0 };
  let reach = Math.min(radius.first, radius.most);
  const hasNewWork = task.planned.includes(-1);
  const nearby = hasNewWork ? surroundings.within(radius.most) : new Int32Array();
  const also = hasNewWork ? insertions(task, compensated, nearby) : [];
  const reordering = openReordering(task, compensated, policy, value, context.seed, {
    from,
    also,
    paths,
  });
  let round = 0;
  const isInserted = also.length > 0 && reordering.cost < value;
  let found: Pick<GrowthResult, 'phase' | 'neighbourhood'> | null = isInserted
    ? { phase: 'reordering', neighbourhood: nearby }
    : null;
  try {
    while (round < budget.rounds && reordering.cost > goal && !isOver()) {
      const left = most - reordering.evaluations;
      if (left <= 0) break;
      const neighbourhood = surroundings.within(reach);
      const share = Math.ceil(left / Math.min(ROUNDS_AHEAD, budget.rounds - round));
      const isBetter = reordering.improve(neighbourhood, share, isOver);
      round++;
      if (isBetter) {
        const phase = reach > radius.first ? 'growth' : 'reordering';
        // What new work has passed at first was within the largest radius.
        found = { phase, neighbourhood: isInserted ? nearby : neighbourhood };
      } else if (reach < Math.min(radius.most, surroundings.radius))
        reach = nextRadius(reach, radius.most);
      else if (neighbourhood.length < 2) break;
    }
    const { evaluations, cost } = reordering;
    // Even the planned queues may do with less, if something may start earlier than planned.
    const toBeat = costToBeat(task, compensated, policy, value);
    const schedule = cost < toBeat ? reordering.schedule() : null;
    return { schedule, ...(found ?? none), evaluations };
  } finally {
    reordering.close();
  }
}

/** A round takes a third of what is left, so that later ones have something to work with. */
const ROUNDS_AHEAD = 3;

function nextRadius(reach: number, most: number): number {
  return Math.min(most, Math.max(reach + 1, Math.ceil(reach * 1.5)));
}

/**
 * Parts of the way from where a job would be if it were alone in the shop to where compensation puts it,
 * at which new work is tried.
 */
const PARTS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/**
 * Orders to begin with where there is new work. Compensation lets it delay nobody, which is as a rule
 * too late, and from there it takes many moves to bring a job forward through all its queues. So each
 * result has the new operations at a part of the way from their earliest to their compensated starts,
 * and all others where they are.
 *
 * @param movable operations (ascending) that may get another place; what would pass any other is left out
 * @returns times (N each) by which the operations are to be ordered
 */
function insertions(
  { instance, planned }: RepairTask,
  { start }: Schedule,
  movable: Int32Array,
): Float64Array[] {
  const before = queuesOf(instance, start);
  const inside = new Set(movable);
  const earliest = earliestStarts(instance, start, planned);
  return PARTS.map((part) =>
    Float64Array.from(start, (time, op) => earliest[op] + part * (time - earliest[op])),
  ).filter((times) =>
    queuesOf(instance, times).every((op, slot) => op === before[slot] || inside.has(op)),
  );
}

/** N entries: the starts, but of new operations the earliest once what precedes them in their job is done. */
function earliestStarts(instance: Instance, start: Int32Array, planned: Int32Array): Int32Array {
  const { jobOf, operations } = instance;
  const earliest = start.slice();
  for (let op = 0, ready = 0; op < operations; op++) {
    if (op === 0 || jobOf[op] !== jobOf[op - 1]) ready = 0;
    if (planned[op] < 0 && isFree(instance, op)) earliest[op] = earliestStart(instance, op, ready);
    ready = completionTime(instance, op, earliest[op]);
  }
  return earliest;
}

/** The queues of the machines by these times, without what takes no time. */
function queuesOf(instance: Instance, times: ArrayLike<number>): Int32Array {
  const { duration } = instance;
  return sequencesOf(instance, orderByTime(times)).filter((op) => duration[op] > 0);
}
