import { type Clock, systemClock } from '@alas-jssp/core/clock';
import { addUsage, totalTokens, type Usage } from '../usage.js';
import { type Line, openLine } from './line.js';
import {
  newPace,
  type Pace,
  type PaceLimits,
  type RequestOutcome,
  type Sending,
  type Wait,
} from './pace.js';
import {
  type BudgetLimits,
  insistOnBudget,
  newSpending,
  type Spending,
  secondsLeftOf,
  setAside,
  settleRequest,
  spentBy,
} from './spending.js';

/** The state of a ledger as plain JSON, so that another process can resume it. */
export interface LedgerState {
  readonly spending: Spending;
  /** By the names of providers. */
  readonly paces: Record<string, Pace>;
}

/** Limits and listeners of a ledger. */
export interface LedgerOptions {
  /** The budget for all providers together; time is measured from the first request. */
  readonly budget?: BudgetLimits | undefined;
  /** Limits of each provider. */
  readonly limits?: PaceLimits | undefined;
  readonly clock?: Clock | undefined;
  /** Receives every wait before it begins. */
  readonly onWait?: ((provider: string, wait: Wait) => void) | undefined;
}

/** The reservation of a request that may be sent, as plain JSON. */
export interface Reservation {
  readonly provider: string;
  readonly sending: Sending;
  readonly least: Usage;
}

/** Reports the outcome of a request and its usage (null if none). An answer counts as delivered once this is done. */
export type Settle = (outcome: RequestOutcome, taken: Usage | null) => void | Promise<void>;

/** The ledger as the requests to one provider see it, in this process or in another one. */
export interface Admission {
  /** Limits of the budget. */
  readonly limits: BudgetLimits;
  /**
   * Waits until a request may be sent, and reserves its minimum usage.
   *
   * @param request its key identifies the request and its replicate: a ledger for several processes admits equal
   *   requests one after the other
   * @returns a function that the caller must call once
   * @throws LlmError `BudgetSpent`; the reason of the signal
   */
  reserve(
    least: Usage,
    request: { readonly key: string; readonly signal?: AbortSignal | undefined },
  ): Promise<Settle>;
  /** Seconds until the budget's deadline, which aborts requests; null without one, or before the first request. */
  secondsLeft(): number | null;
}

/** Admits requests of many callers to providers, within one budget and at the pace of each provider. */
export interface Ledger {
  /**
   * Waits until a request may be sent, and reserves its minimum usage; its answer may exceed that.
   *
   * @throws LlmError `BudgetSpent`; the reason of the signal
   */
  reserve(provider: string, least: Usage, signal?: AbortSignal): Promise<Reservation>;
  /**
   * Books the end of a request; the caller calls it once per reservation.
   *
   * @param taken null for no usage
   */
  settle(reservation: Reservation, outcome: RequestOutcome, taken: Usage | null): void;
  /** Books the usage of a request whose end was booked without it because it seemed lost. */
  bookLate(taken: Usage): void;
  /** Seconds until the budget's deadline; null without such a limit, or before the first request. */
  secondsLeft(): number | null;
  /** Total spending; its seconds are those since the first request. */
  spent(): Usage;
  /** The ledger for the callers of a provider in this process. */
  admissionOf(provider: string): Admission;
}

/** The state before the first request. */
export function newLedgerState(): LedgerState {
  return { spending: newSpending(), paces: {} };
}

/**
 * Opens the ledger of a run: one budget for all providers, and one queue for each of them, first come, first served. It
 * uses no Node API, and only the given clock.
 *
 * @param state to resume from; the ledger updates it
 */
export function openLedger(options: LedgerOptions = {}, state = newLedgerState()): Ledger {
  const { budget = {}, limits = {}, clock = systemClock, onWait } = options;
  const { spending } = state;
  const lines = new Map<string, Line>();
  const lineOf = (provider: string): Line => {
    state.paces[provider] ??= newPace(limits);
    const notify = (wait: Wait) => onWait?.(provider, wait);
    const line =
      lines.get(provider) ?? openLine(state.paces[provider], { ...limits, clock, onWait: notify });
    lines.set(provider, line);
    return line;
  };
  const ledger: Ledger = {
    async reserve(provider, least, signal) {
      const beforeWait = (seconds: number) =>
        insistOnBudget(spending, budget, least, seconds, clock.now());
      beforeWait(0);
      const line = lineOf(provider);
      const sending = await line.enter(totalTokens(least), { signal, beforeWait });
      try {
        setAside(spending, budget, least, clock.now());
      } catch (error) {
        line.leave(sending, { kind: 'not sent' });
        throw error;
      }
      return { provider, sending, least };
    },
    settle({ provider, sending, least }, outcome, taken) {
      settleRequest(spending, least, taken);
      lineOf(provider).leave(sending, outcome);
    },
    bookLate(taken) {
      spending.taken = addUsage(spending.taken, taken);
    },
    secondsLeft: () => secondsLeftOf(spending, budget, clock.now()),
    spent: () => spentBy(spending, clock.now()),
    admissionOf: (provider) => ({
      limits: budget,
      secondsLeft: ledger.secondsLeft,
      async reserve(least, { signal }) {
        const reservation = await ledger.reserve(provider, least, signal);
        return (outcome, taken) => ledger.settle(reservation, outcome, taken);
      },
    }),
  };
  return ledger;
}
