import { type Clock, systemClock } from '../core/clock.js';
import type { Usage } from './client.js';
import { LlmError } from './errors.js';

/** What a run may spend on models; what is absent has no limit. */
export interface BudgetLimits {
  /** Input and output together. */
  readonly tokens?: number | undefined;
  /** US dollars. */
  readonly dollars?: number | undefined;
  /** From when the first request is to be sent to when the last one is. */
  readonly seconds?: number | undefined;
}

/** What was spent on models. */
export interface Spent {
  /** Answered requests, and failed ones that the provider may charge. */
  readonly requests: number;
  readonly tokens: Usage;
  /** Null if the price of a model is unknown. */
  readonly dollars: number | null;
  readonly seconds: number;
}

/** Tokens and what they cost; `dollars` is null if the price is unknown. */
export interface Expense {
  readonly tokens: Usage;
  readonly dollars: number | null;
}

/** Keeps count of what several callers spend together. */
export interface Budget {
  readonly limits: BudgetLimits;
  /**
   * Makes sure that what a request takes at least is left, and will be after a wait of that many
   * seconds; what others have reserved may still come back.
   *
   * @throws LlmError `BudgetSpent`; its value is a {@link Spent}
   */
  insistOn(expense: Expense, waitSeconds: number): void;
  /**
   * Sets aside what a request takes at least; its answer may exceed it.
   *
   * @returns to be called once, with what it took in the end, or null if nothing
   * @throws LlmError `BudgetSpent` if that, with what others have reserved, is more than is left
   */
  reserve(expense: Expense): (taken: Expense | null) => void;
  spent(): Spent;
}

const NOTHING = { requests: 0, tokens: 0, dollars: 0 };

/** Makes a budget; its time runs from when something is first asked of it. */
export function createBudget(limits: BudgetLimits = {}, clock: Clock = systemClock): Budget {
  let start: number | null = null;
  let requests = 0;
  let tokens: Usage = { input: 0, output: 0, estimated: false };
  let dollars: number | null = 0;
  let reserved = NOTHING;

  const spent = (): Spent => {
    const seconds = start === null ? 0 : (clock.now() - start) / 1000;
    return { requests, tokens, dollars, seconds };
  };
  const refuse = (limit: string, what = 'is spent'): LlmError => {
    const price = dollars === null ? '' : ` and $${dollars.toFixed(4)}`;
    const others = reserved.requests === 0 ? '' : `, ${reserved.requests} more are under way`;
    return new LlmError(
      'BudgetSpent',
      `the budget of ${limit} ${what}: ${totalTokens(tokens)} tokens${price} went into ${requests} requests${others}`,
      spent(),
    );
  };
  const insist = (expense: Expense, held: typeof reserved, waitSeconds: number): void => {
    start ??= clock.now();
    const { seconds = Infinity } = limits;
    if (spent().seconds >= seconds) throw refuse(`${seconds} s`);
    if (spent().seconds + waitSeconds >= seconds) {
      throw refuse(`${seconds} s`, `ends before a wait of ${Math.ceil(waitSeconds)} s`);
    }
    const wantedTokens = totalTokens(tokens) + held.tokens + totalTokens(expense.tokens);
    if (wantedTokens > (limits.tokens ?? Infinity)) throw refuse(`${limits.tokens} tokens`);
    const wantedDollars = (dollars ?? 0) + held.dollars + (expense.dollars ?? 0);
    if (wantedDollars > (limits.dollars ?? Infinity)) throw refuse(`$${limits.dollars}`);
  };
  const hold = (expense: Expense, sign: 1 | -1): void => {
    reserved = {
      requests: reserved.requests + sign,
      tokens: reserved.tokens + sign * totalTokens(expense.tokens),
      dollars: reserved.dollars + sign * (expense.dollars ?? 0),
    };
  };

  return {
    limits,
    spent,
    insistOn: (expense, waitSeconds) => insist(expense, NOTHING, waitSeconds),
    reserve(expense) {
      insist(expense, reserved, 0);
      hold(expense, 1);
      return (taken) => {
        hold(expense, -1);
        if (taken === null) return;
        requests++;
        tokens = addUsage(tokens, taken.tokens);
        dollars = dollars === null || taken.dollars === null ? null : dollars + taken.dollars;
      };
    },
  };
}

/** The tokens of two together; estimated if any of them is. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    estimated: a.estimated || b.estimated,
  };
}

function totalTokens({ input, output }: Usage): number {
  return input + output;
}
