import { AlasError } from '@alas-jssp/core/errors';
import type { Instance } from '../../jssp/instance.js';
import { asPlan, type Candidate, type Plan } from '../../jssp/plan.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { isClassic } from '../../jssp/shop-parts.js';
import { dispatch, dispatchBest } from '../../search/construct/dispatch.js';
import { firstSchedule } from '../../search/first-schedule.js';
import { isWithoutSchedule, optimize } from '../../search/optimize.js';
import { createProblem, type Problem } from '../../search/problem.js';
import { isFeasible } from '../../validator/judge.js';
import { validate } from '../../validator/validate.js';
import { policy } from '../policy/make-policy.js';
import { type OpenPolicy, withObjective } from '../policy/policy.js';
import type { RepairContext } from '../task.js';
import { coverage, type PlanClaims, readClaims } from './claims.js';
import { canImprove, improveRebuilt } from './improve-rebuilt.js';
import { timesInJobOrder } from './job-times.js';
import { keptOrder } from './kept-order.js';
import { inModesOf, rebuildShop } from './rebuild-shop.js';

/** The schedule made from an untrusted plan, and how much of the plan it keeps. */
export interface PlanRepair extends Pick<PlanClaims, 'dropped' | 'corrected'> {
  /** A complete schedule of the instance. */
  readonly schedule: Schedule;
  /**
   * Whether it violates no rule. It is false only if no schedule was found that keeps all deadlines and all fixed
   * starts in the future.
   */
  readonly feasible: boolean;
  /** Share of operations whose claim was usable: 0 if the plan contains nothing usable. */
  readonly seedCoverage: number;
  /** Share of the claimed pairs that are kept, see {@link keptOrder}; null if none is claimed. */
  readonly keptOrder: number | null;
  /** Operations without a usable claim, which were added. */
  readonly inserted: number;
  /** The schedule before any reordering. */
  readonly rebuilt: { readonly makespan: number; readonly keptOrder: number | null };
  /** Moves that reordering evaluated. */
  readonly evaluations: number;
}

/**
 * The policy by which the schedule made from an untrusted plan is improved: claims are worth keeping, and it has an
 * eighth of the usual budget.
 */
export const planPolicy: OpenPolicy = policy('high-stability', {
  budget: { passes: 4, evaluations: 5000 },
});

/** The limit of sweeps that move violations forward before a search starts. */
const MAX_SWEEPS = 50;

/** Iterations of the searches for a schedule within limits, one after the other. */
const LIMIT_SEARCHES = [1000, 20_000];

/**
 * Makes a feasible schedule from a plan, whatever its faults: invalid entries are dropped, missing operations are
 * added, machines and durations are the instance's. Machines work in the order of the claimed starts, and each
 * operation starts as early as that order, releases, downtimes and frozen starts allow. Only claims that contradict the
 * order of a job yield, the weakest ones ({@link timesInJobOrder}): all others are kept in their order. Start times
 * that violate no rule are returned unchanged, and a plan without a usable claim gives the schedule of a heuristic.
 *
 * Changing only what breaks the cycles of job and machine orders would keep up to five percent more pairs, but machines
 * would wait for misplaced operations: if five starts of a schedule are changed at random, the makespan grows by 45
 * percent with that method, and by 2 percent with this one.
 *
 * Deadlines, and fixed starts in the future, are limits that the claimed order may violate. Then late operations and
 * their predecessors in the job are moved forward in that order by the amount by which they are late. This is repeated
 * up to a limit; if violations remain, a search continues from there.
 *
 * A rebuilt schedule is then reordered around the wrong operations ({@link improveRebuilt}), in shops with alternatives
 * also by moves to other machines, and never ends worse; a policy without passes omits that. Instances with fixed
 * starts in the future are not reordered. Deterministic for
 * equal plan, policy and seed. O(N log N) without reordering, not counting downtimes, if no limit is violated and
 * something is claimed.
 *
 * @param context with `isBlind` the problems of the plan are unknown: it is timed again in its order, even if it
 *   violates no rule, and nothing is reordered, since no operation is known to be wrong
 * @param policy the guards and costs of reordering; default: {@link planPolicy}
 * @throws AlasError `frozen_unreachable` if the started operations of the instance contradict each other
 * @throws the reason of the signal, if it is aborted while a search for the limits has no result
 */
export async function repairPlan(
  given: Instance,
  candidate: Candidate,
  context: RepairContext & { readonly isBlind?: boolean | undefined },
  policy: OpenPolicy = planPolicy,
): Promise<PlanRepair> {
  const plan = asPlan(candidate);
  const instance = inModesOf(given, plan);
  const claims = readClaims(instance, plan);
  const asGiven = context.isBlind ? null : asClaimed(instance, claims);
  const rebuilt =
    asGiven ??
    (isClassic(given)
      ? await rebuild(instance, claims, context)
      : await rebuildAnyShop(instance, claims, context));
  const { schedule, evaluations } =
    asGiven === null && !context.isBlind && canImprove(rebuilt)
      ? improveRebuilt(
          rebuilt,
          claims,
          wrongIn(instance, plan),
          withObjective(instance, policy),
          context,
        )
      : { schedule: rebuilt, evaluations: 0 };
  const kept = (after: Schedule) => keptOrder(instance, claims.start, after.start, after.instance);
  return {
    schedule,
    feasible: isFeasible(schedule.instance, schedule.start),
    keptOrder: kept(schedule),
    rebuilt: { makespan: rebuilt.makespan, keptOrder: kept(rebuilt) },
    evaluations,
    ...coverage(instance, claims),
  };
}

