import { AlasError } from '../../core/errors.js';

/** A refusal that has a status of its own in HTTP, and perhaps a time after which to try again. */
export class ServiceRefusal extends AlasError {
  readonly status: number;
  readonly cure: string;
  /** Seconds. */
  readonly retryAfter: number | undefined;

  constructor(
    status: 400 | 401 | 403 | 404 | 405 | 406 | 408 | 413 | 415 | 429 | 431 | 503,
    code: string,
    problem: string,
    cure: string,
    retryAfter?: number,
  ) {
    super(code, `${problem}; ${cure}`);
    this.status = status;
    this.cure = cure;
    this.retryAfter = retryAfter;
  }

  /** The message without the cure. */
  get problem(): string {
    return this.message.slice(0, this.message.length - this.cure.length - 2);
  }
}
