import type { ModelBudget } from '../budget.js';
import type { Limiter } from '../limiter.js';
import type { Usage } from '../usage.js';
import type { RequestOutcome } from './pace.js';
import type { BudgetLimits } from './spending.js';

/** Reports the outcome of a request and its usage (null if none). An answer counts as delivered once this is done. */
export type Leave = (outcome: RequestOutcome, taken: Usage | null) => void | Promise<void>;

/** Admits requests to one provider within a shared budget, in this process or for several processes. */
export interface Admission {
  /** Limits of the budget. */
  readonly limits: BudgetLimits;
  /**
   * Waits until a request may be sent, and reserves its minimum usage.
   *
   * @param key of the request and its replicate: an admission for several processes admits equal requests one after the
   *   other
   * @returns to be called once
   * @throws LlmError `BudgetSpent`; the reason of the signal
   */
  enter(
    least: Usage,
    request: { readonly key: string; readonly signal?: AbortSignal | undefined },
  ): Promise<Leave>;
  /**
   * Seconds from the admission of a request until the budget's deadline, which aborts it. Null or absent without such a
   * limit.
   */
  secondsLeft?(): number | null;
}

/** Admits requests by a limiter and a budget of this process. */
export function admitBy(limiter: Limiter, budget: ModelBudget): Admission {
  return {
    limits: budget.limits,
    secondsLeft: budget.secondsLeft,
    async enter(least, { signal }) {
      const beforeWait = (seconds: number) => budget.insistOn(least, seconds);
      beforeWait(0);
      const { input, output } = least.tokens;
      const leave = await limiter.enter(input + output, { signal, beforeWait });
      let settle: ReturnType<ModelBudget['reserve']>;
      try {
        settle = budget.reserve(least);
      } catch (error) {
        leave({ kind: 'not sent' });
        throw error;
      }
      return (outcome, taken) => {
        settle(taken);
        leave(outcome);
      };
    },
  };
}
