import { InputError } from './errors.js';

/** How far a search is. */
export interface SearchState {
  /** Seconds since the search began. */
  readonly seconds: number;
  readonly iterations: number;
  /** Iterations since the last improvement. */
  readonly idle: number;
  /** The best objective so far; Infinity before there is one. */
  readonly best: number;
}

/** Tells whether a search should stop. */
export type StoppingCriterion = (state: SearchState) => boolean;

/** Stops after so many seconds. */
export function maxSeconds(limit: number): StoppingCriterion {
  return ({ seconds }) => seconds >= limit;
}

/** Stops after so many iterations. */
export function maxIterations(limit: number): StoppingCriterion {
  return ({ iterations }) => iterations >= limit;
}

/** Stops after so many iterations without an improvement. */
export function maxIdle(limit: number): StoppingCriterion {
  return ({ idle }) => idle >= limit;
}

/** Stops when the objective is as good as wanted. */
export function atTarget(target: number): StoppingCriterion {
  return ({ best }) => best <= target;
}

/** Stops when any of several criteria says so. */
export function anyOf(criteria: readonly StoppingCriterion[]): StoppingCriterion {
  return (state) => criteria.some((criterion) => criterion(state));
}

/** What a search may use: seconds, iterations, or all it takes to reach a target. */
export type Budget =
  | { readonly kind: 'seconds'; readonly amount: number }
  | { readonly kind: 'iterations'; readonly amount: number }
  | { readonly kind: 'target'; readonly amount: number };

const TIME = /^(\d+(?:\.\d+)?|\.\d+)(ms|s|m|h)$/i;
const ITERATIONS = /^(\d+(?:\.\d+)?)(k|m)?-iterations$/i;
const TARGET = /^target:(\d+)$/i;
const UNIT: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };
const MULTIPLE: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 };

/**
 * Reads a budget as the command line takes it: `500ms`, `10s`, `2m`, `1h`, `200k-iterations`,
 * `5m-iterations` or `target:1234`.
 *
 * @throws InputError `bad_budget`
 */
export function parseBudget(text: string): Budget {
  const time = TIME.exec(text);
  if (time !== null) {
    const seconds = Number(time[1]) * UNIT[time[2].toLowerCase()];
    if (seconds > 0) return { kind: 'seconds', amount: seconds };
  }
  const iterations = ITERATIONS.exec(text);
  if (iterations !== null) {
    const multiple = MULTIPLE[iterations[2]?.toLowerCase()] ?? 1;
    const amount = Math.round(Number(iterations[1]) * multiple);
    if (amount > 0) return { kind: 'iterations', amount };
  }
  const target = TARGET.exec(text);
  if (target !== null) return { kind: 'target', amount: Number(target[1]) };
  throw new InputError(
    'bad_budget',
    `'${text}' is no budget`,
    'write it like 10s, 2m, 200k-iterations or target:1234',
    {},
    text,
  );
}

/** The criterion that a budget stands for. */
export function budgetCriterion({ kind, amount }: Budget): StoppingCriterion {
  if (kind === 'seconds') return maxSeconds(amount);
  return kind === 'iterations' ? maxIterations(amount) : atTarget(amount);
}
