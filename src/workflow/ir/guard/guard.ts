import { AlasError } from '../../../core/errors.js';
import { type GuardScope, type GuardType, inferType, kindsOfType } from './infer.js';
import { type Bindings, quickEvaluator } from './quick.js';
import { parseGuard, refusal } from './syntax.js';

/** A guard that was checked and can be asked. */
export interface Guard {
  readonly expression: string;
  /** False if the schemas do not tell that it is a boolean: then it fails where it is none. */
  readonly typed: boolean;
  /**
   * Whether the guard holds. What is missing makes a comparison, and a guard, false.
   *
   * @param bindings the values of the variables, by name without `$`
   * @throws AlasError `guard_failed` if it cannot be evaluated on these values or is no boolean
   */
  evaluate(bindings: Bindings): Promise<boolean>;
}

/**
 * Makes a guard of an expression in the subset of JSONata that `docs/workflow.md` describes. It has
 * no loops, functions of its own, clock or chance, so that it ends, and holds again on the same
 * values. Its work is bounded by its size (200 parts, filters nested twice) and by its input: at
 * most parts × items² steps, and 5 seconds whatever the input.
 *
 * @param scope the schemas of its variables; `true` for what is not known
 * @throws InputError `bad_guard` if it is outside the subset, speaks of a key that a closed object
 *   does not have, mixes types, or is no boolean
 */
export function compileGuard(expression: string, scope: GuardScope): Guard {
  const { ast, run } = parseGuard(expression);
  const kinds = kindsOfType(insistOnBoolean(inferType(ast, scope)));
  const quick = quickEvaluator(ast);
  return {
    expression,
    typed: kinds !== undefined,
    async evaluate(bindings) {
      let value = quick?.(bindings);
      if (typeof value === 'boolean') return value;
      try {
        value = await run.evaluate(undefined, bindings);
      } catch (error) {
        throw failure(expression, (error as Error).message, bindings);
      }
      if (value === undefined) return false;
      if (typeof value === 'boolean') return value;
      throw failure(expression, `it is ${JSON.stringify(value)}, not a boolean`, bindings);
    },
  };
}

function insistOnBoolean(type: GuardType): GuardType {
  const stranger = [...(kindsOfType(type) ?? [])].find((kind) => kind !== 'boolean');
  if (stranger === undefined) return type;
  const cure = type.many ? 'a path through a list: use $count or a filter' : 'compare it';
  throw refusal(`the guard is of type ${stranger}, not boolean`, cure);
}

function failure(expression: string, problem: string, bindings: unknown): AlasError {
  return new AlasError('guard_failed', `the guard ${expression} failed: ${problem}`, bindings);
}
