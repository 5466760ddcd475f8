import { InputError } from '@alas-jssp/core/errors';

/** The message of the InputError that a call throws; anything else fails the test. */
export function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}
