import { planFromSchedule } from '../../src/jssp/plan.js';
import type { Answer, Ask, LlmRequest } from '../../src/llm/client.js';
import type { PlanFormat } from '../../src/llm/planner-spec.js';
import { formatFor } from '../../src/llm/prompts/formats.js';
import { dispatch } from '../../src/search/index.js';
import { readShop } from './read-shop.js';

/** The answer that a text is, as a provider would give it. */
export function answer(text: string, request: LlmRequest): Answer {
  const tokens = { input: 10, output: text.length, estimated: false };
  const about = { model: request.model, requestId: null, seconds: 0, usd: 0, stored: false };
  return { text, finish: 'stop', tokens, ...about };
}

/** What the user's message of a request says. */
export function questionOf({ messages }: LlmRequest): string {
  return messages.find(({ role }) => role === 'user')?.content ?? '';
}

/** A model that plans what its prompt asks for by a priority rule, and finds no fault with plans. */
export function heuristicModel(format: PlanFormat): Ask {
  return async (request) => {
    const prompt = questionOf(request);
    if (/\bsay OK\b/.test(prompt)) return answer('OK.', request);
    const shop = readShop(prompt);
    const { entries } = planFromSchedule(dispatch(shop, { rule: 'mwkr' }));
    const text = formatFor(shop, format).write(entries);
    if (request.shape === undefined) return answer(`${text}\nnext: nobody`, request);
    const plan = format === 'csv' ? { csv: text } : JSON.parse(text);
    return answer(JSON.stringify({ ...plan, next: 'nobody' }), request);
  };
}
