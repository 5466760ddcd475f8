import { monotonicSeconds } from '../core/clock.js';
import { AlasError, InputError } from '../core/errors.js';
import {
  anyOf,
  type Budget,
  type BudgetLike,
  budgetCriterion,
  type SearchState,
  type StoppingCriterion,
  toBudget,
} from '../core/stopping.js';
import type { Instance } from '../jssp/instance.js';
import { type Objective, objectives } from '../jssp/objectives.js';
import { createSchedule, type Schedule } from '../jssp/schedule.js';
import { refuseInfeasible } from './bounds/infeasibility.js';
import { dispatch } from './construct/dispatch.js';
import { orderByTime } from './evolution/solution.js';
import { createProblem, type Problem } from './problem.js';
import { type Islands, startSearch } from './threads/islands.js';
import { type ProvenBound, type Prover, proveBefore, proveBeside } from './threads/prover.js';

/**
 * A small population converges soon, which short runs and large instances need; long runs restart
 * with larger ones. Chosen by `bench/search.mjs` on swv01–05, ta01–10, dmu01–04, la and generated
 * instances.
 */
const SETTINGS = { population: 6, largest: 30, cutoff: 3000 };

/**
 * Up to so many operations a dispatching rule takes milliseconds: its schedule is what a search has
 * that is stopped before it has a better one.
 */
const MOST_DISPATCHED = 10_000;

/** How a search ended. */
export type OptimizeStatus =
  /** The objective equals a lower bound: `lowerBound` says who proves it. */
  | 'optimal'
  /** The stopping criterion was met. */
  | 'feasible'
  /** The caller aborted it. */
  | 'interrupted';

/** A better schedule than all before, which may be the one to start from. */
export interface Improvement {
  /** The value of the objective. */
  readonly value: number;
  readonly seconds: number;
  readonly iterations: number;
}

/** How far a search is. */
export interface OptimizeProgress extends SearchState {
  /** Populations that were given up because they brought nothing new. */
  readonly restarts: number;
  /** Solutions in the populations at work, one for each thread. */
  readonly population: number;
  /** The best lower bound so far. */
  readonly lowerBound: ProvenBound;
}

/** What to optimize for how long: `budget`, `stop` or `signal` ends it. */
export interface OptimizeOptions {
  /**
   * What the search may use, such as `'10s'` or `{ iterations: 200_000 }`. With iterations, it ends
   * by itself after exactly so many, or with the slice of iterations that meets the bound which
   * propagation proves before the search begins: equal runs are equal, unless the rest of the
   * budget, `stop` or `signal` ends them.
   */
  readonly budget?: BudgetLike | undefined;
  /** A criterion of your own; asked every few milliseconds, heeded as soon as there is a schedule. */
  readonly stop?: StoppingCriterion | undefined;
  /** @deprecated Say `budget: { iterations }`. */
  readonly iterations?: number | undefined;
  /** What to minimise. Default `makespan`. */
  readonly objective?: Objective | undefined;
  /**
   * A schedule to start from: its machine orders count, timed anew. If it is feasible, the result
   * is never worse.
   */
  readonly start?: Schedule | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
  /**
   * Searches side by side, each in a thread. Default 1: in the calling thread, which lets others
   * work now and then, unless the instance has more than 1,500 operations.
   */
  readonly threads?: number | undefined;
  /**
   * Whether a further thread proves lower bounds beside the search: for as long as it may up to 225
   * operations, and for some tenths of a second beyond. If not, propagation proves what it can
   * before the search begins. Default true, and of no account if the budget has iterations, which
   * need the same bound every time.
   */
  readonly provesBeside?: boolean | undefined;
  /**
   * Ends the search within 50 ms, and the time it takes to make a schedule of its best: that
   * matters beyond 10,000 operations. Only there may there be no schedule yet, and none to start
   * from: then, or if it is aborted beforehand, the promise is rejected with the signal's reason.
   */
  readonly signal?: AbortSignal | undefined;
  /** A lower bound that is known from elsewhere, and who proved it. */
  readonly bound?: ProvenBound | undefined;
  readonly onImprovement?: ((improvement: Improvement) => void) | undefined;
  /** Told how far the search is, many times a second, also before there is a schedule. */
  readonly onProgress?: ((progress: OptimizeProgress) => void) | undefined;
}

