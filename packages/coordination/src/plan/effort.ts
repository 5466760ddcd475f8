import { type BudgetLike, budgetCriterion, toBudget } from '@alas-jssp/core';

/** The limits of a search, and its progress callbacks. */
export interface EffortOptions {
  /** The budget, such as `'10s'`, `'200k-iterations'` or `{ target: 87 }`, as in alas-jssp. Default 10 seconds. */
  readonly budget?: BudgetLike;
  /** Equal seeds and iterations give equal plans; equal seconds may not. Default 0. */
  readonly seed?: number;
  /** Ends the search with the best plan so far. */
  readonly signal?: AbortSignal;
  readonly onImprovement?: (improvement: {
    readonly cost: number;
    readonly seconds: number;
    readonly iterations: number;
  }) => void;
}

/** The part of its budget that a search has used. */
export interface Effort {
  readonly seed: number;
  /** Iterations of ruin and recreate, and states examined. */
  readonly iterations: number;
  count(): void;
  seconds(): number;
  /** Used share of the time or iterations, 0 to 1. */
  share(): number;
  isOver(): boolean;
  /** Reports a better plan. */
  improve(cost: number): void;
}

/**
 * Starts to measure the effort of a search.
 *
 * @throws InputError `bad_budget` if the budget is malformed
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
