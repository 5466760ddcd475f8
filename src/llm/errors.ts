import { AlasError } from '@alas-jssp/core/errors';
import { restoreErrorsOf } from '@alas-jssp/core/sent-error';

/** Codes of transient errors, after which the caller may retry. */
export const RETRYABLE_CODES = [
  /** The provider allows no more requests or tokens for now. */
  'RateLimited',
  /** The provider failed or is overloaded. */
  'ServerError',
  /** No complete answer arrived in time. */
  'Timeout',
  /** There was no connection, or it broke. */
  'Connection',
  /** The reply violates the provider's protocol, or is truncated. */
  'BadResponse',
] as const;

/** Codes of permanent errors, which a retry cannot fix. */
export const FINAL_CODES = [
  /** The key is invalid, or the account lacks permission. */
  'Unauthorized',
  /** The provider does not accept the request, such as a model that it does not have. */
  'BadRequest',
  /** The request is longer than the model's context. */
  'ContextTooLong',
  /** The run may not spend more. */
  'BudgetSpent',
  /** The provider needs a key, and none is valid. */
  'MissingKey',
  /** Only stored answers are allowed, and this one is missing. */
  'MissingAnswer',
] as const;

export type LlmErrorCode = (typeof RETRYABLE_CODES)[number] | (typeof FINAL_CODES)[number];

/** The reason why a model did not answer. Neither the message nor the value contains a key. */
export class LlmError extends AlasError {
  declare readonly code: LlmErrorCode;
  /** Seconds to wait as the provider requests; null if it does not. */
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

restoreErrorsOf(LlmError);

/** Whether another attempt may help. */
export function isRetryable(error: unknown): error is LlmError {
  return error instanceof LlmError && RETRYABLE_CODES.some((code) => code === error.code);
}
