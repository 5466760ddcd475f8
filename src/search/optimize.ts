import { monotonicSeconds } from '@alas-jssp/core/clock';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import type { StoppingCriterion } from '@alas-jssp/core/stopping';
import type { ProvenBound } from '../jssp/bounds.js';
import { type Instance, replaceInstance } from '../jssp/instance.js';
import { objectiveOf } from '../jssp/objectives.js';
import { createSchedule, type Schedule } from '../jssp/schedule.js';
import { isClassic } from '../jssp/shop-parts.js';
import { tardinessLowerBound } from '../jssp/tardiness-bounds.js';
import { refuseInfeasible } from './bounds/infeasibility.js';
import { TIE_BREAK } from './costs.js';
import { usualTuning } from './evolution/evolution.js';
import { isSettled } from './evolution/settled.js';
import {
  firstFeasible,
  firstSchedule,
  scheduleIfAny,
  type Valued,
  withValue,
} from './first-schedule.js';
import { checkObjective, checkWhole, type OptimizeOptions, searchEnd } from './optimize-options.js';
import { createProblem, type Problem } from './problem.js';
import { solutionOfStart } from './solutions.js';
import { type Islands, startSearch } from './threads/islands.js';
import { type Prover, proveBeforehand, proveInParallel, quickBound } from './threads/prover.js';
import { hasThreads } from './threads/thread.js';
import { createTurns, secondsToYield } from './threads/turns.js';

/** The reason for the end of a search. */
export type OptimizeStatus =
  /** The objective equals a lower bound: `lowerBound` names its proof. */
  | 'optimal'
  /** The stopping criterion was met. */
  | 'feasible'
  /** The caller aborted it. */
  | 'interrupted';

/** The best schedule found, and its bounds. */
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
     * The error of each thread that died, usually because of lack of memory: the search continued with the others, or
     * ended with its best result if all threads died.
     */
    readonly lost: readonly unknown[];
  };
}

/**
 * Searches for a schedule of small makespan or total weighted tardiness: tabu search over N6 within an evolution of a
 * small population, in one or several threads. It is an anytime algorithm: when it is stopped or aborted, it returns
 * its best result so far. It stops by itself when the objective meets a lower bound, which is proven during the search
 * or, if iterations count, before it. When the tardiness meets its bound, the search continues for the makespan until
 * 10,000 iterations in a row bring no improvement. Deadlines, and pinned operations (frozen starts in the future), are
 * limits: a schedule that violates one is never returned.
 *
 * @throws AlasError `incomplete_start` if the schedule to start from is not complete or of another instance
 * @throws InputError `bad_option` if `threads`, `iterations` or `seed` is not an integer or too small, the objective is
 *   unknown, or nothing ends the search; `bad_budget` as `toBudget` does
 * @throws AlasError `no_feasible_schedule` if it is proven that every schedule violates a limit
 * @throws AlasError `none_found` if every schedule found violates a limit, but others may exist
 * @throws the reason of the signal if it is aborted before there is a schedule
 * @throws the error of the first thread if all died before they had found any
 */
export async function optimize(
  instance: Instance,
  options: OptimizeOptions,
): Promise<OptimizeResult> {
  const { start, signal, threads = 1, seed = 0 } = options;
  checkWhole('threads', threads, 1);
  if (threads > 1 && !hasThreads) throw noThreads(threads);
  checkWhole('seed', seed, 0);
  checkObjective(options.objective);
  const end = searchEnd(options);
  if (instance.operations === 0) return nothingToDo(instance);
  if (start === undefined) signal?.throwIfAborted();
  const simpler = withoutSingleModes(instance);
  if (simpler === instance) return search(instance, { ...options, threads, seed }, end);
  return optimizeAs(simpler, instance, options);
}

/** The refusal of threads where there are none. */
function noThreads(threads: number): InputError {
  const hint = 'use threads: 1, and a Web Worker for each search';
  return new InputError('bad_option', 'there are no threads in a browser', hint, {}, threads);
}

