import { objectiveValue } from '../../jssp/objectives.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { orderByTime } from '../../search/evolution/solution.js';
import { isWithoutSchedule, optimize } from '../../search/optimize.js';
import type { RepairPolicy } from '../policy/policy.js';
import type { MethodResult, RepairContext, RepairTask } from '../task.js';
import { plannedTimes } from './compensate.js';
import { costToBeat } from './cost.js';
import { deadlineOf } from './deadline.js';
import { surroundingsOf } from './neighbourhood.js';
import { alignWithPlan } from './realign.js';
import { remainderOf, startsOfWhole } from './remainder.js';
import { openReordering } from './reorder.js';

/** The result of a recompute; its evaluations are iterations of the search, or moves within limits. */
export type RecomputeResult = Pick<MethodResult, 'schedule' | 'neighbourhood' | 'evaluations'>;

/**
 * Phase 4, fallback: a search over all free operations, from the best schedule so far, ended by a number of iterations;
 * then realigned with the plan.
 */
export async function recomputeRemainder(
  task: RepairTask,
  best: Schedule,
  policy: RepairPolicy,
  iterations: number,
  context: RepairContext,
): Promise<Schedule> {
  const { instance } = task;
  const { objective } = policy;
  const remainder = remainderOf(instance);
  if (remainder.operation.length === 0) return best;
  const start = createSchedule(
    remainder.instance,
    remainder.operation.map((op) => best.start[op]),
  );
  const found = await continueSearch(start, policy, iterations, context);
  if (found.schedule === start) return best;
  const times = plannedTimes(task);
  const planned = remainder.operation.map((op) => times[op]);
  const aligned = alignWithPlan(remainder.instance, {
    order: orderByTime(found.schedule.start),
    planned,
    objective,
    floor: remainder.frozenEnd,
  });
  return createSchedule(instance, startsOfWhole(instance, remainder, aligned));
}

/**
 * Continues the search from a schedule for a number of iterations; if the search does not meet all deadlines either,
 * the result is that schedule itself, so that as little as possible is changed.
 */
export async function continueSearch(
  start: Schedule,
  policy: RepairPolicy,
  iterations: number,
  context: RepairContext,
): Promise<RecomputeResult> {
  const { objective } = policy;
  const { seed, signal } = context;
  const left = deadlineOf(policy, context).secondsLeft();
  if (left <= 0) return { schedule: start, neighbourhood: null, evaluations: 0 };
  const seconds = left === Number.POSITIVE_INFINITY ? undefined : left;
  const settings = { start, objective, budget: { iterations, seconds }, seed, signal };
  try {
    const { schedule, stats } = await optimize(start.instance, settings);
    return { schedule, neighbourhood: null, evaluations: stats.iterations };
  } catch (error) {
    if (!isWithoutSchedule(error)) throw error;
    return { schedule: start, neighbourhood: null, evaluations: iterations };
  }
}

/** The approximate number of moves that the search evaluates in an iteration. */
const MOVES_PER_ITERATION = 10;
/** Runs of the tabu search, each from the best queues so far. */
const RUNS = 5;

/**
 * The fallback for policies with limits: reordering (phase 2) without a radius, over all operations that may change,
 * for about as many iterations. Its moves pass no immovable operation, and pinned operations keep their times, so every
 * result respects the limits.
 *
 * @param compensated the schedule whose places and starts are kept where limits require it
 */
export function recomputeWithinLimits(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  iterations: number,
  context: RepairContext,
): RecomputeResult {
  const surroundings = surroundingsOf(task, compensated, policy.limits);
  const neighbourhood = surroundings.within(surroundings.radius);
  const { isOver } = deadlineOf(policy, context);
  if (neighbourhood.length < 2 || isOver()) {
    return { schedule: compensated, neighbourhood, evaluations: 0 };
  }
  const unit = objectiveValue(compensated, policy.objective);
  const reordering = openReordering(task, compensated, policy, unit, context.seed);
  const most = iterations * MOVES_PER_ITERATION;
  try {
    for (let run = 0; run < RUNS && !isOver(); run++) {
      const left = most - reordering.evaluations;
      if (left > 0) reordering.improve(neighbourhood, Math.ceil(left / (RUNS - run)), isOver);
    }
    const { cost, evaluations } = reordering;
    const toBeat = costToBeat(task, compensated, policy, unit);
    const schedule = cost < toBeat ? reordering.schedule() : compensated;
    return { schedule, neighbourhood, evaluations };
  } finally {
    reordering.close();
  }
}
