import { monotonicSeconds } from '../core/clock.js';
import { AlasError } from '../core/errors.js';
import type { StoppingCriterion } from '../core/stopping.js';
import type { ProvenBound } from '../jssp/bounds.js';
import type { Instance } from '../jssp/instance.js';
import { objectiveOf } from '../jssp/objectives.js';
import { createSchedule, type Schedule } from '../jssp/schedule.js';
import { tardinessLowerBound } from '../jssp/tardiness-bounds.js';
import { refuseInfeasible } from './bounds/infeasibility.js';
import { TIE_BREAK } from './costs.js';
import { usualTuning } from './evolution/evolution.js';
import { isSettled } from './evolution/settled.js';
import { orderByTime } from './evolution/solution.js';
import { firstFeasible, firstSchedule, type Valued, withValue } from './first-schedule.js';
import { checkObjective, checkWhole, type OptimizeOptions, searchEnd } from './optimize-options.js';
import { createProblem, type Problem } from './problem.js';
import { type Islands, startSearch } from './threads/islands.js';
import { type Prover, proveBeforehand, proveInParallel, quickBound } from './threads/prover.js';

/** The end of a search. */
export type OptimizeStatus =
  /** The objective equals a lower bound: `lowerBound` says who proves it. */
  | 'optimal'
  /** The stopping criterion was met. */
  | 'feasible'
  /** The caller aborted it. */
  | 'interrupted';

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
     * The reason why each thread died that did, for want of memory as a rule: the search went on with the
     * others, or ended with what it had if there were none.
     */
    readonly lost: readonly unknown[];
  };
}

/**
 * Searches for a schedule of small makespan or total weighted tardiness: tabu search over N6 within
 * an evolution of a small population, in one or several threads. Anytime: stopped or aborted, it
 * returns its best so far. It stops by itself when the objective meets a lower bound, which is
 * proven during the search or, if iterations count, before it. A tardiness that meets its bound is
 * kept while the makespan is searched on, for 10,000 iterations beyond the last that brought
 * anything. Deadlines, and pinned operations (frozen starts that are still to come), are limits: a
 * schedule that breaks one is never returned.
 *
 * @throws AlasError `incomplete_start` if the schedule to start from is not complete or of another
 *   instance
 * @throws InputError `bad_option` if `threads`, `iterations` or `seed` is no whole number or too
 *   small, there is no such objective, or nothing that ends it; `bad_budget` as `toBudget` does
 * @throws AlasError `no_feasible_schedule` if it is proven that every schedule breaks a limit
 * @throws AlasError `none_found` if every schedule that was found breaks a limit, and there may be others
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
  const { iterations, seconds, stop } = searchEnd(options);
  if (instance.operations === 0) return nothingToDo(instance);
  if (start === undefined) signal?.throwIfAborted();
  const began = monotonicSeconds();
  refuseInfeasible(instance);
  const problem = createProblem(instance, options.objective ?? objectiveOf(instance));
  const warmStart = start === undefined ? null : orderOf(instance, start);
  // A start is timed anew: it may be the plan of before a disruption.
  const timed = warmStart === null ? firstSchedule(problem) : problem.scheduleOf(warmStart);
  let first = withValue(problem, timed);
  const counts = iterations !== undefined;
  const isBeside = !counts && (options.provesBeside ?? true);
  const isOver = () => {
    const state = { seconds: monotonicSeconds() - began, iterations: 0, idle: 0 };
    return signal?.aborted || stop({ ...state, best: first.value });
  };
  if (first.value === Number.POSITIVE_INFINITY) first = firstFeasible(problem, isOver) ?? first;
  const prover = isBeside
    ? proveInParallel(problem, options.bound, threads)
    : await proveBeforehand(problem, options.bound, isOver);
  const aim = aimOf(problem, prover, counts ? options.bound : prover.bound);
  const search = startSearch(problem, {
    threads,
    settings: {
      seed,
      tuning: usualTuning,
      iterations: counts ? Math.max(1, iterations) : Number.POSITIVE_INFINITY,
      leastTardiness: aim.leastTardiness,
    },
    warmStart,
    // It is this thread that sees when a bound is met that may rise.
    goal: isBeside ? Number.NEGATIVE_INFINITY : aim.goal(),
  });
  try {
    const bestOf = (): Valued => {
      const order = search.bestOrder();
      const found = withValue(problem, order === null ? null : problem.scheduleOf(order));
      return aim.costOf(found) < aim.costOf(first) ? found : first;
    };
    let seen: Int32Array | null = null;
    /** The cost of what was known before, or came to light in a proof. */
    const knownCost = () => {
      if (prover.schedule !== null && prover.schedule !== seen) {
        seen = prover.schedule;
        const found = withValue(problem, problem.scheduleOf(orderByTime(seen)));
        if (aim.costOf(found) < aim.costOf(first)) first = found;
      }
      return aim.costOf(first);
    };
    const driven = { ...options, counts, seconds, stop };
    const status = await drive(search, prover, aim, [knownCost, bestOf], began, driven);
    const { restarts, iterations } = search.progress;
    const { lost } = search;
    // Its threads would take from the time in which its best becomes a schedule.
    search.close();
    const { schedule, value } = bestOf();
    if (schedule === null || value === Number.POSITIVE_INFINITY) {
      signal?.throwIfAborted();
      throw new AlasError(
        'none_found',
        `no schedule of ${instance.name} was found that keeps every deadline and every pinned start; whether there is one is not known`,
      );
    }
    const lowerBound = prover.bound;
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
        lost: prover.failure === null ? lost : [...lost, prover.failure],
      },
    };
  } finally {
    search.close();
    prover.close();
  }
}

