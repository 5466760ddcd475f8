import { InputError } from '@alas-jssp/core/errors';

/** Compiles an expression of a policy. @throws InputError with its place in the policy */
export function compiledAt<T>(path: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.code, error.problem, error.hint, { path });
  }
}
