import { AlasError, InputError } from './errors.js';

/** An error as it goes from thread to thread, where errors lose their class. The values that it names stay behind. */
export interface SentError {
  /** Empty for one that is a fault of ours. */
  readonly code: string;
  readonly message: string;
  /** Of an `InputError`. */
  readonly input?: Pick<InputError, 'problem' | 'cure' | 'location'>;
  /** Of faults of ours. */
  readonly stack?: string | undefined;
}

/** An error for another thread. */
export function packError(error: unknown): SentError {
  if (error instanceof InputError) {
    const { code, message, problem, cure, location } = error;
    return { code, message, input: { problem, cure, location } };
  }
  if (error instanceof AlasError) return { code: error.code, message: error.message };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { code: '', message, stack };
}

/** The error that another thread has sent. */
export function unpackError({ code, message, input, stack }: SentError): Error {
  if (input !== undefined) return new InputError(code, input.problem, input.cure, input.location);
  if (code !== '') return new AlasError(code, message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
