import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError, errorLine } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Json, StepContext } from '@alas-jssp/workflow';
import { type Answer, estimateTokens, type Message } from 'alas-jssp/llm';
import type { Tool } from '../tools/tool.js';
import { type PromptParts, promptMessages } from './agent-prompt.js';
import { type AgentTurn, turnSchema } from './agent-turn.js';
import { openAllowance } from './allowance.js';
import { type AnswerSchema, answerShape } from './answer-schema.js';
import { type AskedAnswer, readAnswer } from './ask-for.js';
import { logDecision } from './decision.js';
import type { ModelHandlerOptions } from './handler-options.js';
import { hideMarked, marksSecrets } from './hide-marked.js';
import type { Model } from './model.js';

/** The options of a handler, filled. */
interface Agent<T, I> extends Omit<ModelHandlerOptions<T, I>, 'model'> {
  readonly model: Model;
  readonly schema: AnswerSchema<T>;
  /** The tools that the model may call. */
  readonly offered: readonly Tool[];
  readonly maxToolCalls: number;
  readonly maxBadAnswers: number;
}

/** The longest result of a tool that a model receives, in tokens. */
const LONGEST_RESULT = 4000;

type CallOf<T> = Extract<AgentTurn<T>, { readonly call: unknown }>['call'];

/** Asks the model until its answer matches the schema, and calls the tools that it asks for. */
export async function runAgent<T, I>(
  agent: Agent<T, I>,
  input: I,
  context: StepContext,
): Promise<T> {
  const { instruction, offered, schema, maxBadAnswers, maxToolCalls } = agent;
  const relevant = agent.relevant?.(context) ?? null;
  const parts: PromptParts = {
    system: agent.system,
    instruction: typeof instruction === 'string' ? instruction : instruction(input),
    context: relevant as unknown as Json,
    input: input as Json,
    showsInput: typeof instruction === 'string',
    feedback: context.feedback,
  };
  const messages = promptMessages(parts, relevant, schema.json, offered);
  const ask = openAsking(agent, input, context);
  let next: Logged = { ...parts };
  let bad = 0;
  for (let calls = 0; ; ) {
    const asked = await ask(messages, next);
    const turn = asked.ok ? asked.value : null;
    if (turn !== null && 'answer' in turn) return turn.answer;
    let reply: string;
    if (turn !== null) {
      calls++;
      const isOver = calls > maxToolCalls;
      const result = isOver
        ? { error: `no more than ${maxToolCalls} calls are allowed: give your answer` }
        : await callTool(agent, turn.call, calls, context);
      if (isOver) bad++;
      reply = `The result of ${turn.call.tool}:\n${shortened(result)}`;
      next = { result: hideResult(agent, turn.call, result) };
    } else {
      bad++;
      const problem = problemOf(asked);
      reply = `This answer is wrong: ${problem}\nGive the whole corrected object.`;
      next = { problem };
    }
    if (bad >= maxBadAnswers) throw badAnswer(agent.model, bad, asked);
    messages.push({ role: 'assistant', content: asked.answer.text });
    messages.push({ role: 'user', content: reply });
  }
}

type Logged = Readonly<Record<string, Json>>;

/** Opens the requests of one attempt at a step: within its budget, and logged. */
function openAsking<T, I>(agent: Agent<T, I>, input: I, context: StepContext) {
  const { schema, offered, budget, maxOutputTokens, entryFields = {} } = agent;
  const key = agent.key ?? `agent/${context.nodeId}`;
  const model = budget === undefined ? agent.model : openAllowance(budget).limit(agent.model);
  const turns: AnswerSchema<AgentTurn<T>> =
    offered.length === 0 ? answerOnly(schema) : turnSchema(schema, offered);
  const shape = answerShape(turns.json, key) ?? undefined;
  const fields = typeof entryFields === 'function' ? entryFields(input) : entryFields;
  let request = 0;
  return async (
    messages: readonly Message[],
    about: Logged,
  ): Promise<AskedAnswer<AgentTurn<T>>> => {
    request++;
    const asking = { key, messages: [...messages], shape, maxOutputTokens };
    const settings = { model: model.name, shape: shape?.name ?? null };
    context.log('Request', { ...fields, request, key, ...settings, ...about });
    let answer: Answer;
    try {
      answer = await model.ask(asking, context.signal);
    } catch (error) {
      // The attempt is over, and the log may not take its entries any more.
      context.signal.throwIfAborted();
      const { code } = (error ?? {}) as { code?: unknown };
      const failure = {
        code: typeof code === 'string' ? code : 'Error',
        message: errorLine(error),
      };
      context.log('Response', { ...fields, request, attempt: 1, error: failure, retryAfter: null });
      throw error;
    }
    const asked = readAnswer(answer, turns);
    context.log('Response', {
      ...fields,
      request,
      attempt: 1,
      ...loggedAnswer(agent, asked),
    });
    if (asked.ok && 'answer' in asked.value) {
      logDecision(asked.value.answer, model.name, fields, context);
    }
    return asked;
  };
}

