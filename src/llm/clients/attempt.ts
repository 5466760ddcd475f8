import { type Clock, monotonicSeconds, systemClock } from '@alas-jssp/core/clock';
import { createRedactor } from '@alas-jssp/core/secret-text';
import type { Answer, FinishReason, LlmRequest } from '../client.js';
import { LlmError } from '../errors.js';
import { estimateInput } from '../request-key.js';
import { estimateTokens } from '../token-estimate.js';
import { unlessAborted } from '../unless-aborted.js';
import { badResponse, errorOfRequest, presentable } from './failure.js';

/** The reply to a request; null for values that the provider does not report. */
export interface Reply {
  text: string;
  finish: FinishReason | null;
  inputTokens: number | null;
  outputTokens: number | null;
  model: string | null;
  requestId: string | null;
}

export const NO_REPLY: Readonly<Reply> = {
  text: '',
  finish: null,
  inputTokens: null,
  outputTokens: null,
  model: null,
  requestId: null,
};

/**
 * Makes one attempt: enforces the timeout, throws all errors as LlmErrors without secrets, and estimates tokens that
 * the provider does not report.
 *
 * @param send does the request; its errors may contain secrets
 * @throws LlmError; the reason of `signal` once that is aborted
 */
export async function attempt(
  request: LlmRequest,
  signal: AbortSignal | undefined,
  { apiKey, timeoutSeconds, secrets = [], clock = systemClock }: ClientOptions,
  send: (signal: AbortSignal) => Promise<Reply>,
): Promise<Answer> {
  const redact = createRedactor(apiKey === null ? secrets : [apiKey, ...secrets]);
  const start = monotonicSeconds();
  const end = new AbortController();
  const giveUp = () => end.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', giveUp, { once: true });
  clock.sleep(timeoutSeconds * 1000, end.signal).then(
    () => end.abort(new LlmError('Timeout', `there was no whole answer in ${timeoutSeconds} s`)),
    () => {},
  );
  try {
    // The libraries do not handle this: some treat an abort in the middle of an answer as its end.
    const reply = await unlessAborted(send(end.signal), end.signal);
    return answerOf(reply, request, monotonicSeconds() - start, redact);
  } catch (error) {
    signal?.throwIfAborted();
    throw presentable(errorOfRequest(end.signal.aborted ? end.signal.reason : error), redact);
  } finally {
    signal?.removeEventListener('abort', giveUp);
    end.abort();
  }
}

/** The finish reason of an answer if the provider did not report it; its token count is then incomplete. */
export function endOf(reply: Reply, isCut: boolean): Reply {
  if (isCut && reply.text !== '') return { ...reply, finish: 'length', outputTokens: null };
  if (isCut) throw badResponse('it is far longer than was allowed');
  if (reply.finish === null) throw badResponse('it breaks off before its end');
  return reply;
}

function answerOf(
  reply: Reply,
  request: LlmRequest,
  seconds: number,
  redact: (text: string) => string,
): Answer {
  const { inputTokens, outputTokens } = reply;
  return {
    text: redact(reply.text),
    finish: reply.finish ?? 'stop',
    tokens: {
      input: inputTokens ?? estimateInput(request),
      output: outputTokens ?? estimateTokens(reply.text),
      estimated: inputTokens === null || outputTokens === null,
    },
    model: redact(reply.model ?? request.model),
    requestId: reply.requestId === null ? null : redact(reply.requestId),
    seconds,
    usd: null,
    stored: false,
  };
}

/** Settings of the client of a provider. */
export interface ClientOptions {
  /** Null for servers that need none. */
  readonly apiKey: string | null;
  readonly baseUrl: string;
  /** Limit of one attempt, from the request to the end of the answer. */
  readonly timeoutSeconds: number;
  /** Texts besides the key that must not appear in errors or answers. */
  readonly secrets?: readonly string[] | undefined;
  /** Times the attempts. Default: the wall clock. */
  readonly clock?: Clock | undefined;
}
