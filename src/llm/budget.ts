import { type Clock, systemClock } from '../core/clock.js';
import {
  type BudgetLimits,
  insistOnBudget,
  newSpending,
  secondsLeftOf,
  setAside,
  settleRequest,
  spentBy,
} from './admission/spending.js';
import type { Usage } from './usage.js';

/** Counts the total spending of all callers in one process. */
export interface ModelBudget {
  readonly limits: BudgetLimits;
  /**
   * Checks that the minimum usage of a request is left, and will be left after a wait of that many seconds;
   * reservations of others may still be returned.
   *
   * @throws LlmError `BudgetSpent`; its value is a `BudgetRefusal`
   */
  insistOn(least: Usage, waitSeconds: number): void;
  /**
   * Reserves the minimum usage of a request; its answer may exceed it.
   *
   * @returns to be called once, with the final usage, or null for none
   * @throws LlmError `BudgetSpent` if that exceeds the rest, with the reservations of others
   */
  reserve(least: Usage): (taken: Usage | null) => void;
  /** Seconds until its deadline; null without such a limit, or before the first request. */
  secondsLeft(): number | null;
  /** Total spending; its seconds are those since the first request. */
  spent(): Usage;
}

/** Makes a budget; its time runs from the first request. */
export function createBudget(limits: BudgetLimits = {}, clock: Clock = systemClock): ModelBudget {
  const spending = newSpending();
  return {
    limits,
    secondsLeft: () => secondsLeftOf(spending, limits, clock.now()),
    spent: () => spentBy(spending, clock.now()),
    insistOn: (least, waitSeconds) =>
      insistOnBudget(spending, limits, least, waitSeconds, clock.now()),
    reserve(least) {
      setAside(spending, limits, least, clock.now());
      return (taken) => settleRequest(spending, least, taken);
    },
  };
}
