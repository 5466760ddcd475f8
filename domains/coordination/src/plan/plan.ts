import { AlasError } from 'alas-jssp';
import { judge } from '../judge/judge.js';
import { costOfPlan, metresOfDrive, type PlanCost } from '../model/cost.js';
import type { CoordinationPlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { costOfState, type SearchLimits, searchExactly } from './exact.js';
import { insertRides } from './insertion.js';
import { putOffEarly } from './just-in-time.js';
import { inOrder, isComplete } from './next-actions.js';
import { afterAction, emptyState, type PlanState, statesNow } from './state.js';

/** How a search for a plan is to be made. */
export interface PlanOptions extends Omit<SearchLimits, 'first'> {
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
 * stopped. Where there are only rides, it begins with a plan by insertion, for at most half the time.
 *
 * @throws AlasError `no_plan` if it is proven that there is none, `none_found` if the budget is used up
 */
export function planCoordination(problem: Problem, options: PlanOptions = {}): PlanResult {
  const { past, seconds = 10, iterations = Number.POSITIVE_INFINITY, signal } = options;
  const { fixed = [], free, keeps = null } = options;
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  const isOver = (nodes: number) =>
    nodes >= iterations || signal?.aborted === true || (nodes % 64 === 0 && elapsed() >= seconds);
  const roots: PlanState[] =
    past === undefined ? [emptyState(problem, 0)] : statesNow(problem, past.plan.actions, past.now);
  const isFree = past === undefined && keeps === null && free === undefined && fixed.length === 0;
  let rounds = 0;
  const first = isFree
    ? firstState(problem, () => isOver(rounds++) || elapsed() >= seconds / 2)
    : null;
  if (first !== null) {
    const cost = costOfState(problem, first);
    options.onImprovement?.({ cost, seconds: elapsed(), iterations: rounds });
  }
  const limits = { fixed: inOrder(fixed), keeps, first, ...(free !== undefined && { free }) };
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

/** A plan of rides by insertion, if it is one that the judge accepts. */
function firstState(problem: Problem, isOver: () => boolean): PlanState | null {
  const drives = insertRides(problem, isOver);
  if (drives === null) return null;
  const actions = drives.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const isValid = judge(problem, { problem: problem.name, actions, claims: {} }).valid;
  const end = actions.reduce<PlanState | null>(
    (state, action) => state && afterAction(problem, state, action, metresOfDrive(problem, action)),
    isValid ? emptyState(problem, 0) : null,
  );
  return end !== null && isComplete(problem, end) ? end : null;
}
