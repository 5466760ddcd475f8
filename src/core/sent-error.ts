import { AlasError, type ErrorFacts, InputError } from './errors.js';

/** An error as it goes from thread to thread, where errors lose their class. The values that it names stay behind. */
export interface SentError {
  /** Empty for one that is a fault of ours. */
  readonly code: string;
  readonly message: string;
  /** Of an `InputError`. */
  readonly input?: Pick<InputError, 'problem' | 'hint' | 'location'>;
  readonly facts?: ErrorFacts | undefined;
  /** Of faults of ours. */
  readonly stack?: string | undefined;
}

/** An error for another thread. */
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

/** The error that another thread has sent. */
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