/** The claimed starts, if they violate no rule. */
function asClaimed(instance: Instance, { start, usable }: PlanClaims): Schedule | null {
  if (usable < instance.operations || !start.every(Number.isInteger)) return null;
  const starts = Int32Array.from(start);
  return isFeasible(instance, starts) ? createSchedule(instance, starts) : null;
}

/** The operations for which the validator reports violations, ascending. */
function wrongIn(instance: Instance, plan: Plan): Int32Array {
  const wrong = new Set<number>();
  for (const { scope } of validate(instance, plan).violations) {
    if (scope.op !== undefined) wrong.add(scope.op);
  }
  return Int32Array.from(wrong).sort();
}

async function rebuild(
  given: Instance,
  claims: PlanClaims,
  context: RepairContext,
): Promise<Schedule> {
  const problem = createProblem(given, 'makespan');
  const { instance } = problem;
  const missing = timesOfMissing(instance, claims, context.seed);
  const time = timesInJobOrder(instance, withFrozen(given, claims), claims.weight, missing);
  let schedule = problem.scheduleOf(startedFirst(instance, time));
  for (let sweep = 0; sweep < MAX_SWEEPS && advanceLate(problem, schedule, time); sweep++) {
    schedule = problem.scheduleOf(startedFirst(instance, time));
  }
  return problem.valueOf(schedule) < Number.POSITIVE_INFINITY
    ? schedule
    : searchWithin(problem, schedule, context);
}

/**
 * The same for a shop with alternatives, setups, transport, precedence graphs or resources. A plan in whose order
 * greatest waiting times or fixed starts cannot be kept is replaced by the result of a search.
 */
async function rebuildAnyShop(
  instance: Instance,
  claims: PlanClaims,
  context: RepairContext,
): Promise<Schedule> {
  const problem = createProblem(instance, 'makespan');
  const time = claims.start.slice();
  let { schedule } = rebuildShop(instance, claims, context);
  for (let sweep = 0; sweep < MAX_SWEEPS && schedule !== null; sweep++) {
    if (!advanceLate(problem, schedule, time)) break;
    schedule = rebuildShop(instance, { ...claims, start: time }, context).schedule ?? schedule;
  }
  if (schedule !== null && problem.valueOf(schedule) < Number.POSITIVE_INFINITY) return schedule;
  return searchWithin(problem, schedule ?? firstOf(problem), context);
}

function firstOf(problem: Problem): Schedule {
  const first = firstSchedule(problem);
  if (first !== null) return first;
  const { name } = problem.given;
  throw new AlasError('frozen_unreachable', `no schedule of ${name} was found that keeps its lags`);
}

/** All operations (N): started ones in that order, then the others by times in job order. */
function startedFirst({ operations, frozen }: Instance, time: Float64Array): Int32Array {
  const started = (op: number) => (frozen !== null && frozen[op] >= 0 ? 0 : 1);
  const key = time.map((t, op) => (started(op) === 0 ? (frozen?.[op] ?? 0) : t));
  const order = new Int32Array(operations).map((_, op) => op);
  return order.sort((a, b) => started(a) - started(b) || key[a] - key[b] || a - b);
}

/**
 * Moves the times of operations that end beyond a limit, and of their predecessors in the job, forward by the excess;
 * false if there are none.
 */
function advanceLate({ instance, watched }: Problem, { end }: Schedule, time: Float64Array) {
  const { jobOf, jobOffset } = instance;
  let isLate = false;
  watched.op.forEach((last, i) => {
    const late = end[last] - watched.due[i];
    // Other weights denote an objective, which may be missed.
    if (watched.weight[i] >= 0 || late <= 0) return;
    isLate = true;
    for (let op = jobOffset[jobOf[last]]; op <= last; op++) time[op] -= late;
  });
  return isLate;
}

/** The claimed starts, or the frozen start of an operation that has one. */
function withFrozen({ frozen }: Instance, { start }: PlanClaims): Float64Array {
  return frozen === null ? start : start.map((time, op) => (frozen[op] >= 0 ? frozen[op] : time));
}

/** Starts by a heuristic, for operations without claims. */
function timesOfMissing(instance: Instance, { usable }: PlanClaims, seed: number): Int32Array {
  if (usable === instance.operations) return new Int32Array(usable);
  const { start } =
    usable === 0
      ? dispatchBest(instance, seed, 'makespan').schedule
      : dispatch(instance, { rule: 'mwkr', seed });
  return start;
}

/** Searches for a schedule within the limits; if it finds none, returns the schedule that violates them. */
async function searchWithin(
  { given }: Problem,
  start: Schedule,
  { seed, signal }: RepairContext,
): Promise<Schedule> {
  for (const iterations of LIMIT_SEARCHES) {
    try {
      const budget = { iterations };
      return (await optimize(given, { start, objective: 'makespan', budget, seed, signal }))
        .schedule;
    } catch (error) {
      if (!isWithoutSchedule(error)) throw error;
      if (error.code === 'no_feasible_schedule') break;
    }
  }
  return start;
}
