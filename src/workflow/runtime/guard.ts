import { compileGuard, type Guard } from '../ir/guard/guard.js';
import type { Json } from '../log/entry.js';

const compiled = new Map<string, Guard>();

/**
 * Evaluates a guard over what it may see. The checker has the schemas; here the values tell.
 *
 * @throws InputError `bad_guard`, AlasError `guard_failed` if it is neither true nor false
 */
export function evaluateGuard(
  expression: string,
  bindings: Readonly<Record<string, Json>>,
): Promise<boolean> {
  let guard = compiled.get(expression);
  if (guard === undefined) {
    guard = compileGuard(expression, { variables: { input: true, output: true, outputs: true } });
    compiled.set(expression, guard);
  }
  return guard.evaluate(bindings);
}
