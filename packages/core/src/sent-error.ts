import { AlasError, type ErrorFacts, InputError } from './errors.js';

/** An error in transit between threads, where errors lose their class. Its value is not transferred. */
export interface SentError {
  /** Empty for an internal error. */
  readonly code: string;
  readonly message: string;
  /** Of an `InputError`. */
  readonly input?: Pick<InputError, 'problem' | 'hint' | 'location'>;
  readonly facts?: ErrorFacts | undefined;
  /** Only for internal errors. */
  readonly stack?: string | undefined;
}

/** Packs an error for another thread. */
export function packError(error: unknown): SentError {
  if (error instanceof InputError) {
    const { code, message, problem, hint, location, facts } = error;
    return { code, message, input: { problem, hint, location }, facts };
  }
  if (error instanceof AlasError) {
    const { code, message, facts } = error;
    return { code, message, facts };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { code: '', message, stack };
}

/** Restores an error from another thread. */
export function unpackError({ code, message, input, facts, stack }: SentError): Error {
  if (input !== undefined) {
    const { problem, hint, location } = input;
    return new InputError(code, problem, hint, location, undefined, facts);
  }
  if (code !== '') return new AlasError(code, message, undefined, facts);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
