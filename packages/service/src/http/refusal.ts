import { AlasError } from '@alas-jssp/core/errors';

/** A refusal with an HTTP status of its own, and optionally the time before a retry. */
export class ServiceRefusal extends AlasError {
  readonly status: number;
  readonly hint: string;
  /** Seconds. */
  readonly retryAfter: number | undefined;

  constructor(
    status: 400 | 401 | 403 | 404 | 405 | 406 | 408 | 413 | 415 | 429 | 431 | 503,
    code: string,
    problem: string,
    hint: string,
    retryAfter?: number,
  ) {
    super(code, `${problem}; ${hint}`);
    this.status = status;
    this.hint = hint;
    this.retryAfter = retryAfter;
  }

  /** The message without the hint. */
  get problem(): string {
    return this.message.slice(0, this.message.length - this.hint.length - 2);
  }
}
