import { LlmError, type LlmErrorCode } from '../errors.js';

/** An error reply of a provider. */
export interface ProviderRefusal {
  /** HTTP status; undefined if the error came inside an answer. */
  readonly status: number | undefined;
  /** Its names for the error: code and type. */
  readonly kind: string;
  readonly message: string;
  readonly headers?: Headers | undefined;
}

const LONGEST_MESSAGE = 300;

const TOO_LONG =
  /context.?(length|window|size)|maximum context|prompt is too long|too many (input )?tokens|exceeds? .{0,40}context/i;
const NO_CREDIT = /insufficient_quota|billing/i;
/** Messages that identify a failure if its kind does not; Gemini mentions billing for every rate limit. */
const NO_CREDIT_SAID = /credit balance/i;

/** Kinds of errors by status, kind or message; the first match counts. */
const KINDS: readonly [LlmErrorCode, string, (refusal: ProviderRefusal) => boolean][] = [
  [
    'Unauthorized',
    'the account has no credit left',
    ({ status, kind, message }) =>
      status === 402 || NO_CREDIT.test(kind) || NO_CREDIT_SAID.test(message),
  ],
  [
    'RateLimited',
    'the provider allows no more requests for now',
    ({ status, kind }) => status === 429 || /rate_?limit|too_many_requests/i.test(kind),
  ],
  [
    'Unauthorized',
    'the provider refuses the key',
    ({ status, kind }) =>
      status === 401 || status === 403 || /authentication|permission|invalid_api_key/i.test(kind),
  ],
  [
    'ContextTooLong',
    "the request is longer than the model's context",
    ({ status, kind, message }) => status === 413 || TOO_LONG.test(`${kind} ${message}`),
  ],
  ['Timeout', 'the provider gave up waiting', ({ status }) => status === 408],
  [
    'BadRequest',
    'the server redirects: give the URL that it names, if you trust it',
    ({ status = 0 }) => status >= 300 && status < 400,
  ],
  [
    'BadRequest',
    'the provider does not accept the request',
    ({ status = 0, kind }) =>
      (status >= 400 && status < 500 && status !== 409) || /invalid_request|not_found/i.test(kind),
  ],
  ['ServerError', 'the provider failed', () => true],
];

/** The error for a provider's error reply; it may still contain secrets. */
export function errorOfRefusal(refusal: ProviderRefusal, now: number): LlmError {
  const [code, what] = KINDS.find(([, , fits]) => fits(refusal)) ?? KINDS[KINDS.length - 1];
  const { status, message, headers } = refusal;
  const place = status === undefined ? '' : ` (${status})`;
  const wait = headers === undefined ? null : retryAfter(headers, now);
  return new LlmError(code, `${what}${place}: ${message || 'no reason given'}`, status, wait);
}

/** The error for an exception that is not a reply of the provider. */
export function errorOfRequest(error: unknown): LlmError {
  if (error instanceof LlmError) return error;
  const cause = rootCause(error);
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  const words = [cause.message, code].filter((part, i, all) => part && !all[i - 1]?.includes(part));
  const text = words.join(', ');
  if (cause instanceof SyntaxError) return badResponse(text);
  if (/TIMEOUT|timed? ?out/i.test(text)) {
    return new LlmError('Timeout', `the server does not answer: ${text}`);
  }
  return new LlmError('Connection', `the connection failed: ${text}`);
}

/** The error for an invalid answer. */
export function badResponse(problem: string): LlmError {
  return new LlmError('BadResponse', `the answer cannot be read: ${problem}`);
}

/** The same error, redacted first, then reduced to one line, then shortened. */
export function presentable(error: LlmError, redact: (text: string) => string): LlmError {
  const line = redact(error.message).replaceAll(/\s+/g, ' ').trim();
  const message =
    line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE).trimEnd()} …` : line;
  return new LlmError(error.code, message, error.value, error.retryAfterSeconds);
}

/**
 * Seconds to wait, by `retry-after-ms` or by `Retry-After` (RFC 9110, section 10.2.3) in seconds or as a date; null if
 * neither is given.
 *
 * @param now milliseconds since 1970
 */
function retryAfter(headers: Headers, now: number): number | null {
  const milliseconds = headers.get('retry-after-ms');
  if (milliseconds !== null && milliseconds !== '') return notNegative(Number(milliseconds) / 1000);
  const text = headers.get('retry-after');
  if (text === null || text === '') return null;
  const seconds = Number(text);
  return notNegative(Number.isNaN(seconds) ? (Date.parse(text) - now) / 1000 : seconds);
}

function notNegative(seconds: number): number | null {
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

/** Errors of fetch have their reason only in the cause. */
function rootCause(error: unknown): Error {
  let cause = error instanceof Error ? error : new Error(String(error));
  for (let depth = 0; depth < 5 && cause.cause instanceof Error; depth++) cause = cause.cause;
  return cause;
}
