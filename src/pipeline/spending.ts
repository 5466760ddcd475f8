import { addUsage } from '../llm/budget.js';
import type { Answer, Ask, Usage } from '../llm/client.js';

/** What answers of models took. */
export interface Spending {
  readonly usage: Usage;
  /** By the price table; null if a price is not known. */
  readonly costUsd: number | null;
  /** What the answers took, one after the other. */
  readonly seconds: number;
  /** How many there are. */
  readonly answers: number;
}

/** Nobody was asked. */
export const NOTHING_SPENT: Spending = {
  usage: { input: 0, output: 0, estimated: false },
  costUsd: 0,
  seconds: 0,
  answers: 0,
};

/** What two lots of answers took together. */
export function addSpending(a: Spending, b: Spending): Spending {
  const unknown = a.costUsd === null || b.costUsd === null;
  return {
    usage: addUsage(a.usage, b.usage),
    costUsd: unknown ? null : (a.costUsd ?? 0) + (b.costUsd ?? 0),
    seconds: a.seconds + b.seconds,
    answers: a.answers + b.answers,
  };
}

/** Books what answers take. */
export interface Ledger {
  /** Asks, and books every answer. */
  readonly ask: Ask;
  /** What was booked so far. */
  read(): Spending;
}

/**
 * Begins to book. Answers that were read from a store count as what they took when they were given,
 * so that a run that was resumed has the records of one that was not.
 */
export function createLedger(ask: Ask): Ledger {
  // In the order of the questions: sums of fractions depend on it, and answers come in any.
  const booked: Spending[] = [];
  let asked = 0;
  return {
    ask: async (request, context) => {
      const place = asked++;
      const answer = await ask(request, context);
      booked[place] = spendingOf(answer);
      return answer;
    },
    read: () => booked.reduce(addSpending, NOTHING_SPENT),
  };
}

/** What one answer took. */
function spendingOf({ usage, costUsd, seconds }: Answer): Spending {
  return { usage, costUsd, seconds, answers: 1 };
}
