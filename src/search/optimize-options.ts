import { InputError } from '../core/errors.js';
import {
  anyOf,
  type Budget,
  type BudgetLike,
  budgetCriterion,
  type SearchState,
  type StoppingCriterion,
  toBudget,
} from '../core/stopping.js';
import type { ProvenBound } from '../jssp/bounds.js';
import { type Objective, objectives } from '../jssp/objectives.js';
import type { Schedule } from '../jssp/schedule.js';

/** A better schedule than all before, which may be the one to start from. */
export interface Improvement {
  /** The value of the objective. */
  readonly value: number;
  readonly seconds: number;
  readonly iterations: number;
  /** Makes the schedule, or one that is better still: to be called at once. */
  schedule(): Schedule;
}

/** The progress of a search. */
export interface OptimizeProgress extends SearchState {
  /** Populations that were given up because they brought nothing new. */
  readonly restarts: number;
  /** Solutions in the populations at work, one for each thread. */
  readonly population: number;
  /** The best lower bound so far. */
  readonly lowerBound: ProvenBound;
}

/** Options of a search; `budget`, `stop` or `signal` ends it. */
export interface OptimizeOptions {
  /**
   * The budget of the search, such as `'10s'` or `{ iterations: 200_000 }`. With iterations, it ends
   * by itself after exactly so many, or with the slice of iterations that meets the bound which
   * propagation proves before the search begins: equal runs are equal, unless the rest of the
   * budget, `stop` or `signal` ends them.
   */
  readonly budget?: BudgetLike | undefined;
  /** A criterion of your own, asked every few milliseconds; it counts once there is a schedule. */
  readonly stop?: StoppingCriterion | undefined;
  /** @deprecated Say `budget: { iterations }`. */
  readonly iterations?: number | undefined;
  /** The value to minimise. Default `makespan`. */
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
   * Whether a further thread proves lower bounds during the search: for as long as it may up to 225
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

/**
 * The end of a search: the iterations that it counts by itself, and a criterion asked on the way.
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

/** Refuses a number that is not whole or too small. */
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

/** Refuses an objective that there is not. */
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
