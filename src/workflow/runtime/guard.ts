import jsonata from 'jsonata';
import { AlasError } from '../../core/errors.js';
import type { Json } from '../log/entry.js';

const compiled = new Map<string, ReturnType<typeof jsonata>>();

/**
 * Evaluates a guard over what it may see.
 *
 * @throws AlasError `GuardError` if it cannot be evaluated or is neither true nor false
 */
export async function evaluateGuard(
  expression: string,
  bindings: Readonly<Record<string, Json>>,
): Promise<boolean> {
  let result: unknown;
  try {
    let guard = compiled.get(expression);
    if (guard === undefined) {
      guard = jsonata(expression);
      compiled.set(expression, guard);
    }
    result = await guard.evaluate(bindings.input ?? null, { ...bindings });
  } catch (error) {
    const { message } = error as Error;
    throw new AlasError('GuardError', `the guard ${expression} fails: ${message}`, expression);
  }
  if (typeof result === 'boolean') return result;
  throw new AlasError('GuardError', `the guard ${expression} is neither true nor false`, result);
}
