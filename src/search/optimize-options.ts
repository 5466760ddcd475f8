import { InputError } from '@alas-jssp/core/errors';
import {
  anyOf,
  type Budget,
  type BudgetLike,
  budgetCriterion,
  type SearchState,
  type StoppingCriterion,
  toBudget,
} from '@alas-jssp/core/stopping';
import type { ProvenBound } from '../jssp/bounds.js';
import { type Objective, objectives } from '../jssp/objectives.js';
import type { Schedule } from '../jssp/schedule.js';

/** A schedule that is better than all earlier ones; the first one may be the start schedule. */
export interface Improvement {
  /** The value of the objective. */
  readonly value: number;
  readonly seconds: number;
  readonly iterations: number;
  /** Makes the schedule, or an even better one; must be called immediately. */
  schedule(): Schedule;
}

/** The progress of a search. */
export interface OptimizeProgress extends SearchState {
  /** Populations that were abandoned because they brought no improvement. */
  readonly restarts: number;
  /** Solutions in the current populations, one for each thread. */
  readonly population: number;
  /** The best lower bound so far. */
  readonly lowerBound: ProvenBound;
}

/** Options of a search; `budget`, `stop` or `signal` ends it. */
export interface OptimizeOptions {
  /**
   * The budget of the search, such as `'10s'` or `{ iterations: 200_000 }`. With iterations, the search ends after
   * exactly that many, or after the slice of iterations that reaches the bound proven by propagation beforehand. So
   * equal calls have equal results, unless another part of the budget, `stop` or `signal` ends them.
   */
  readonly budget?: BudgetLike | undefined;
  /** A custom criterion, polled every few milliseconds; it takes effect once there is a schedule. */
  readonly stop?: StoppingCriterion | undefined;
  /** @deprecated Use `budget: { iterations }`. */
  readonly iterations?: number | undefined;
  /** The objective. Default `makespan`. */
  readonly objective?: Objective | undefined;
  /**
   * A schedule to start from: its machine orders are used, and timed again. If it is feasible, the result is never
   * worse.
   */
  readonly start?: Schedule | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
  /**
   * Parallel searches, each in a thread. Default 1: the search runs in the calling thread and yields periodically, or
   * in its own thread for more than 1,500 operations.
   */
  readonly threads?: number | undefined;
  /**
   * Whether a further thread proves lower bounds during the search: without a time limit for up to 225 operations, and
   * for some tenths of a second for more. If not, propagation proves bounds before the search begins. Default true;
   * ignored if the budget has iterations, which need the same bound every time.
   */
  readonly provesBeside?: boolean | undefined;
  /**
   * Ends the search within 50 ms, plus the time to convert its best order to a schedule, which matters beyond 10,000
   * operations. Only for such large instances it is possible that there is no schedule yet: then, or if the signal is
   * already aborted at the call, the promise is rejected with the signal's reason.
   */
  readonly signal?: AbortSignal | undefined;
  /** A lower bound from another source, and its proof. */
  readonly bound?: ProvenBound | undefined;
  readonly onImprovement?: ((improvement: Improvement) => void) | undefined;
  /** Receives the progress of the search, many times a second, also before there is a schedule. */
  readonly onProgress?: ((progress: OptimizeProgress) => void) | undefined;
}

/**
 * The end of a search: its exact number of iterations, and a criterion that is polled.
 *
 * @throws InputError as `optimize` does
 */
export function searchEnd(options: OptimizeOptions): {
  readonly iterations: number | undefined;
  /** The seconds of the budget; Infinity if it has none. */
  readonly seconds: number;
  readonly stop: StoppingCriterion;
} {
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
  return { iterations, seconds: seconds ?? Number.POSITIVE_INFINITY, stop: anyOf(criteria) };
}

/** Refuses a number that is not an integer, or too small. */
export function checkWhole(name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return;
  throw new InputError(
    'bad_option',
    `${name} is ${value}`,
    `use a whole number from ${least}`,
    {},
    value,
  );
}

/** Refuses an unknown objective. */
export function checkObjective(objective: Objective | undefined): void {
  if (objective === undefined || objectives.includes(objective)) return;
  throw new InputError(
    'bad_option',
    `there is no objective '${objective}'`,
    `use ${objectives.join(' or ')}`,
    {},
    objective,
  );
}
