import { LlmError } from '../errors.js';
import { addUsage, NO_USAGE, totalTokens, type Usage } from '../usage.js';

/** Limits of a run's spending on models; absent or null means no limit. */
export interface BudgetLimits {
  /** Input and output together. */
  readonly tokens?: number | null | undefined;
  /** US dollars. */
  readonly usd?: number | null | undefined;
  /** Seconds from the first request to the last answer or abort. */
  readonly seconds?: number | null | undefined;
}

/** The reason of a refusal: the value of an LlmError `BudgetSpent`. */
export interface BudgetRefusal {
  /** The exceeded limit, such as `the budget of 500 tokens is spent`. */
  readonly limit: string;
  readonly spent: Usage;
}

/** Amounts reserved for requests in flight. */
interface Reserved {
  readonly requests: number;
  readonly tokens: number;
  readonly usd: number;
}

const NOTHING: Reserved = { requests: 0, tokens: 0, usd: 0 };

/** Amounts spent and reserved so far, as plain JSON, so that another process can resume from them. */
export interface Spending {
  /** Time of the first request, in milliseconds since 1970; null before. */
  start: number | null;
  taken: Usage;
  reserved: Reserved;
}

/** No spending. */
export function newSpending(): Spending {
  return { start: null, taken: NO_USAGE, reserved: NOTHING };
}

/** Total spending; its seconds are those since the first request. */
export function spentBy({ start, taken }: Spending, now: number): Usage {
  return { ...taken, seconds: start === null ? 0 : (now - start) / 1000 };
}

/**
 * Checks that the budget covers the minimum usage of a request, also after a wait of that many seconds. Other
 * reservations are not counted, since they may be returned. Time is measured from the first call.
 *
 * @throws LlmError `BudgetSpent`; its value is a {@link BudgetRefusal}
 */
export function insistOnBudget(
  spending: Spending,
  limits: BudgetLimits,
  least: Usage,
  waitSeconds: number,
  now: number,
): void {
  insist(spending, limits, least, NOTHING, waitSeconds, now);
}

/**
 * Reserves the minimum usage of a request; its answer may exceed it.
 *
 * @throws LlmError `BudgetSpent` if the rest of the budget, after all reservations, is too small
 */
export function setAside(
  spending: Spending,
  limits: BudgetLimits,
  least: Usage,
  now: number,
): void {
  insist(spending, limits, least, spending.reserved, 0, now);
  hold(spending, least, 1);
}

/**
 * Returns the reservation of a request, and books its usage.
 *
 * @param taken null for no usage
 */
export function settleRequest(spending: Spending, least: Usage, taken: Usage | null): void {
  hold(spending, least, -1);
  if (taken !== null) spending.taken = addUsage(spending.taken, taken);
}

/** Seconds until a budget's deadline; null without one, or before the first request. */
export function secondsLeftOf(
  spending: Spending,
  { seconds }: BudgetLimits,
  now: number,
): number | null {
  if (spending.start === null || (seconds ?? null) === null) return null;
  return Math.max(0, (seconds as number) - spentBy(spending, now).seconds);
}

/** The error of a request in flight at its budget's deadline. */
export function brokenOff({ seconds }: BudgetLimits, least: Usage): LlmError {
  const limit = `the budget of ${seconds} s is spent`;
  const refusal: BudgetRefusal = { limit, spent: { ...least, seconds: seconds ?? 0 } };
  return new LlmError('BudgetSpent', `${limit}: requests in flight are aborted`, refusal);
}

function hold(spending: Spending, least: Usage, sign: 1 | -1): void {
  const { requests, tokens, usd } = spending.reserved;
  spending.reserved = {
    requests: requests + sign,
    tokens: tokens + sign * totalTokens(least),
    usd: usd + sign * (least.usd ?? 0),
  };
}

function insist(
  spending: Spending,
  limits: BudgetLimits,
  least: Usage,
  held: Reserved,
  waitSeconds: number,
  now: number,
): void {
  spending.start ??= now;
  const { taken } = spending;
  const refuse = (name: string, what?: string) => refusal(spending, now, name, what);
  const seconds = limits.seconds ?? Infinity;
  const passed = spentBy(spending, now).seconds;
  if (passed >= seconds) throw refuse(`${seconds} s`);
  if (passed + waitSeconds >= seconds) {
    throw refuse(`${seconds} s`, `ends before a wait of ${Math.ceil(waitSeconds)} s`);
  }
  const wantedTokens = totalTokens(taken) + held.tokens + totalTokens(least);
  if (wantedTokens > (limits.tokens ?? Infinity)) throw refuse(`${limits.tokens} tokens`);
  const wantedUsd = (taken.usd ?? 0) + held.usd + (least.usd ?? 0);
  if (wantedUsd > (limits.usd ?? Infinity)) throw refuse(`$${limits.usd}`);
}

function refusal(spending: Spending, now: number, name: string, what = 'is spent'): LlmError {
  const { taken, reserved } = spending;
  const { usd, answers } = taken;
  const price = usd === null ? '' : ` and $${usd.toFixed(4)}`;
  const others = reserved.requests === 0 ? '' : `, ${reserved.requests} more are in flight`;
  const limit = `the budget of ${name} ${what}`;
  const message = `${limit}: ${totalTokens(taken)} tokens${price} went into ${answers} requests${others}`;
  const spent = spentBy(spending, now);
  return new LlmError('BudgetSpent', message, { limit, spent } satisfies BudgetRefusal);
}