/** The best schedule that was found, and what is known about it. */
export interface OptimizeResult {
  readonly schedule: Schedule;
  /** The value of the objective. */
  readonly value: number;
  readonly status: OptimizeStatus;
  readonly lowerBound: ProvenBound;
  readonly stats: {
    readonly seconds: number;
    readonly iterations: number;
    readonly restarts: number;
    readonly threads: number;
    /**
     * What ended each thread that died, for want of memory as a rule: the search went on with the
     * others, or ended with what it had if there were none.
     */
    readonly lost: readonly unknown[];
  };
}

/**
 * Searches for a schedule of small makespan or total weighted tardiness: tabu search over N6 within
 * an evolution of a small population, in one or several threads. Anytime: stopped or aborted, it
 * returns its best so far. It stops by itself when the objective meets a lower bound, which is
 * proven beside the search or, if iterations count, before it. Deadlines, and pinned operations
 * (frozen starts that are still to come), are limits: a schedule that breaks one is never returned.
 *
 * @throws AlasError `incomplete_start` if the schedule to start from is not complete or of another
 *   instance
 * @throws InputError `bad_option` if `threads`, `iterations` or `seed` is no whole number or too
 *   small, there is no such objective, or nothing that ends it; `bad_budget` as `toBudget` does
 * @throws AlasError `no_feasible_schedule` if every schedule found breaks a limit, or at once if
 *   frozen starts contradict each other or a job alone misses its deadline
 * @throws the reason of the signal if it is aborted before there is a schedule
 * @throws what ended the first thread if all died before they had found any
 */
export async function optimize(
  instance: Instance,
  options: OptimizeOptions,
): Promise<OptimizeResult> {
  const { start, signal, threads = 1, seed = 0 } = options;
  checkWhole('threads', threads, 1);
  checkWhole('seed', seed, 0);
  checkObjective(options.objective);
  const { iterations, stop } = endOf(options);
  if (instance.operations === 0) return nothingToDo(instance);
  if (start === undefined) signal?.throwIfAborted();
  const began = monotonicSeconds();
  refuseInfeasible(instance);
  const problem = createProblem(instance, options.objective ?? 'makespan');
  const warmStart = start === undefined ? null : orderOf(instance, start);
  // A start is not believed, but timed anew: it may be the plan of before a disruption.
  const timed = warmStart === null ? firstSchedule(problem) : problem.scheduleOf(warmStart);
  const first = withValue(problem, timed);
  const counts = iterations !== undefined;
  const isBeside = !counts && (options.provesBeside ?? true);
  const isOver = () => {
    const state = { seconds: monotonicSeconds() - began, iterations: 0, idle: 0 };
    return signal?.aborted || (!counts && stop({ ...state, best: first.value }));
  };
  const prover = isBeside
    ? proveBeside(problem, options.bound)
    : await proveBefore(problem, options.bound, isOver);
  const search = startSearch(problem, {
    threads,
    settings: {
      ...SETTINGS,
      seed,
      iterations: counts ? Math.max(1, iterations) : Number.POSITIVE_INFINITY,
    },
    warmStart,
    // It is this thread that sees when a bound is met that may rise.
    goal: isBeside ? Number.NEGATIVE_INFINITY : prover.bound.value,
  });
  try {
    const status = await drive(search, prover, first.value, began, { ...options, counts, stop });
    const order = search.bestOrder();
    const found = withValue(problem, order === null ? null : problem.scheduleOf(order));
    const { schedule, value } = found.value < first.value ? found : first;
    if (schedule === null || value === Number.POSITIVE_INFINITY) {
      signal?.throwIfAborted();
      refuseLimits(instance);
    }
    const lowerBound = prover.bound;
    const { restarts, iterations } = search.progress;
    return {
      schedule,
      value,
      status: value === lowerBound.value ? 'optimal' : status,
      lowerBound,
      stats: {
        seconds: monotonicSeconds() - began,
        iterations,
        restarts,
        threads,
        lost: prover.failure === null ? search.lost : [...search.lost, prover.failure],
      },
    };
  } finally {
    search.close();
    prover.close();
  }
}

