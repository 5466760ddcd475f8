import { AlasError } from 'alas-jssp';
import { costOfPlan, type PlanCost } from '../model/cost.js';
import type { CoordinationPlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { type SearchLimits, searchExactly } from './exact.js';
import { putOffEarly } from './just-in-time.js';
import { inOrder } from './next-actions.js';
import { emptyState, type PlanState, statesNow } from './state.js';

/** How a search for a plan is to be made. */
export interface PlanOptions extends SearchLimits {
  /** The plan before a change, and the minute up to which it has been carried out: what has begun stays. */
  readonly past?: { readonly plan: CoordinationPlan; readonly now: number };
  /** Seconds, at most; 10 unless said. */
  readonly seconds?: number;
  /** States that are looked at, at most: equal searches have equal results then. */
  readonly iterations?: number;
  readonly signal?: AbortSignal;
  readonly onImprovement?: (improvement: {
    readonly cost: number;
    readonly seconds: number;
    readonly iterations: number;
  }) => void;
}

/** A plan, and what is known of it. */
export interface PlanResult {
  readonly plan: CoordinationPlan;
  readonly cost: PlanCost;
  /** No plan of actions that begin as early as they can costs less; 0 where fewer changes come first. */
  readonly lowerBound: number;
  readonly status: 'optimal' | 'feasible' | 'interrupted';
  readonly stats: { readonly seconds: number; readonly iterations: number };
}

/**
 * Plans for a problem: the cheapest plan by the prices of its objective, by an exact search that may be
 * stopped.
 *
 * @throws AlasError `no_plan` if it is proven that there is none, `none_found` if the budget is used up
 */
export function planCoordination(problem: Problem, options: PlanOptions = {}): PlanResult {
  const { past, seconds = 10, iterations = Number.POSITIVE_INFINITY, signal } = options;
  const { fixed = [], free, keeps = null } = options;
  const limits = { fixed: inOrder(fixed), keeps, ...(free !== undefined && { free }) };
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  const isOver = (nodes: number) =>
    nodes >= iterations || signal?.aborted === true || (nodes % 64 === 0 && elapsed() >= seconds);
  const roots: PlanState[] =
    past === undefined ? [emptyState(problem, 0)] : statesNow(problem, past.plan.actions, past.now);
  let count = 0;
  const { best, lowerBound, isProven, nodes } = searchExactly(
    problem,
    roots,
    (looked) => {
      count = looked;
      return isOver(looked);
    },
    (_, cost) => options.onImprovement?.({ cost, seconds: elapsed(), iterations: count }),
    limits,
  );
  if (best === null) {
    throw new AlasError(
      isProven ? 'no_plan' : 'none_found',
      isProven
        ? `there is no plan for ${problem.name}: every way to go on comes too late somewhere`
        : `no plan for ${problem.name} was found; whether there is one is not known`,
    );
  }
  const made = { problem: problem.name, actions: inOrder(best.actions), claims: {} };
  const plan = putOffEarly(problem, made, past, keeps ?? []);
  const cost = costOfPlan(problem, plan);
  const open = signal?.aborted === true ? 'interrupted' : 'feasible';
  return {
    plan,
    cost,
    lowerBound,
    status: isProven ? 'optimal' : open,
    stats: { seconds: elapsed(), iterations: nodes },
  };
}
