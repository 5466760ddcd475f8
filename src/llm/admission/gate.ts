import { type Clock, systemClock } from '../../core/clock.js';
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

/** All that a gate knows, as plain JSON: it may travel, and go on elsewhere. */
export interface GateState {
  readonly spending: Spending;
  /** By the names of providers. */
  readonly paces: Record<string, Pace>;
}

/** Settings of a gate. */
export interface GateOptions {
  /** Of all providers together. */
  readonly budget?: BudgetLimits | undefined;
  /** Of each provider. */
  readonly limits?: PaceLimits | undefined;
  readonly clock?: Clock | undefined;
  /** Receives every wait before it begins. */
  readonly onWait?: ((provider: string, wait: Wait) => void) | undefined;
}

/** A request that was let through, as plain JSON. */
export interface Passage {
  readonly provider: string;
  readonly sending: Sending;
  readonly least: Usage;
}

/** Lets requests of many callers through to providers, within one budget and at the pace of each. */
export interface Gate {
  /**
   * Waits until a request may be sent, and reserves what it takes at least.
   *
   * @throws LlmError `BudgetSpent`; the reason of the signal
   */
  enter(provider: string, least: Usage, signal?: AbortSignal): Promise<Passage>;
  /**
   * Books the end of a request: the owner of its passage calls it once for each.
   *
   * @param taken null if nothing
   */
  leave(passage: Passage, outcome: RequestOutcome, taken: Usage | null): void;
  /** Books what a request took that was thought to be lost, and whose end was booked without it. */
  bookLate(taken: Usage): void;
  /** Seconds until the time of the budget is over; null if it has no such limit, or does not run yet. */
  secondsLeft(): number | null;
  spent(): Usage;
}

/** Nothing was asked yet. */
export function newGateState(): GateState {
  return { spending: newSpending(), paces: {} };
}

/**
 * Opens a gate by the rules of `createBudget` and `createLimiter`, for places where requests outlive the
 * process that lets them through. It has no Node in it and decides by its clock alone.
 *
 * @param state where it goes on, and what it changes
 */
export function openGate(state: GateState, options: GateOptions): Gate {
  const { budget = {}, limits = {}, clock = systemClock, onWait } = options;
  const lines = new Map<string, Line>();
  const lineOf = (provider: string): Line => {
    state.paces[provider] ??= newPace(limits);
    const notify = (wait: Wait) => onWait?.(provider, wait);
    const line =
      lines.get(provider) ?? openLine(state.paces[provider], { ...limits, clock, onWait: notify });
    lines.set(provider, line);
    return line;
  };
  const { spending } = state;
  return {
    async enter(provider, least, signal) {
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
    leave({ provider, sending, least }, outcome, taken) {
      settleRequest(spending, least, taken);
      lineOf(provider).leave(sending, outcome);
    },
    bookLate(taken) {
      spending.taken = addUsage(spending.taken, taken);
    },
    secondsLeft: () => secondsLeftOf(spending, budget, clock.now()),
    spent: () => spentBy(spending, clock.now()),
  };
}