/** Lets the search work until there is a schedule and a reason to stop. */
async function drive(
  search: Islands,
  prover: Prover,
  first: number,
  began: number,
  options: OptimizeOptions & { readonly counts: boolean; readonly stop: StoppingCriterion },
): Promise<OptimizeStatus> {
  const { counts, stop, signal, onImprovement, onProgress } = options;
  let shown = Number.POSITIVE_INFINITY;
  for (;;) {
    const best = Math.min(search.cost, first);
    const { iterations, idle, restarts, population } = search.progress;
    const state = { seconds: monotonicSeconds() - began, iterations, idle, best };
    if (best < shown) {
      shown = best;
      onImprovement?.({ value: best, seconds: state.seconds, iterations });
    }
    onProgress?.({ ...state, restarts, population, lowerBound: prover.bound });
    if (search.cost === Number.POSITIVE_INFINITY && search.ended && search.lost.length > 0) {
      throw search.lost[0];
    }
    // A search at work has a schedule, be it one that breaks limits.
    if (best < Number.POSITIVE_INFINITY || iterations > 0) {
      if (signal?.aborted) return 'interrupted';
      if (search.ended || stop(state)) return 'feasible';
      if (!counts && best <= prover.bound.value) return 'feasible';
      // Not before the search is at work: its threads start sooner without another.
      if (iterations > 0) prover.tell(best);
    }
    signal?.throwIfAborted();
    await search.work();
  }
}

/** The schedule's machine orders as an order of all operations; jobs keep their order in any event. */
function orderOf({ name, operations, jobOf }: Instance, { start }: Schedule): Int32Array {
  if (start.length !== operations || start.includes(-1)) {
    throw new AlasError(
      'incomplete_start',
      `a search of ${name} cannot start from an incomplete schedule, or one of another instance`,
    );
  }
  const times = start.slice();
  for (let op = 1; op < operations; op++) {
    if (jobOf[op - 1] === jobOf[op]) times[op] = Math.max(times[op], times[op - 1]);
  }
  return orderByTime(times);
}

/** A schedule at once, for all but large instances. */
function firstSchedule({ given, instance, scheduleOf }: Problem): Schedule | null {
  if (given.operations > MOST_DISPATCHED) return null;
  return scheduleOf(orderByTime(dispatch(instance, { rule: 'mwkr' }).start));
}

function withValue(problem: Problem, schedule: Schedule | null) {
  const value = schedule === null ? Number.POSITIVE_INFINITY : problem.valueOf(schedule);
  return { schedule, value };
}

function refuseLimits({ name }: Instance): never {
  throw new AlasError(
    'no_feasible_schedule',
    `no schedule of ${name} was found that keeps every deadline and every pinned start`,
  );
}

/** When a search ends: iterations, which it counts by itself, and all that is asked on the way. */
function endOf(options: OptimizeOptions) {
  const budget: Budget = options.budget === undefined ? {} : toBudget(options.budget);
  const { iterations = options.iterations, seconds, target } = budget;
  checkWhole('iterations', iterations ?? 0, 0);
  const criteria = [
    ...(seconds === undefined && target === undefined
      ? []
      : [budgetCriterion({ seconds, target })]),
    ...(options.stop === undefined ? [] : [options.stop]),
  ];
  if (criteria.length === 0 && iterations === undefined && options.signal === undefined) {
    throw new InputError('bad_option', 'nothing ends the search', "give a budget, such as '10s'");
  }
  return { iterations, stop: anyOf(criteria) };
}

function nothingToDo(instance: Instance): OptimizeResult {
  return {
    schedule: createSchedule(instance, new Int32Array()),
    value: 0,
    status: 'optimal',
    lowerBound: { value: 0, source: 'job length' },
    stats: { seconds: 0, iterations: 0, restarts: 0, threads: 0, lost: [] },
  };
}

function checkWhole(name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return;
  throw new InputError(
    'bad_option',
    `${name} is ${value}`,
    `use a whole number from ${least}`,
    {},
    value,
  );
}

function checkObjective(objective: Objective | undefined): void {
  if (objective === undefined || objectives.includes(objective)) return;
  throw new InputError(
    'bad_option',
    `there is no objective '${objective}'`,
    `use ${objectives.join(' or ')}`,
    {},
    objective,
  );
}
