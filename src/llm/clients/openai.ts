import { env } from 'node:process';
import { systemClock } from '@alas-jssp/core/clock';
import { firstIssue } from '@alas-jssp/core/json-file';
import OpenAI from 'openai';
import { Stream } from 'openai/streaming';
import * as z from 'zod';
import type { FinishReason, LlmClient, LlmRequest } from '../client.js';
import { attempt, type ClientOptions, endOf, NO_REPLY, type Reply } from './attempt.js';
import { badResponse, errorOfRefusal, errorOfRequest, type ProviderRefusal } from './failure.js';
import { type BoundResponse, guardedFetch, receive } from './wire.js';

const text = z.string().nullish().catch(null);
const tokens = z.number().int().min(0).nullish().catch(null);

/** The keys common to complete answers and chunks; other keys are ignored. */
const part = z.object({
  id: text,
  model: text,
  choices: z
    .array(
      z.object({
        delta: z.object({ content: text, refusal: text }).nullish(),
        message: z.object({ content: text, refusal: text }).nullish(),
        finish_reason: text,
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
  error: z
    .object({
      message: text,
      type: text,
      code: z.union([z.string(), z.number()]).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

/**
 * A client of OpenAI's chat completions API and of compatible servers, by the official library without its retries.
 * Answers are streamed, so that they can be cut off; complete responses are supported too.
 *
 * @param options.compatible for servers other than OpenAI's, which know only `max_tokens`
 */
export function createOpenAiClient(
  options: ClientOptions & { readonly compatible: boolean },
): LlmClient {
  const { apiKey, baseUrl, timeoutSeconds, compatible, clock = systemClock } = options;
  const sdk = new OpenAI({
    // The library requires a key; without one, no key is sent.
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    defaultHeaders: {
      ...(compatible && withoutCustomHeaders()),
      ...(apiKey === null && { Authorization: null }),
    },
    ...(compatible && { organization: null, project: null }),
    baseURL: baseUrl,
    timeout: Math.ceil(timeoutSeconds * 1000),
    maxRetries: 0,
    fetch: guardedFetch,
    logLevel: 'off',
  });

  return {
    complete: (request, { signal }) =>
      attempt(request, signal, options, async (end) => {
        try {
          const body = bodyOf(request, compatible);
          const response = await sdk.chat.completions.create(body, { signal: end }).asResponse();
          const requestId = response.headers.get('x-request-id');
          const reply = await receive(response, request.maxOutputTokens, {
            stream: (answer) => readStream(answer, sdk),
            whole: readWhole,
          });
          return { ...reply, requestId: requestId ?? reply.requestId };
        } catch (error) {
          if (!(error instanceof OpenAI.APIError)) throw error;
          const { status, headers, code, type, message } = error;
          if (error instanceof OpenAI.APIConnectionError) throw errorOfRequest(error);
          throw errorOfRefusal({ status, kind: `${code} ${type}`, message, headers }, clock.now());
        }
      }),
  };
}

/** Headers that the library reads from the environment are only for OpenAI. */
function withoutCustomHeaders(): Record<string, null> {
  const lines = (env.OPENAI_CUSTOM_HEADERS ?? '').split('\n');
  return Object.fromEntries(
    lines.map((line) => [line.split(':')[0].trim(), null]).filter(([name]) => name),
  );
}

function bodyOf(request: LlmRequest, compatible: boolean) {
  const { model, messages, shape, temperature, topP, seed, effort, maxOutputTokens } = request;
  return {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    stream: true as const,
    stream_options: { include_usage: true },
    ...(compatible ? { max_tokens: maxOutputTokens } : { max_completion_tokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(seed !== undefined && { seed }),
    ...(effort !== undefined && { reasoning_effort: effort as OpenAI.ReasoningEffort }),
    ...(shape !== undefined && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: shape.name, schema: { ...shape.schema }, strict: true },
      },
    }),
  };
}

async function readStream(answer: BoundResponse, sdk: OpenAI): Promise<Reply> {
  const stream = Stream.fromSSEResponse<unknown>(answer.response, new AbortController(), sdk);
  const reply = { ...NO_REPLY };
  for await (const one of stream) addPart(reply, one);
  return endOf(reply, answer.isCut());
}

function readWhole(answer: unknown): Reply {
  const reply = { ...NO_REPLY };
  if (addPart(reply, answer) === 0) throw badResponse('it has no choices');
  return { ...reply, finish: reply.finish ?? 'stop' };
}

/** Adds a chunk of an answer, or a complete one; returns its number of choices. */
function addPart(reply: Reply, value: unknown): number {
  const parsed = part.safeParse(value);
  if (!parsed.success)
    throw badResponse(`${firstIssue(parsed.error, value).path} is no chat completion`);
  const { id, model, choices, usage, error } = parsed.data;
  if (error) throw errorOfRefusal(refusalOf(error), 0);
  reply.requestId ??= id ?? null;
  reply.model ??= model ?? null;
  reply.inputTokens = usage?.prompt_tokens ?? reply.inputTokens;
  reply.outputTokens = usage?.completion_tokens ?? reply.outputTokens;
  const choice = choices?.[0];
  if (choice === undefined) return 0;
  const said = choice.message ?? choice.delta;
  reply.text += said?.content ?? '';
  reply.text += said?.refusal ?? '';
  if (said?.refusal) reply.finish = 'refusal';
  else if (choice.finish_reason) reply.finish ??= finishOf(choice.finish_reason);
  return 1;
}

function refusalOf({
  message,
  type,
  code,
}: NonNullable<z.infer<typeof part>['error']>): ProviderRefusal {
  const status = typeof code === 'number' ? code : undefined;
  return { status, kind: `${code} ${type}`, message: message ?? '' };
}

function finishOf(reason: string): FinishReason {
  if (/length|max_tokens/i.test(reason)) return 'length';
  return reason === 'content_filter' ? 'refusal' : 'stop';
}