/** An answer for the log: a decoded one by its value, in which redaction finds secrets by keys and schemas. */
function loggedAnswer<T, I>(
  { offered, schema }: Agent<T, I>,
  asked: AskedAnswer<AgentTurn<T>>,
): Logged {
  const { text, ...usage } = asked.answer;
  const answer = usage as unknown as Record<string, Json>;
  if (!asked.ok) {
    const isSafe = !marksSecrets(schema.json);
    return { answer: { ...answer, ...(isSafe && { text }) }, problem: asked.problem };
  }
  if ('answer' in asked.value) return { answer, output: asked.value.answer as Json };
  const { tool, input } = asked.value.call;
  const known = offered.find(({ name }) => name === tool);
  return { answer, call: { tool, input: hideMarked(input, known?.input) } };
}

/** The result of a tool, or its error, which the model may react to. */
async function callTool<T, I>(
  { tools, offered }: Agent<T, I>,
  { tool, input }: CallOf<T>,
  number: number,
  context: StepContext,
): Promise<Json> {
  const { runId, nodeId, signal } = context;
  const known = offered.find(({ name }) => name === tool);
  if (known === undefined) {
    const names = offered.map(({ name }) => name).join(', ');
    return { error: { code: 'NotPermitted', message: `you may call: ${names}` } };
  }
  // Another call under the number of one of an earlier attempt must not receive that one's result.
  const hash = sha256(canonicalJson({ tool, input })).slice(0, 16);
  const idempotencyKey = `${context.idempotencyKey}/call-${number}-${hash}`;
  // A call that changes something is not given up: its late answer says what has to be undone.
  const endless = known.access === 'read' ? signal : new AbortController().signal;
  const call = { runId, nodeId, idempotencyKey, signal: endless };
  try {
    const result = await tools?.call(tool, input, call);
    return result ?? null;
  } catch (error) {
    signal.throwIfAborted();
    const { code } = (error ?? {}) as { code?: unknown };
    const failure = typeof code === 'string' ? code : 'ToolFailed';
    return { error: { code: failure, message: errorLine(error) } };
  }
}

function shortened(result: Json): string {
  const text = JSON.stringify(result);
  const tokens = estimateTokens(text);
  if (tokens <= LONGEST_RESULT) return text;
  const message = `the result has about ${tokens} tokens, more than ${LONGEST_RESULT}: ask for less`;
  return JSON.stringify({ error: { code: 'TooLong', message } });
}

function hideResult<T, I>({ offered }: Agent<T, I>, { tool }: CallOf<T>, result: Json): Json {
  return hideMarked(result, offered.find(({ name }) => name === tool)?.output);
}

/** The schema of agents without tools: every turn is an answer. */
function answerOnly<T>(schema: AnswerSchema<T>): AnswerSchema<AgentTurn<T>> {
  return {
    json: schema.json,
    read(value) {
      const read = schema.read(value);
      return 'value' in read ? { value: { answer: read.value }, raw: read.raw } : read;
    },
  };
}

function badAnswer<T>({ name }: Model, count: number, asked: AskedAnswer<T>): AlasError {
  return new AlasError(
    'BadAnswer',
    `${name} gave ${count} unusable answers, the last one: ${problemOf(asked)}`,
    asked.answer.text,
  );
}

function problemOf(asked: AskedAnswer<unknown>): string {
  return asked.ok ? 'it calls more tools than allowed' : asked.problem;
}
