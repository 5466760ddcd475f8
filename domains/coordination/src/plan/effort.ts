import { type BudgetLike, budgetCriterion, toBudget } from 'alas-jssp/core';

/** The limits of a search, and who hears of it. */
export interface EffortOptions {
  /** The budget, such as `'10s'`, `'200k-iterations'` or `{ target: 87 }`, as in alas-jssp; 10 seconds unless said. */
  readonly budget?: BudgetLike;
  /** Equal seeds and iterations give equal plans; equal seconds may not. Default 0. */
  readonly seed?: number;
  /** Ends the search with the best so far. */
  readonly signal?: AbortSignal;
  readonly onImprovement?: (improvement: {
    readonly cost: number;
    readonly seconds: number;
    readonly iterations: number;
  }) => void;
}

/** The effort that a search has spent of its budget. */
export interface Effort {
  readonly seed: number;
  /** Rounds of ruin and recreate, and states looked at. */
  readonly iterations: number;
  /** Counts one more iteration. */
  count(): void;
  seconds(): number;
  /** Part of the time or iterations that is used up; 0 to 1. */
  share(): number;
  isOver(): boolean;
  /** Tells of a better plan. */
  improve(cost: number): void;
}

/**
 * Begins to count the effort of a search.
 *
 * @throws InputError `bad_budget` if the budget is none
 */
export function startEffort({
  budget = '10s',
  seed = 0,
  signal,
  onImprovement,
}: EffortOptions): Effort {
  const limits = toBudget(budget);
  const isUsedUp = budgetCriterion(limits);
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  let [iterations, best, improved] = [0, Number.POSITIVE_INFINITY, 0];
  return {
    seed,
    get iterations() {
      return iterations;
    },
    count: () => void iterations++,
    seconds,
    share: () =>
      Math.min(
        1,
        Math.max(
          seconds() / (limits.seconds ?? Number.POSITIVE_INFINITY),
          iterations / (limits.iterations ?? Number.POSITIVE_INFINITY),
        ),
      ),
    isOver: () =>
      signal?.aborted === true ||
      isUsedUp({ seconds: seconds(), iterations, idle: iterations - improved, best }),
    improve: (cost) => {
      [best, improved] = [cost, iterations];
      onImprovement?.({ cost, seconds: seconds(), iterations });
    },
  };
}