/** The search itself, after all checks. */
async function search(
  instance: Instance,
  options: OptimizeOptions & { readonly threads: number; readonly seed: number },
  { iterations, seconds, stop }: ReturnType<typeof searchEnd>,
): Promise<OptimizeResult> {
  const { start, signal, threads, seed } = options;
  const began = monotonicSeconds();
  refuseInfeasible(instance);
  const problem = createProblem(instance, options.objective ?? objectiveOf(instance));
  const warmStart = start === undefined ? null : solutionOfStart(instance, start);
  // The start schedule is timed again, because it may be the plan before a disruption.
  const timed = warmStart === null ? firstSchedule(problem) : scheduleIfAny(problem, warmStart);
  let first = withValue(problem, timed);
  const counts = iterations !== undefined;
  const isBeside = !counts && hasThreads && (options.provesBeside ?? true);
  const isOver = () => {
    const state = { seconds: monotonicSeconds() - began, iterations: 0, idle: 0 };
    return signal?.aborted || stop({ ...state, best: first.value });
  };
  if (first.value === Number.POSITIVE_INFINITY) first = firstFeasible(problem, isOver) ?? first;
  const prover = isBeside
    ? proveInParallel(problem, options.bound, threads)
    : await proveBeforehand(problem, options.bound, isOver);
  const aim = aimOf(problem, prover, counts ? options.bound : prover.bound);
  const islands = startSearch(problem, {
    threads,
    settings: {
      seed,
      tuning: usualTuning,
      iterations: counts ? Math.max(1, iterations) : Number.POSITIVE_INFINITY,
      leastTardiness: aim.leastTardiness,
    },
    warmStart,
    // This thread detects when a rising bound is met.
    goal: isBeside ? Number.NEGATIVE_INFINITY : aim.goal(),
  });
  try {
    const bestOf = (): Valued => {
      const order = islands.bestOrder();
      const found = withValue(problem, order === null ? null : scheduleIfAny(problem, order));
      return aim.costOf(found) < aim.costOf(first) ? found : first;
    };
    let seen: Int32Array | null = null;
    /** The cost of the schedule known before, or found by a proof. */
    const knownCost = () => {
      if (prover.solution !== null && prover.solution !== seen) {
        seen = prover.solution;
        const found = withValue(problem, scheduleIfAny(problem, seen));
        if (aim.costOf(found) < aim.costOf(first)) first = found;
      }
      return aim.costOf(first);
    };
    // Proofs of other shops also find schedules.
    const yields = isClassic(instance) ? secondsToYield(seconds) : Number.POSITIVE_INFINITY;
    const driven = { ...options, counts, seconds, yields, stop };
    const status = await drive(islands, prover, aim, [knownCost, bestOf], began, driven);
    const { restarts, iterations } = islands.progress;
    const { lost } = islands;
    // Its threads would slow down the conversion of the best order to a schedule.
    islands.close();
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
    islands.close();
    prover.close();
  }
}

/** The best possible result of a search, as costs of the kernel. */
interface Aim {
  /** A lower bound of the tardiness; null if the makespan counts. */
  readonly leastTardiness: number | null;
  /** A lower bound of the cost. */
  goal(): number;
  costOf(found: Valued): number;
}

/**
 * The aim of a search.
 *
 * @param known a bound to use in addition to those of single jobs. Better proofs must not change results of budgets in
 *   iterations, because logs of repairs contain them.
 */
function aimOf({ given, objective }: Problem, prover: Prover, known: ProvenBound | undefined): Aim {
  if (objective === 'makespan') {
    const goal = () => prover.bound.value;
    return { leastTardiness: null, goal, costOf: ({ value }) => value };
  }
  // No better bound on the tardiness will be proven later.
  const least = Math.max(tardinessLowerBound(given), known?.value ?? 0);
  const goal = least + TIE_BREAK * quickBound(given).value;
  return {
    leastTardiness: least,
    goal: () => goal,
    costOf: ({ value, schedule }) =>
      value > least ? value : value + TIE_BREAK * (schedule?.makespan ?? 0),
  };
}

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
    readonly yields: number;
    readonly stop: StoppingCriterion;
  },
): Promise<OptimizeStatus> {
  const { counts, seconds, stop, signal, onImprovement, onProgress } = options;
  let shown = Number.POSITIVE_INFINITY;
  const takeTurns = createTurns(search, prover, options.yields);
  for (;;) {
    const cost = Math.min(search.cost, knownCost());
    // The tie breaker is not part of the value.
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
    // A search in progress has a schedule, possibly one that violates limits.
    if (best < Number.POSITIVE_INFINITY || iterations > 0) {
      if (signal?.aborted) return 'interrupted';
      if (search.ended || stop(state)) return 'feasible';
      if (!counts && isSettled({ cost, idle }, aim.goal(), aim.leastTardiness)) return 'feasible';
      // Only after the search has started, because an additional thread would delay the start of its threads.
      if (iterations > 0) prover.reportMakespan(best);
      if (!counts) takeTurns(state.seconds);
    }
    signal?.throwIfAborted();
    // Results of budgets in iterations are repeatable, and must equal those in logs of repairs.
    if (!counts && seconds < Number.POSITIVE_INFINITY) {
      search.spend(Math.min(1, state.seconds / seconds));
    }
    await search.work();
  }
}

/** The instance without modes if each operation has one only, for which there are better searches and proofs. */
function withoutSingleModes(instance: Instance): Instance {
  const { modes, operations } = instance;
  if (modes === null || modes.machine.length > operations) return instance;
  return replaceInstance(instance, { modes: null });
}

/** Optimises an instance in the place of another one with the same operations. */
async function optimizeAs(
  simpler: Instance,
  instance: Instance,
  options: OptimizeOptions,
): Promise<OptimizeResult> {
  const back = ({ start }: Schedule) => createSchedule(instance, start);
  const { start, onImprovement } = options;
  const result = await optimize(simpler, {
    ...options,
    start: start && createSchedule(simpler, start.start),
    onImprovement:
      onImprovement &&
      ((found) => onImprovement({ ...found, schedule: () => back(found.schedule()) })),
  });
  return { ...result, schedule: back(result.schedule) };
}

/** Whether an error of {@link optimize} means that there is no schedule within the limits, or that none was found. */
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
