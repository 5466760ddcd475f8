import { InputError } from './errors.js';
import { isObject } from './json-path.js';

/** The progress of a search. */
export interface SearchState {
  /** Seconds since the search began. */
  readonly seconds: number;
  readonly iterations: number;
  /** Iterations since the last improvement. */
  readonly idle: number;
  /** The best objective so far; Infinity if there is no solution yet. */
  readonly best: number;
}

/** Decides whether a search should stop. */
export type StoppingCriterion = (state: SearchState) => boolean;

/** Stops after `limit` seconds. */
export function maxSeconds(limit: number): StoppingCriterion {
  return ({ seconds }) => seconds >= limit;
}

/** Stops after `limit` iterations. */
export function maxIterations(limit: number): StoppingCriterion {
  return ({ iterations }) => iterations >= limit;
}

/** Stops after `limit` iterations without an improvement. */
export function maxIdle(limit: number): StoppingCriterion {
  return ({ idle }) => idle >= limit;
}

/** Stops when the objective reaches the target. */
export function atTarget(target: number): StoppingCriterion {
  return ({ best }) => best <= target;
}

/** Stops when any of the criteria does. */
export function anyOf(criteria: readonly StoppingCriterion[]): StoppingCriterion {
  return (state) => criteria.some((criterion) => criterion(state));
}

/**
 * The limits of a search, which ends when it reaches the first of them. Planning, repairing and optimizing take the
 * same budgets.
 */
export interface Budget {
  /** Wall-clock time; results then depend on the machine. */
  readonly seconds?: number | undefined;
  /** Steps of the search; equal searches have equal results. */
  readonly iterations?: number | undefined;
  /** An objective value that is good enough. */
  readonly target?: number | undefined;
}

/** A budget as an object, or as a text for {@link parseBudget}. */
export type BudgetLike = Budget | string;

// With an exponent, as JavaScript writes very small and large numbers.
const TIME = /^((?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)(ms|s|m|h)$/i;
const ITERATIONS = /^(\d+(?:\.\d+)?(?:e\+?\d+)?)(k|m)?-iterations$/i;
const TARGET = /^target:(\d+|\d(?:\.\d+)?e\+\d+)$/i;
const UNIT: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };
const MULTIPLE: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 };
const HINT = 'write it like 10s, 2m, 200k-iterations or target:1234';

/**
 * Parses a budget: `500ms`, `10s`, `2m`, `1h`, `200k-iterations`, `5m-iterations` or `target:1234`, or several of them
 * separated by commas: `10s,target:1234`.
 *
 * @throws InputError `bad_budget`
 */
export function parseBudget(text: string): Budget {
  const parts = text.split(',').map((part) => parsePart(part.trim()));
  const budget: Budget = Object.assign({}, ...parts);
  const isRight = parts.every((part) => part !== null);
  if (isRight && Object.keys(budget).length === parts.length) return budget;
  throw badBudget(`'${text}' is no budget`, text);
}

/** Parses one part of a budget; null if it is invalid. */
function parsePart(text: string): Budget | null {
  const time = TIME.exec(text);
  if (time !== null) {
    const seconds = Number(time[1]) * UNIT[time[2].toLowerCase()];
    return seconds > 0 ? { seconds } : null;
  }
  const iterations = ITERATIONS.exec(text);
  if (iterations !== null) {
    const multiple = MULTIPLE[iterations[2]?.toLowerCase()] ?? 1;
    const amount = Math.round(Number(iterations[1]) * multiple);
    return amount > 0 ? { iterations: amount } : null;
  }
  const target = TARGET.exec(text);
  return target === null ? null : { target: Number(target[1]) };
}

/**
 * Checks a budget.
 *
 * @throws InputError `bad_budget` if it limits nothing, has an unknown key, or has a limit that is not a number above 0
 *   (or 0, for the target)
 */
export function toBudget(given: BudgetLike): Budget {
  if (typeof given === 'string') return parseBudget(given);
  if (!isObject(given)) throw badBudget(`${given} is no budget`, given);
  const { seconds, iterations, target, ...others }: Budget = given;
  const [other] = Object.keys(others);
  if (other !== undefined) throw badBudget(`a budget has no '${other}'`, given);
  const amounts = Object.entries({ seconds, iterations, target }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  if (amounts.length === 0) throw badBudget('the budget limits nothing', given);
  for (const [name, value] of amounts) {
    const isWhole = name === 'seconds' || Number.isInteger(value);
    const isEnough = typeof value === 'number' && (value > 0 || (name === 'target' && value === 0));
    if (!isWhole || !isEnough) throw badBudget(`the budget has ${value} ${name}`, given);
  }
  return Object.fromEntries(amounts);
}

/** A budget in the notation of {@link parseBudget}. */
export function formatBudget({ seconds, iterations, target }: Budget): string {
  return [
    ...(seconds === undefined ? [] : [`${seconds}s`]),
    ...(iterations === undefined ? [] : [`${iterations}-iterations`]),
    ...(target === undefined ? [] : [`target:${target}`]),
  ].join(',');
}

/** The stopping criterion of a budget. */
export function budgetCriterion(given: BudgetLike): StoppingCriterion {
  const { seconds, iterations, target } = toBudget(given);
  return anyOf([
    ...(seconds === undefined ? [] : [maxSeconds(seconds)]),
    ...(iterations === undefined ? [] : [maxIterations(iterations)]),
    ...(target === undefined ? [] : [atTarget(target)]),
  ]);
}

function badBudget(problem: string, value: unknown): InputError {
  return new InputError('bad_budget', problem, HINT, {}, value);
}
