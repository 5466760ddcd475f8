import { AlasError } from 'alas-jssp';
import { judge } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import { costOfPlan, type PlanCost } from '../model/cost.js';
import type { CoordinationPlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { stateAfter, statesNow } from './begun.js';
import { createOutlook } from './bounds.js';
import { type EffortOptions, startEffort } from './effort.js';
import { type SearchLimits, searchExactly } from './exact.js';
import { putOffEarly } from './just-in-time.js';
import { inOrder, isComplete } from './next-actions.js';
import { type InsertedRides, isLarge, planRides, ridesToPlan } from './plan-rides.js';
import { emptyState, type PlanState } from './state.js';

/** Settings of a search for a plan. */
export interface PlanOptions extends EffortOptions, Omit<SearchLimits, 'first' | 'accepts'> {
  /** The plan before a change, and the minute up to which it has been carried out: begun actions stay. */
  readonly past?: Past;
}

/** A plan, with its cost and bounds. */
export interface PlanResult {
  readonly plan: CoordinationPlan;
  readonly cost: PlanCost;
  /**
   * No plan of actions that begin as early as possible costs less; 0 if the number of changes takes precedence or
   * waiting has a price.
   */
  readonly lowerBound: number;
  /**
   * Lower bound of the cost of plans of rides without changes of vehicles, with the people of a ride together; null if
   * unknown.
   */
  readonly directBound: number | null;
  readonly status: 'optimal' | 'feasible' | 'interrupted';
  readonly stats: { readonly seconds: number; readonly iterations: number };
}

/**
 * Plans a problem: finds the cheapest plan at the prices of its objective, by an exact search that can be stopped. If
 * the problem has only rides, insertion finds a first plan, with at most half the budget. Beyond 12 rides, insertion
 * makes all plans, and minimizes kilometres heuristically.
 *
 * @throws InputError `bad_budget` if the budget is malformed
 * @throws AlasError `no_plan` if it is proven that there is none, `none_found` if the budget is exhausted
 */
export function planCoordination(problem: Problem, options: PlanOptions = {}): PlanResult {
  const search = searchPlan(problem, options);
  for (;;) {
    const step = search.next();
    if (step.done) return step.value;
  }
}

/** Milliseconds after which a search yields to the event loop. */
const SLICE = 20;

/** Does the same as {@link planCoordination}, but yields to signals and timers. */
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

/** The search as a generator that yields between steps. */
function* searchPlan(problem: Problem, options: PlanOptions): Generator<void, PlanResult> {
  const { past, fixed = [], free, keeps = null } = options;
  const effort = startEffort(options);
  const isFree = free === undefined && fixed.length === 0;
  const rides = isFree ? ridesToPlan(problem, past) : null;
  const inserted = rides === null ? null : yield* planRides(rides, effort, past, keeps !== null);
  const direct = inserted?.direct ?? null;
  const roots: PlanState[] =
    past === undefined ? [emptyState(problem, 0)] : statesNow(problem, past.plan.actions, past.now);
  const result = (plan: CoordinationPlan, bound: number, isProven: boolean): PlanResult => {
    const open = options.signal?.aborted === true ? 'interrupted' : 'feasible';
    const [seconds, { iterations }] = [effort.seconds(), effort];
    const cost = costOfPlan(problem, plan);
    // A later start may reduce waiting: if waiting has a price, a search of earliest starts proves nothing.
    const isTimed = problem.objective.idle_minutes > 0;
    const lowerBound = isTimed ? 0 : Math.min(bound, cost.total);
    const status = (isProven && !isTimed) || cost.total <= lowerBound + 1e-9 ? 'optimal' : open;
    // A vehicle on a road may turn back, which a tour from stop to stop cannot express.
    const isKnown = direct !== null && past === undefined && !isTimed;
    const directBound = isKnown ? Math.max(lowerBound, direct) : null;
    return { plan, cost, lowerBound, directBound, status, stats: { seconds, iterations } };
  };
  if (rides !== null && inserted !== null && isLarge(rides)) {
    if (inserted.plan === null) throw noneFound(problem, effort.iterations, inserted);
    const { metresLeft } = createOutlook(problem);
    const metres = roots.map((state) => state.metres + metresLeft(state));
    return result(inserted.plan, (problem.objective.km * Math.min(...metres)) / 1000, false);
  }
  const end = inserted?.plan ? stateAfter(problem, inserted.plan.actions) : null;
  const first = end !== null && isComplete(problem, end) ? end : null;
  const planOf = ({ actions }: PlanState) => ({
    problem: problem.name,
    actions: inOrder(actions),
    claims: {},
  });
  const accepts = (state: PlanState) => judge(problem, planOf(state), past).valid;
  const limits = {
    fixed: inOrder(fixed),
    keeps,
    first,
    accepts,
    ...(free !== undefined && { free }),
  };
  const { best, lowerBound, isProven } = yield* searchExactly(problem, roots, effort, limits);
  if (best === null) {
    if (!isProven) throw noneFound(problem, effort.iterations, inserted);
    const reason = 'whatever is done as early as it can be, somebody comes too late somewhere';
    throw new AlasError('no_plan', `there is no plan for ${problem.name}: ${reason}`);
  }
  return result(putOffEarly(problem, planOf(best), past, keeps ?? []), lowerBound, isProven);
}

function noneFound(
  { name }: Problem,
  iterations: number,
  inserted: InsertedRides | null,
): AlasError {
  const known =
    inserted?.direct === Number.POSITIVE_INFINITY
      ? 'there is none in which nobody changes vehicles; whether there is another one is not known'
      : 'whether there is one is not known';
  const insertions = inserted?.iterations ?? 0;
  const states = iterations - insertions;
  const tried = [
    ...(insertions > 0 ? [`${insertions} iterations of insertion`] : []),
    ...(states > 0 || insertions === 0 ? [`${states} states of the exact search`] : []),
  ].join(' and ');
  return new AlasError('none_found', `no plan for ${name} was found in ${tried}; ${known}`);
}
