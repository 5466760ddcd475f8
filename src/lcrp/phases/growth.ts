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
import { remember } from './remember.js';
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
  /** The target of the objective. */
  readonly planned: number;
  /** The objective after compensation; costs of the policy are shares of it. */
  readonly value: number;
  /** The limit of critical paths to examine until one yields a move: 20 by default. */
  readonly paths?: number | undefined;
  /** The initial schedule, if it is not the compensated one. */
  readonly from?: Schedule | undefined;
}

/**
 * Phases 2 and 3: reorders within a radius around the affected operations. Until enough of the loss of compensation is
 * won back, another pass follows: with a larger radius if the last one improved nothing. Ends at the latest when
 * passes, evaluations or time are used up; every pass gets a share of the remaining evaluations.
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
  const also = hasNewWork ? insertionsFor(task)(compensated, nearby) : [];
  const reordering = openReordering(task, compensated, policy, value, context.seed, {
    from,
    also,
    paths,
  });
  let pass = 0;
  const isInserted = also.length > 0 && reordering.cost < value;
  let found: Pick<GrowthResult, 'phase' | 'neighbourhood'> | null = isInserted
    ? { phase: 'reordering', neighbourhood: nearby }
    : null;
  try {
    while (pass < budget.passes && reordering.cost > goal && !isOver()) {
      const left = most - reordering.evaluations;
      if (left <= 0) break;
      const neighbourhood = surroundings.within(reach);
      const share = Math.ceil(left / Math.min(PASSES_AHEAD, budget.passes - pass));
      const isBetter = reordering.improve(neighbourhood, share, isOver);
      pass++;
      if (isBetter) {
        const phase = reach > radius.first ? 'growth' : 'reordering';
        // The operations that new work has passed initially were within the largest radius.
        found = { phase, neighbourhood: isInserted ? nearby : neighbourhood };
      } else if (reach < Math.min(radius.most, surroundings.radius))
        reach = nextRadius(reach, radius.most);
      else if (neighbourhood.length < 2) break;
    }
    const { evaluations, cost } = reordering;
    // Even the planned queues may cost less, if an operation may start earlier than planned.
    const toBeat = costToBeat(task, compensated, policy, value);
    const schedule = cost < toBeat ? reordering.schedule() : null;
    return { schedule, ...(found ?? none), evaluations };
  } finally {
    reordering.close();
  }
}

/** A pass takes a third of the remaining evaluations, so that later ones have some left. */
const PASSES_AHEAD = 3;

function nextRadius(reach: number, most: number): number {
  return Math.min(most, Math.max(reach + 1, Math.ceil(reach * 1.5)));
}

/**
 * Fractions of the distance from the start of a job alone in the shop to its compensated start, at which new work is
 * tried.
 */
const PARTS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/** The result of {@link insertions} of a task that was last asked for: other objectives ask for the same again. */
const insertionsFor = remember((task: RepairTask) => {
  let last: { compensated: Schedule; movable: Int32Array; times: Float64Array[] } | null = null;
  return (compensated: Schedule, movable: Int32Array): Float64Array[] => {
    const isSame =
      last?.compensated === compensated &&
      last.movable.length === movable.length &&
      movable.every((op, i) => op === last?.movable[i]);
    if (last === null || !isSame) {
      last = { compensated, movable, times: insertions(task, compensated, movable) };
    }
    return last.times;
  };
});

/**
 * Initial orders for new work. Compensation lets it delay no other job, which is usually too late, and from there it
 * takes many moves to bring a job forward through all its queues. So each result has the new operations at a fraction
 * of the distance from their earliest to their compensated starts, and all others in place.
 *
 * @param movable operations (ascending) that may get another place; orders in which others are passed are omitted
 * @returns times (N each) that sort the operations
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

/** N entries: the starts; for new operations, the earliest start after their predecessors in the job. */
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

/** The queues of the machines by these times, without operations of zero duration. */
function queuesOf(instance: Instance, times: ArrayLike<number>): Int32Array {
  const { duration } = instance;
  return sequencesOf(instance, orderByTime(times)).filter((op) => duration[op] > 0);
}
