import { AlasError } from '@alas-jssp/core/errors';
import { type GuardScope, type GuardType, inferType, kindsOfType } from './infer.js';
import { type Bindings, quickEvaluator } from './quick.js';
import { type Ast, filtersOf, parseGuard, partsOf, refusal } from './syntax.js';

/** A compiled guard. */
export interface Guard {
  readonly expression: string;
  /** False if the schemas do not prove that it is a boolean: it fails at run time if it is none. */
  readonly typed: boolean;
  readonly reads: GuardReads;
  /**
   * Evaluates the guard. A missing value makes a comparison, and a guard, false.
   *
   * @param bindings the values of the variables, by name without `$`
   * @throws AlasError `guard_failed` if it cannot be evaluated on these values or is not a boolean
   */
  evaluate(bindings: Bindings): Promise<boolean>;
}

/** The parts of a run that a guard reads: an invariant is evaluated when they change. */
export interface GuardReads {
  /**
   * Ids of the nodes whose outputs it reads under `$outputs`, or `all` if it does not name them.
   */
  readonly outputs: readonly string[] | 'all';
  /** Whether it reads `$output`. */
  readonly output: boolean;
}

/**
 * Compiles an expression in the subset of JSONata that `docs/reference/workflow.md` describes. It has no
 * loops, user functions, clock or randomness, so that it terminates, and is deterministic. Its work
 * is bounded by its size (200 parts, filters nested twice), and to a million evaluation steps
 * whatever the input: the same on every machine.
 *
 * @param scope the schemas of its variables; `true` for unknown
 * @throws InputError `bad_guard` if it is outside the subset, reads a key that a closed object
 *   lacks, mixes types, or is not a boolean
 */
export function compileGuard(expression: string, scope: GuardScope): Guard {
  const { ast, run } = parseGuard(expression);
  const kinds = kindsOfType(insistOnBoolean(inferType(ast, scope)));
  const quick = quickEvaluator(ast);
  run.assign(AFTER_EACH as never, countStep);
  return {
    expression,
    typed: kinds !== undefined,
    reads: readsOf(ast),
    async evaluate(bindings) {
      let value = quick?.(bindings);
      if (typeof value === 'boolean') return value;
      try {
        value = await run.evaluate(undefined, { ...bindings, [COUNT]: { steps: 0 } });
      } catch (error) {
        throw failure(expression, (error as Error).message, bindings);
      }
      if (value === undefined) return false;
      if (typeof value === 'boolean') return value;
      throw failure(expression, `it is ${JSON.stringify(value)}, not a boolean`, bindings);
    },
  };
}

/** Limit of evaluation steps of a guard; a list counts as many as it has items. */
const MOST_STEPS = 1_000_000;

/** A hook that JSONata calls after each evaluated part of an expression. */
const AFTER_EACH = Symbol.for('jsonata.__evaluate_exit');

/** The variable that counts the steps of one evaluation; no expression can name it. */
const COUNT = '\0count';

function countStep(
  _part: unknown,
  _input: unknown,
  scope: { lookup(name: string): { steps: number } },
  result: unknown,
): void {
  const count = scope.lookup(COUNT);
  count.steps += Array.isArray(result) ? 1 + result.length : 1;
  if (count.steps > MOST_STEPS) throw new Error(`it takes more than ${MOST_STEPS} steps`);
}

function readsOf(ast: Ast): GuardReads {
  const nodes = new Set<string>();
  let all = false;
  let output = false;
  const visit = (part: Ast): void => {
    const [first, second] = part.steps ?? [];
    if (first?.type === 'variable' && first.value === 'outputs' && second !== undefined) {
      if (filtersOf(first).length > 0) all = true;
      nodes.add(String(second.value));
      for (const step of part.steps?.slice(1) ?? []) visit(step);
    } else {
      if (part.type === 'variable' && part.value === 'outputs') all = true;
      if (part.type === 'variable' && part.value === 'output') output = true;
      for (const child of partsOf(part)) visit(child);
    }
    for (const filter of filtersOf(part)) visit(filter);
  };
  visit(ast);
  return { outputs: all ? 'all' : [...nodes], output };
}

function insistOnBoolean(type: GuardType): GuardType {
  const stranger = [...(kindsOfType(type) ?? [])].find((kind) => kind !== 'boolean');
  if (stranger === undefined) return type;
  const hint = type.many ? 'a path through a list: use $count or a filter' : 'compare it';
  throw refusal(`the guard is of type ${stranger}, not boolean`, hint);
}

function failure(expression: string, problem: string, bindings: unknown): AlasError {
  return new AlasError('guard_failed', `the guard ${expression} failed: ${problem}`, bindings);
}
