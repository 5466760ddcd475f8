import { monotonicSeconds } from '../core/clock.js';
import { AlasError } from '../core/errors.js';
import { anyOf, type SearchState, type StoppingCriterion } from '../core/stopping.js';
import type { Instance } from '../jssp/instance.js';
import { createSchedule, type Schedule } from '../jssp/schedule.js';
import { strongLowerBound } from './bounds/strong-lower-bound.js';
import { type Islands, startSearch } from './islands.js';
import { createProblem } from './problem.js';
import { orderByTime } from './solution.js';

/**
 * A small population converges soon, which short runs and large instances need; long runs restart
 * with larger ones. Chosen by `bench/search.mjs` on swv01–05, ta01–10, dmu01–04, la and generated
 * instances.
 */
const SETTINGS = { population: 6, largest: 30, cutoff: 3000 };

/** How a search ended. */
export type OptimizeStatus =
  /** The makespan equals a lower bound. */
  | 'optimal'
  /** The stopping criterion was met. */
  | 'feasible'
  /** The caller aborted it. */
  | 'interrupted';

/** A better schedule than all before. */
export interface Improvement {
  readonly makespan: number;
  readonly seconds: number;
  readonly iterations: number;
}

/** What to optimize for how long. */
export interface OptimizeOptions {
  /** When to stop; looked at every few milliseconds. */
  readonly stop: StoppingCriterion;
  /** Ends by itself after so many iterations, exactly, so that equal runs are equal. */
  readonly iterations?: number | undefined;
  /** A feasible schedule to start from; the result is never worse. */
  readonly start?: Schedule | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
  /** Threads at work. Default 1: the calling thread, which lets others work now and then. */
  readonly threads?: number | undefined;
  /** Ends the search early; the best so far is returned. */
  readonly signal?: AbortSignal | undefined;
  /** A lower bound that is known from elsewhere, and who proved it. */
  readonly bound?: { readonly value: number; readonly source: string } | undefined;
  readonly onImprovement?: ((improvement: Improvement) => void) | undefined;
  /** Told how far the search is, many times a second. */
  readonly onProgress?: ((state: SearchState & { restarts: number }) => void) | undefined;
}

/** The best schedule that was found, and what is known about it. */
export interface OptimizeResult {
  readonly schedule: Schedule;
  readonly status: OptimizeStatus;
  readonly lowerBound: { readonly value: number; readonly source: string };
  readonly stats: {
    readonly seconds: number;
    readonly iterations: number;
    readonly restarts: number;
    readonly threads: number;
  };
}

/**
 * Searches for a schedule of small makespan: tabu search over N6 within an evolution of a small
 * population, in one or several threads. Anytime: stopped or aborted, it returns its best so far.
 * It stops by itself when the makespan meets the bound that constraint propagation proves at its
 * start; {@link strongLowerBound} can prove more in more time.
 *
 * @throws AlasError `incomplete_start` if the schedule to start from is not complete
 */
export async function optimize(
  instance: Instance,
  options: OptimizeOptions,
): Promise<OptimizeResult> {
  if (instance.operations === 0) return nothingToDo(instance);
  const began = monotonicSeconds();
  const threads = options.threads ?? 1;
  const bound = strongest(strongLowerBound(instance, { maxNodes: 0 }), options.bound);
  const problem = createProblem(instance, 'makespan');
  const search = startSearch(problem, {
    threads,
    settings: { ...SETTINGS, seed: options.seed ?? 0 },
    warmStart: options.start === undefined ? null : orderOf(options.start),
    iterations: options.iterations ?? null,
  });
  try {
    const status = await drive(search, bound.value, began, options);
    const schedule = problem.scheduleOf(search.bestOrder());
    const { iterations, restarts } = search.progress;
    const seconds = monotonicSeconds() - began;
    const best = betterOf(schedule, options.start);
    return {
      schedule: best,
      status: best.makespan === bound.value ? 'optimal' : status,
      lowerBound: bound,
      stats: { seconds, iterations, restarts, threads },
    };
  } finally {
    await search.close();
  }
}

/** Lets the search work until there is a schedule and a reason to stop. */
async function drive(
  search: Islands,
  bound: number,
  began: number,
  { stop, signal, onImprovement, onProgress }: OptimizeOptions,
): Promise<OptimizeStatus> {
  const isOver = anyOf([stop, ({ best }) => best <= bound]);
  let shown = Number.POSITIVE_INFINITY;
  for (;;) {
    await search.work();
    const best = search.cost;
    const { iterations, idle, restarts } = search.progress;
    const state = { seconds: monotonicSeconds() - began, iterations, idle, best };
    if (best < shown) {
      shown = best;
      onImprovement?.({ makespan: best, seconds: state.seconds, iterations });
    }
    onProgress?.({ ...state, restarts });
    if (best === Number.POSITIVE_INFINITY) continue;
    if (signal?.aborted) return 'interrupted';
    if (search.ended || isOver(state)) return 'feasible';
  }
}

function strongest(
  own: OptimizeResult['lowerBound'],
  known: OptimizeOptions['bound'],
): OptimizeResult['lowerBound'] {
  return known !== undefined && known.value > own.value ? known : own;
}

/** The schedule's machine orders as an order of all operations. */
function orderOf({ instance, start }: Schedule): Int32Array {
  if (start.includes(-1)) {
    throw new AlasError(
      'incomplete_start',
      `a search of ${instance.name} cannot start from an incomplete schedule`,
    );
  }
  return orderByTime(start);
}

function betterOf(found: Schedule, start: Schedule | undefined): Schedule {
  return start !== undefined && start.makespan < found.makespan ? start : found;
}

function nothingToDo(instance: Instance): OptimizeResult {
  return {
    schedule: createSchedule(instance, new Int32Array()),
    status: 'optimal',
    lowerBound: { value: 0, source: 'job length' },
    stats: { seconds: 0, iterations: 0, restarts: 0, threads: 0 },
  };
}
