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

/** The state of a gate as plain JSON, so that another process can resume it. */
export interface GateState {
  readonly spending: Spending;
  /** By the names of providers. */
  readonly paces: Record<string, Pace>;
}

/** Limits of all providers together. */
export interface GateOptions {
  /** Of all providers together. */
  readonly budget?: BudgetLimits | undefined;
  /** Limits of each provider. */
  readonly limits?: PaceLimits | undefined;
  readonly clock?: Clock | undefined;
  /** Receives every wait before it begins. */
  readonly onWait?: ((provider: string, wait: Wait) => void) | undefined;
}

/** An admitted request, as plain JSON. */
export interface Passage {
  readonly provider: string;
  readonly sending: Sending;
  readonly least: Usage;
}

/** Admits requests of many callers to providers, within one budget and at the pace of each provider. */
export interface Gate {
  /**
   * Waits until a request may be sent, and reserves its minimum usage.
   *
   * @throws LlmError `BudgetSpent`; the reason of the signal
   */
  enter(provider: string, least: Usage, signal?: AbortSignal): Promise<Passage>;
  /**
   * Books the end of a request; the caller calls it once per passage.
   *
   * @param taken null for no usage
   */
  leave(passage: Passage, outcome: RequestOutcome, taken: Usage | null): void;
  /** Books the usage of a request whose end was booked without it because it seemed lost. */
  bookLate(taken: Usage): void;
  /** Seconds until the budget's deadline; null without such a limit, or before the first request. */
  secondsLeft(): number | null;
  spent(): Usage;
}

/** The state before the first request. */
export function newGateState(): GateState {
  return { spending: newSpending(), paces: {} };
}

/**
 * Opens a gate by the rules of `createBudget` and `createLimiter`, for places where requests outlive the process that
 * admits them. It uses no Node API, and only the given clock.
 *
 * @param state to resume from; the gate updates it
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
