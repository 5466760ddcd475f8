import type { LlmRequest, Message } from '../client.js';
import type { ModelSettings } from '../planner-spec.js';
import { estimateInput } from '../request-key.js';
import { cutToTokens, estimateTokens } from '../token-estimate.js';
import type { PromptTemplate } from './prompt-file.js';
import { fill, questionTexts } from './templates.js';

/** Settings of the prompts for a model, from the specification of its planner. */
export interface PromptSettings
  extends Omit<ModelSettings, 'timeoutSeconds' | 'attempts' | 'prompt'> {
  readonly model: string;
  /** Replaces the default arrangement. */
  readonly template?: PromptTemplate | undefined;
}

/** An earlier answer of an agent, for agents that continue from it. */
export interface Contribution {
  readonly agent: string;
  readonly text: string;
}

/** The parts of a prompt. */
export interface PromptParts {
  /** The role of the agent, in words. */
  readonly role: string;
  readonly shop: string;
  /** Oldest first. */
  readonly earlier: readonly Contribution[];
  readonly task: string;
  /** The format of the answer, after the task. */
  readonly answer?: string | undefined;
  /** The agent and the purpose of the prompt; templates apply only to prompts that have both. */
  readonly agent?: string | undefined;
  readonly purpose?: string | undefined;
  readonly shape?: LlmRequest['shape'];
  /** Tokens that are kept free for the answer. */
  readonly answerTokens: number;
}

/** A prompt for a model, and the parts that its context has no room for. */
export interface Prompt {
  readonly request: LlmRequest;
  /** An estimate. */
  readonly promptTokens: number;
  readonly contextLimit: number;
  /** The number of omitted contributions, and their tokens, including those of a truncated one. */
  readonly dropped: { readonly contributions: number; readonly tokens: number };
}

/**
 * Makes a prompt. By default the role is the system message, and everything else is in one user message, a form that
 * every provider supports. It begins with the shop, which providers may cache. A template may replace this arrangement.
 * Earlier messages are kept, the newest first, while the context has room.
 */
export function createPrompt(parts: PromptParts, settings: PromptSettings): Prompt {
  const { contextTokens, maxOutputTokens, model, temperature, topP, seed, effort } = settings;
  const { shape } = parts;
  const fixed = tokensOf([
    ...fixedTexts(parts, settings),
    shape === undefined ? '' : JSON.stringify(shape.schema),
  ]);
  const { kept, dropped } = keepNewest(parts.earlier, contextTokens - parts.answerTokens - fixed);
  const earlier = kept.length > 0 ? [questionTexts.earlier, ...kept].join('\n\n') : '';
  const draft: LlmRequest = {
    model,
    messages: arrange(parts, settings, earlier),
    ...(shape === undefined ? {} : { shape }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(seed === undefined ? {} : { seed }),
    ...(effort === undefined ? {} : { effort }),
    maxOutputTokens,
  };
  const promptTokens = estimateInput(draft);
  const room = Math.max(1, contextTokens - promptTokens);
  const request = { ...draft, maxOutputTokens: Math.min(maxOutputTokens, room) };
  return { request, promptTokens, contextLimit: contextTokens, dropped };
}

/** All texts of a prompt except earlier messages. */
function fixedTexts(parts: PromptParts, settings: PromptSettings): string[] {
  const { role, shop } = parts;
  if (templateFor(parts, settings) === undefined) return [role, shop, taskOf(parts)];
  return arrange(parts, settings, '').map(({ content }) => content);
}

function arrange(
  parts: PromptParts,
  settings: PromptSettings,
  earlier: string,
): [Message, Message] {
  const { role, shop, task, answer = '', agent = '', purpose = '' } = parts;
  const template = templateFor(parts, settings);
  if (template === undefined) {
    const said = earlier === '' ? [] : [earlier];
    const content = [shop, ...said, taskOf(parts)].join('\n\n');
    return [
      { role: 'system', content: role },
      { role: 'user', content },
    ];
  }
  const { system, users, user } = template;
  const write = (text: string) => fill(text, { role, shop, task, answer, agent, earlier });
  const own = Object.hasOwn(users, purpose) ? users[purpose] : user;
  return [
    { role: 'system', content: write(system) },
    // Without an earlier answer, its placeholder leaves no gap.
    { role: 'user', content: write(own).replaceAll(/\n{3,}/g, '\n\n') },
  ];
}

function templateFor(
  { purpose }: PromptParts,
  { template }: PromptSettings,
): PromptTemplate | undefined {
  return purpose === undefined ? undefined : template;
}

function taskOf({ task, answer }: PromptParts): string {
  return answer === undefined ? task : `${task}\n\n${answer}`;
}

/** Tokens that providers add around a part. */
const AROUND = 4;

function tokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text) + AROUND, 0);
}

/** A truncated contribution with fewer tokens than this is useless. */
const LEAST_CUT = 50;

/** The newest contributions that fit; the oldest of them may be truncated. */
function keepNewest(
  earlier: readonly Contribution[],
  room: number,
): { kept: string[]; dropped: Prompt['dropped'] } {
  const kept: string[] = [];
  let left = room - estimateTokens(questionTexts.earlier) - AROUND;
  let contributions = 0;
  let tokens = 0;
  for (const contribution of earlier.filter(({ text }) => text.trim() !== '').toReversed()) {
    const text = fill(questionTexts.contribution, { ...contribution });
    const all = estimateTokens(text) + 1;
    // If a message is omitted, older ones make no sense either.
    const mayBeCut = tokens === 0 && left > LEAST_CUT;
    const cut = all <= left && tokens === 0 ? text : mayBeCut ? cutToTokens(text, left - 1) : '';
    const size = cut === '' ? 0 : Math.min(all, estimateTokens(cut) + 1);
    if (cut === '') contributions++;
    else kept.unshift(cut);
    tokens += all - size;
    left -= size;
  }
  return { kept, dropped: { contributions, tokens } };
}
