import { AlasError } from '../core/errors.js';

/** Codes of transient errors, after which the caller may retry. */
export const RETRYABLE_CODES = [
  /** The provider allows no more requests or tokens for now. */
  'RateLimited',
  /** The provider failed or is overloaded. */
  'ServerError',
  /** No whole answer came in time. */
  'Timeout',
  /** There was no connection, or it broke. */
  'Connection',
  /** The reply is no answer of the provider's protocol, or breaks off. */
  'BadResponse',
] as const;

/** Codes of errors that every further attempt would meet again. */
export const FINAL_CODES = [
  /** The key, or what the account may do, is refused. */
  'Unauthorized',
  /** The provider does not accept the request, such as a model that it does not have. */
  'BadRequest',
  /** The request is longer than the model's context. */
  'ContextTooLong',
  /** The run may not spend more. */
  'BudgetSpent',
  /** The provider wants a key, and there is none that could be one. */
  'MissingKey',
  /** Only stored answers may be given, and this one is not there. */
  'MissingAnswer',
] as const;

export type LlmErrorCode = (typeof RETRYABLE_CODES)[number] | (typeof FINAL_CODES)[number];

/** The reason why a model did not answer. Neither message nor value hold a key. */
export class LlmError extends AlasError {
  declare readonly code: LlmErrorCode;
  /** Seconds that the provider asks to wait; null if it does not. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: LlmErrorCode,
    message: string,
    value?: unknown,
    retryAfterSeconds: number | null = null,
  ) {
    super(code, message, value);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether another attempt may help. */
export function isRetryable(error: unknown): error is LlmError {
  return error instanceof LlmError && RETRYABLE_CODES.some((code) => code === error.code);
}
