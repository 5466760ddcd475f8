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

/** Keeps count of what the callers of one process spend together. */
export interface ModelBudget {
  readonly limits: BudgetLimits;
  /**
   * Makes sure that what a request takes at least is left, and will be after a wait of that many
   * seconds; what others have reserved may still come back.
   *
   * @throws LlmError `BudgetSpent`; its value is a `BudgetRefusal`
   */
  insistOn(least: Usage, waitSeconds: number): void;
  /**
   * Sets aside what a request takes at least; its answer may exceed it.
   *
   * @returns to be called once, with what it took in the end, or null if nothing
   * @throws LlmError `BudgetSpent` if that, with what others have reserved, is more than is left
   */
  reserve(least: Usage): (taken: Usage | null) => void;
  /** Seconds until its time is over; null if it has no such limit, or does not run yet. */
  secondsLeft(): number | null;
  /** All that was taken; its seconds are those since the first request. */
  spent(): Usage;
}

/** Makes a budget; its time runs from when something is first asked of it. */
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
