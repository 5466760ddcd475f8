import type { Schedule } from '../../jssp/schedule.js';
import type { RepairPolicy } from '../policy/policy.js';
import type { Phase, RepairContext, RepairTask } from '../task.js';
import { deadlineOf } from './deadline.js';
import { insertions } from './insertions.js';
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

/**
 * Phases 2 and 3: reorders within a radius around what was hit. Until enough of what compensation
 * lost is won back, another round follows: with a larger radius if the last one improved nothing.
 * Ends at the latest when rounds, evaluations or time are used up; every round has a share of the
 * evaluations that are left.
 *
 * @param planned the objective that the plan had promised
 * @param value the objective after compensation, which the costs of the policy are shares of
 */
export function grow(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  { planned, value }: { planned: number; value: number },
  context: RepairContext,
): GrowthResult {
  const { radius, budget } = policy;
  const surroundings = surroundingsOf(task, compensated, policy.limits);
  const none = { phase: 'reordering', neighbourhood: new Int32Array() } as const;
  const goal = Math.max(value - policy.target * (value - planned), budget.target ?? 0);
  const { isOver } = deadlineOf(policy, context);
  if (isOver()) return { schedule: null, ...none, evaluations: 0 };
  let reach = Math.min(radius.first, radius.most);
  const nearby = surroundings.within(radius.most);
  const also = insertions(task, compensated, nearby);
  const reordering = openReordering(task, compensated, policy, value, context.seed, { also });
  let round = 0;
  const isInserted = also.length > 0 && reordering.cost < value;
  let found: Pick<GrowthResult, 'phase' | 'neighbourhood'> | null = isInserted
    ? { phase: 'reordering', neighbourhood: nearby }
    : null;
  try {
    while (round < budget.rounds && reordering.cost > goal && !isOver()) {
      const left = budget.evaluations - reordering.evaluations;
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
    const schedule = cost < value ? reordering.schedule() : null;
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
