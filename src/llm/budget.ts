import { type Clock, systemClock } from '../core/clock.js';
import { LlmError } from './errors.js';
import { addUsage, NO_USAGE, totalTokens, type Usage } from './usage.js';

/** Limits of what a run may spend on models; what is absent or null has no limit. */
export interface BudgetLimits {
  /** Input and output together. */
  readonly tokens?: number | null | undefined;
  /** US dollars. */
  readonly usd?: number | null | undefined;
  /** From when the first request is to be sent to when the last one is. */
  readonly seconds?: number | null | undefined;
}

/** Keeps count of what several callers spend together. */
export interface ModelBudget {
  readonly limits: BudgetLimits;
  /**
   * Makes sure that what a request takes at least is left, and will be after a wait of that many
   * seconds; what others have reserved may still come back.
   *
   * @throws LlmError `BudgetSpent`; its value is a {@link BudgetRefusal}
   */
  insistOn(least: Usage, waitSeconds: number): void;
  /**
   * Sets aside what a request takes at least; its answer may exceed it.
   *
   * @returns to be called once, with what it took in the end, or null if nothing
   * @throws LlmError `BudgetSpent` if that, with what others have reserved, is more than is left
   */
  reserve(least: Usage): (taken: Usage | null) => void;
  /** All that was taken; its seconds are those since the first request. */
  spent(): Usage;
}

/** The reason why a budget refuses: the value of an LlmError `BudgetSpent`. */
export interface BudgetRefusal {
  /** The limit that stands in the way, such as `the budget of 500 tokens is spent`. */
  readonly limit: string;
  readonly spent: Usage;
}

/** Amounts that are set aside for requests under way. */
interface Reserved {
  readonly requests: number;
  readonly tokens: number;
  readonly usd: number;
}

const NOTHING: Reserved = { requests: 0, tokens: 0, usd: 0 };

/** Makes a budget; its time runs from when something is first asked of it. */
export function createBudget(limits: BudgetLimits = {}, clock: Clock = systemClock): ModelBudget {
  let start: number | null = null;
  let taken = NO_USAGE;
  let reserved = NOTHING;

  const spent = (): Usage => {
    const seconds = start === null ? 0 : (clock.now() - start) / 1000;
    return { ...taken, seconds };
  };
  const refuse = (name: string, what = 'is spent'): LlmError => {
    const { usd, answers } = taken;
    const price = usd === null ? '' : ` and $${usd.toFixed(4)}`;
    const others = reserved.requests === 0 ? '' : `, ${reserved.requests} more are under way`;
    const limit = `the budget of ${name} ${what}`;
    const message = `${limit}: ${totalTokens(taken)} tokens${price} went into ${answers} requests${others}`;
    return new LlmError('BudgetSpent', message, { limit, spent: spent() } satisfies BudgetRefusal);
  };
  const insist = (least: Usage, held: Reserved, waitSeconds: number): void => {
    start ??= clock.now();
    const seconds = limits.seconds ?? Infinity;
    if (spent().seconds >= seconds) throw refuse(`${seconds} s`);
    if (spent().seconds + waitSeconds >= seconds) {
      throw refuse(`${seconds} s`, `ends before a wait of ${Math.ceil(waitSeconds)} s`);
    }
    const wantedTokens = totalTokens(taken) + held.tokens + totalTokens(least);
    if (wantedTokens > (limits.tokens ?? Infinity)) throw refuse(`${limits.tokens} tokens`);
    const wantedUsd = (taken.usd ?? 0) + held.usd + (least.usd ?? 0);
    if (wantedUsd > (limits.usd ?? Infinity)) throw refuse(`$${limits.usd}`);
  };
  const hold = (least: Usage, sign: 1 | -1): void => {
    reserved = {
      requests: reserved.requests + sign,
      tokens: reserved.tokens + sign * totalTokens(least),
      usd: reserved.usd + sign * (least.usd ?? 0),
    };
  };

  return {
    limits,
    spent,
    insistOn: (least, waitSeconds) => insist(least, NOTHING, waitSeconds),
    reserve(least) {
      insist(least, reserved, 0);
      hold(least, 1);
      return (took) => {
        hold(least, -1);
        if (took !== null) taken = addUsage(taken, took);
      };
    },
  };
}
