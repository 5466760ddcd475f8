import { systemClock } from '@alas-jssp/core/clock';
import { firstIssue } from '@alas-jssp/core/json-file';
import Anthropic from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/streaming';
import * as z from 'zod';
import type { FinishReason, LlmClient, LlmRequest } from '../client.js';
import { attempt, type ClientOptions, endOf, NO_REPLY, type Reply } from './attempt.js';
import { badResponse, errorOfRefusal, errorOfRequest } from './failure.js';
import { type BoundResponse, guardedFetch, receive } from './wire.js';

/** The last version of the API that has sampling parameters; models of 2026 take none in any version. */
const VERSION_WITH_SAMPLING = '2023-06-01';

const text = z.string().nullish().catch(null);
const tokens = z.number().int().min(0).nullish().catch(null);

const usage = z
  .object({
    input_tokens: tokens,
    cache_creation_input_tokens: tokens,
    cache_read_input_tokens: tokens,
    output_tokens: tokens,
  })
  .nullish()
  .catch(null);

const message = z.object({
  id: text,
  model: text,
  content: z.array(z.object({ type: z.string(), text })),
  stop_reason: text,
  usage,
});

/** Events of a stream; other types are ignored. */
const event = z.object({
  type: z.string(),
  message: message.nullish(),
  content_block: z.object({ text }).nullish(),
  delta: z.object({ text, stop_reason: text }).nullish(),
  usage,
});

/**
 * A client of Anthropic's messages API, by the official library without its retries. Answers are streamed, so that they
 * can be cut off; complete responses are supported too. The API has no seed, and sampling parameters only in its
 * version of 2023, which is used for requests that have some.
 */
export function createAnthropicClient(options: ClientOptions): LlmClient {
  const { apiKey, baseUrl, timeoutSeconds, clock = systemClock } = options;
  const sdk = new Anthropic({
    apiKey,
    baseURL: baseUrl,
    timeout: Math.ceil(timeoutSeconds * 1000),
    maxRetries: 0,
    fetch: guardedFetch,
    logLevel: 'off',
    openTelemetry: false,
  });

  return {
    complete: (request, { signal }) =>
      attempt(request, signal, options, async (end) => {
        try {
          const sampled = request.temperature !== undefined || request.topP !== undefined;
          const headers = sampled ? { 'anthropic-version': VERSION_WITH_SAMPLING } : {};
          const sending = sdk.messages.create(bodyOf(request), { signal: end, headers });
          const response = await sending.asResponse();
          const requestId = response.headers.get('request-id');
          const reply = await receive(response, request.maxOutputTokens, {
            stream: (answer) => readStream(answer, sdk),
            whole: readWhole,
          });
          return { ...reply, requestId: requestId ?? reply.requestId };
        } catch (error) {
          if (!(error instanceof Anthropic.APIError)) throw error;
          if (error instanceof Anthropic.APIConnectionError) throw errorOfRequest(error);
          const { status, headers, type, apiMessage } = error;
          const said = apiMessage ?? error.message;
          throw errorOfRefusal({ status, kind: `${type}`, message: said, headers }, clock.now());
        }
      }),
  };
}

function bodyOf(request: LlmRequest) {
  const { model, messages, shape, temperature, topP, effort, maxOutputTokens } = request;
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  return {
    model,
    max_tokens: maxOutputTokens,
    messages: messages.flatMap(({ role, content }) =>
      role === 'system' ? [] : [{ role, content }],
    ),
    stream: true as const,
    ...(system.length > 0 && { system: system.join('\n\n') }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...((shape !== undefined || effort !== undefined) && {
      output_config: {
        ...(shape !== undefined && {
          format: { type: 'json_schema' as const, schema: { ...shape.schema } },
        }),
        ...(effort !== undefined && {
          effort: effort as NonNullable<Anthropic.OutputConfig['effort']>,
        }),
      },
    }),
  };
}

async function readStream(answer: BoundResponse, sdk: Anthropic): Promise<Reply> {
  const stream = Stream.fromSSEResponse<unknown>(answer.response, new AbortController(), sdk);
  const reply = { ...NO_REPLY };
  for await (const one of stream) {
    const found = check(event, one);
    if (found.message) addMessage(reply, found.message);
    reply.text += found.content_block?.text ?? '';
    reply.text += found.delta?.text ?? '';
    reply.finish = finishOf(found.delta?.stop_reason) ?? reply.finish;
    addUsage(reply, found.usage);
  }
  return endOf(reply, answer.isCut());
}

function readWhole(answer: unknown): Reply {
  const reply = { ...NO_REPLY };
  addMessage(reply, check(message, answer));
  return { ...reply, finish: reply.finish ?? 'stop' };
}

/** Adds a complete message, or the beginning of one. */
function addMessage(reply: Reply, found: z.infer<typeof message>): void {
  reply.requestId ??= found.id ?? null;
  reply.model ??= found.model ?? null;
  reply.text += found.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  reply.finish = finishOf(found.stop_reason) ?? reply.finish;
  addUsage(reply, found.usage);
}

/** Later counts are totals that replace earlier ones. */
function addUsage(reply: Reply, found: z.infer<typeof usage>): void {
  if (typeof found?.input_tokens === 'number') {
    const cached = (found.cache_creation_input_tokens ?? 0) + (found.cache_read_input_tokens ?? 0);
    reply.inputTokens = found.input_tokens + cached;
  }
  reply.outputTokens = found?.output_tokens ?? reply.outputTokens;
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw badResponse(`${firstIssue(parsed.error, value).path} is no message`);
}

function finishOf(reason: string | null | undefined): FinishReason | null {
  if (!reason) return null;
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length';
  return reason === 'refusal' ? 'refusal' : 'stop';
}
