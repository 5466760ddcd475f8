import { AlasError } from 'alas-jssp';
import { judge } from '../judge/judge.js';
import { costOfPlan, metresOfDrive, type PlanCost } from '../model/cost.js';
import type { CoordinationPlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { type EffortOptions, startEffort } from './effort.js';
import { costOfState, type SearchLimits, searchExactly } from './exact.js';
import { insertRides } from './insertion.js';
import { putOffEarly } from './just-in-time.js';
import { inOrder, isComplete } from './next-actions.js';
import { afterAction, emptyState, type PlanState, statesNow } from './state.js';

/** How a search for a plan is to be made. */
export interface PlanOptions extends EffortOptions, Omit<SearchLimits, 'first'> {
  /** The plan before a change, and the minute up to which it has been carried out: what has begun stays. */
  readonly past?: { readonly plan: CoordinationPlan; readonly now: number };
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
 * stopped. Where there are only rides, it begins with a plan by insertion, for at most half the budget.
 *
 * @throws InputError `bad_budget` if the budget is none
 * @throws AlasError `no_plan` if it is proven that there is none, `none_found` if the budget is used up
 */
export function planCoordination(problem: Problem, options: PlanOptions = {}): PlanResult {
  const search = searchPlan(problem, options);
  for (;;) {
    const step = search.next();
    if (step.done) return step.value;
  }
}

/** Milliseconds after which a search lets others work. */
const SLICE = 20;

/** {@link planCoordination}, but that signals and timers are heard meanwhile. */
export async function planCoordinationAsync(
  problem: Problem,
  options: PlanOptions = {},
): Promise<PlanResult> {
  const search = searchPlan(problem, options);
  for (let due = performance.now() + SLICE; ; ) {
    const step = search.next();
    if (step.done) return step.value;
    if (performance.now() < due) continue;
    await new Promise((resolve) => void setImmediate(resolve));
    due = performance.now() + SLICE;
  }
}

/** The search in steps, between which others may work. */
function* searchPlan(problem: Problem, options: PlanOptions): Generator<void, PlanResult> {
  const { past, signal, fixed = [], free, keeps = null } = options;
  const effort = startEffort(options);
  const roots: PlanState[] =
    past === undefined ? [emptyState(problem, 0)] : statesNow(problem, past.plan.actions, past.now);
  const isFree = past === undefined && keeps === null && free === undefined && fixed.length === 0;
  const first = isFree
    ? firstState(problem, () => {
        effort.count();
        return effort.share() >= 0.5;
      })
    : null;
  if (first !== null) effort.improve(costOfState(problem, first));
  const limits = { fixed: inOrder(fixed), keeps, first, ...(free !== undefined && { free }) };
  const { best, lowerBound, isProven } = yield* searchExactly(problem, roots, effort, limits);
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
    stats: { seconds: effort.seconds(), iterations: effort.iterations },
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