/** The best that a search may come to, in costs as the kernel counts them. */
interface Aim {
  /** A tardiness that cannot be less; null if the makespan counts. */
  readonly leastTardiness: number | null;
  /** A cost that cannot be less. */
  goal(): number;
  costOf(found: Valued): number;
}

/**
 * The aim of a search.
 *
 * @param told a bound that it may rely on beyond jobs alone. What budgets in iterations come to must not change
 *   with better proofs, since logs of repairs hold it.
 */
function aimOf({ given, objective }: Problem, prover: Prover, told: ProvenBound | undefined): Aim {
  if (objective === 'makespan') {
    const goal = () => prover.bound.value;
    return { leastTardiness: null, goal, costOf: ({ value }) => value };
  }
  // Nothing more will be proven of the tardiness.
  const least = Math.max(tardinessLowerBound(given), told?.value ?? 0);
  const goal = least + TIE_BREAK * quickBound(given).value;
  return {
    leastTardiness: least,
    goal: () => goal,
    costOf: ({ value, schedule }) =>
      value > least ? value : value + TIE_BREAK * (schedule?.makespan ?? 0),
  };
}

/** Seconds without any improvement, after which proofs get most of the time where they can close the gap. */
const PATIENCE = 2;

/** Lets the search work until there is a schedule and a reason to stop. */
async function drive(
  search: Islands,
  prover: Prover,
  aim: Aim,
  [knownCost, bestOf]: readonly [() => number, () => Valued],
  began: number,
  options: OptimizeOptions & {
    readonly counts: boolean;
    readonly seconds: number;
    readonly stop: StoppingCriterion;
  },
): Promise<OptimizeStatus> {
  const { counts, seconds, stop, signal, onImprovement, onProgress } = options;
  let shown = Number.POSITIVE_INFINITY;
  let searched = Number.POSITIVE_INFINITY;
  let improvedAt = 0;
  for (;;) {
    const cost = Math.min(search.cost, knownCost());
    // What breaks ties is no part of the value.
    const best = Math.floor(cost);
    const { iterations, idle, restarts, population } = search.progress;
    const state = { seconds: monotonicSeconds() - began, iterations, idle, best };
    if (best < shown) {
      shown = best;
      const schedule = () => bestOf().schedule as Schedule;
      onImprovement?.({ value: best, seconds: state.seconds, iterations, schedule });
    }
    onProgress?.({ ...state, restarts, population, lowerBound: prover.bound });
    if (search.cost === Number.POSITIVE_INFINITY && search.ended && search.lost.length > 0) {
      throw search.lost[0];
    }
    // A search at work has a schedule, be it one that breaks limits.
    if (best < Number.POSITIVE_INFINITY || iterations > 0) {
      if (signal?.aborted) return 'interrupted';
      if (search.ended || stop(state)) return 'feasible';
      if (!counts && isSettled({ cost, idle }, aim.goal(), aim.leastTardiness)) return 'feasible';
      // Not before the search is at work: its threads start sooner without another.
      if (iterations > 0) prover.tell(best);
      if (search.cost < searched) {
        searched = search.cost;
        improvedAt = state.seconds;
      }
      if (!counts) search.rest(state.seconds - improvedAt > PATIENCE && prover.press());
    }
    signal?.throwIfAborted();
    // Results of budgets in iterations are repeatable, and stay what logs of repairs hold.
    if (!counts && seconds < Number.POSITIVE_INFINITY) {
      search.spend(Math.min(1, state.seconds / seconds));
    }
    await search.work();
  }
}

/** The schedule's machine orders as an order of all operations; jobs keep their order in any event. */
function orderOf({ name, operations, jobOf }: Instance, { start }: Schedule): Int32Array {
  if (!(start instanceof Int32Array) || start.length !== operations || start.includes(-1)) {
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

/** Whether an error of {@link optimize} says that there is no schedule within the limits, or that none was found. */
export function isWithoutSchedule(error: unknown): error is AlasError {
  return error instanceof AlasError && ['no_feasible_schedule', 'none_found'].includes(error.code);
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
