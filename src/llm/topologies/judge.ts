import type { Ask } from '../client.js';
import { createPrompt } from '../prompts/prompt.js';
import { writePlan } from '../prompts/repair.js';
import { writeShop } from '../prompts/shop.js';
import { judgeTexts, roles } from '../prompts/templates.js';
import type { PlanRepairTask } from './propose.js';

/** A planner's verdict on its own plan. */
export interface SelfJudgement {
  readonly valid: boolean;
  /** The faults that it names, at most {@link MOST_ERRORS}. */
  readonly errors: readonly string[];
}

/** Tokens for the answer, and maximum number of faults read from it. */
const ANSWER_TOKENS = 400;
const MOST_ERRORS = 20;

const SHAPE = {
  name: 'judgement',
  schema: {
    type: 'object',
    properties: {
      valid: { type: 'boolean' },
      errors: { type: 'array', items: { type: 'string' } },
    },
    required: ['valid', 'errors'],
    additionalProperties: false,
  },
};

/**
 * Asks the planner once whether its plan keeps all rules. The request has the shop and the plan with its times (as much
 * as fits), but no findings of a validator. An unreadable answer does not confirm the plan.
 *
 * @throws errors of `ask`; the reason of the signal
 */
export async function judgeProposal(
  task: Omit<PlanRepairTask, 'findings'>,
  ask: Ask,
): Promise<SelfJudgement> {
  const { instance, settings, plan, replicate, signal } = task;
  signal?.throwIfAborted();
  const shop = writeShop(instance, false);
  const answerTokens = Math.min(ANSWER_TOKENS, settings.maxOutputTokens);
  const shape = settings.structured ? SHAPE : undefined;
  const parts = { role: roles.planner, shop, earlier: [], shape, answerTokens };
  const empty = createPrompt({ ...parts, task: judgeTexts.task }, settings);
  const room = settings.contextTokens - empty.promptTokens - answerTokens;
  const written = writePlan(plan.entries, 'csv', room, judgeTexts.plan);
  const words = `${written}\n\n${judgeTexts.task}`;
  const { request } = createPrompt({ ...parts, task: words }, settings);
  const maxOutputTokens = Math.min(request.maxOutputTokens, answerTokens);
  const { text } = await ask({ ...request, maxOutputTokens }, { replicate, signal });
  return readJudgement(text);
}

/** Reads a judgement from any text: from its first `valid`, or from a plain yes. */
export function readJudgement(text: string): SelfJudgement {
  const said = /"?valid"?\s*[:=]\s*"?(true|false|yes|no)/i.exec(text)?.[1].toLowerCase();
  const valid =
    said === undefined
      ? /^\W*(ok(ay)?|yes|valid)\W*$/i.test(text)
      : said === 'true' || said === 'yes';
  return { valid, errors: valid ? [] : errorsIn(text) };
}

function errorsIn(text: string): string[] {
  const list = /"errors"\s*:\s*\[([^\]]*)/.exec(text)?.[1] ?? '';
  const errors = Array.from(list.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, error]) => error);
  return errors.slice(0, MOST_ERRORS);
}
