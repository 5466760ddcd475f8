import { InputError } from '@alas-jssp/core/errors';
import {
  type Answer,
  type BudgetLimits,
  estimateInput,
  LlmError,
  openLedger,
  type Usage,
} from 'alas-jssp/llm';
import type { Model, ModelRequest } from './model.js';

/** Limits of requests; absent or null means no limit. */
export interface AgentBudget extends BudgetLimits {
  /** Requests to models. */
  readonly calls?: number | null | undefined;
}

/** A budget that several models share. */
export interface Allowance {
  /**
   * The model, with requests that count against the budget and fail with LlmError `BudgetSpent` when it is spent. At
   * the deadline of a budget in seconds requests in flight are aborted.
   */
  limit(model: Model): Model;
  /** The usage so far; its seconds are those since the first request. */
  spent(): Usage;
}

/** Opens a budget. Usage beyond it can only be that of the last requests, whose answers nobody knows beforehand. */
export function openAllowance(budget: AgentBudget): Allowance {
  const ledger = openLedger({ budget });
  const admission = ledger.admissionOf('');
  let calls = 0;
  const ask = async (model: Model, request: ModelRequest, signal: AbortSignal | undefined) => {
    signal?.throwIfAborted();
    const most = budget.calls ?? Number.POSITIVE_INFINITY;
    if (calls >= most) throw callsSpent(most, ledger.spent());
    calls++;
    const { messages, shape, maxOutputTokens = 1, key } = request;
    const input = estimateInput({ model: model.name, messages, shape, maxOutputTokens });
    const tokens = { input, output: 0, estimated: true };
    const least: Usage = { answers: 1, tokens, usd: 0, seconds: 0 };
    const settle = await admission.reserve(least, { key, signal });
    let answer: Answer;
    const deadline = deadlineOf(admission.secondsLeft());
    const both = [signal, deadline].filter((one) => one !== undefined);
    try {
      answer = await model.ask(request, both.length === 0 ? undefined : AbortSignal.any(both));
    } catch (error) {
      await settle({ kind: 'failed' }, deadline?.aborted ? least : null);
      if (deadline?.aborted && !signal?.aborted) throw secondsSpent(budget, ledger.spent());
      throw error;
    }
    await settle({ kind: 'not sent' }, { ...answer, answers: 1 });
    if ((budget.usd ?? null) !== null && answer.usd === null) throw noPrice(answer.model);
    return answer;
  };
  return {
    limit: (model) => ({
      name: model.name,
      ask: (request, signal) => ask(model, request, signal),
    }),
    spent: ledger.spent,
  };
}

/** The longest delay of a timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

function deadlineOf(secondsLeft: number | null): AbortSignal | undefined {
  if (secondsLeft === null || 1000 * secondsLeft > LONGEST_TIMER) return undefined;
  return AbortSignal.timeout(Math.ceil(1000 * secondsLeft));
}

function callsSpent(most: number, spent: Usage): LlmError {
  const limit = `the budget of ${most} requests is spent`;
  return new LlmError('BudgetSpent', limit, { limit, spent });
}

function secondsSpent({ seconds }: AgentBudget, spent: Usage): LlmError {
  const limit = `the budget of ${seconds} s is spent`;
  return new LlmError('BudgetSpent', `${limit}: the request in flight is aborted`, {
    limit,
    spent,
  });
}

function noPrice(model: string): InputError {
  return new InputError(
    'no_price',
    `the price of ${model} is unknown, so a budget in dollars cannot be kept`,
    'give a budget in tokens',
    {},
    model,
  );
}
