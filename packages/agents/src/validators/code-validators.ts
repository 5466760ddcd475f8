import { errorLine, InputError } from '@alas-jssp/core/errors';
import {
  compileGuard,
  inputValidator,
  type Json,
  type Judged,
  stepValidator,
  type Verdict,
} from '@alas-jssp/workflow';
import { violationsOf } from '../tools/tool-checks.js';
import {
  type FaultFinder,
  type ReadyValidator,
  readyValidator,
  type ValidatorOptions,
} from './ready-validator.js';

/** Validates the syntax of an output: its JSON Schema. */
export function syntacticValidator(
  options: ValidatorOptions & { readonly schema: Readonly<Record<string, Json>> },
): ReadyValidator {
  violationsOf(options.schema, null);
  return readyValidator('syntactic', options, ({ value }) => violationsOf(options.schema, value));
}

/** A condition in JSONata, and the sentence that it stands for. */
export interface ConditionOptions extends ValidatorOptions {
  /**
   * A boolean expression over `$input`, `$output` and `$outputs`: input and output of the step, and the committed
   * outputs by path. For a validator of inputs `$input` is the input to deliver, and there is no `$output`.
   */
  readonly holds: string;
  /** Shown if it does not hold. Default: the condition. */
  readonly text?: string | undefined;
}

/**
 * Validates a constraint on an output: a condition that does not hold or cannot be evaluated is a fault.
 *
 * @throws InputError `bad_guard`
 */
export function constraintValidator(options: ConditionOptions): ReadyValidator {
  const test = conditionOf(options, 'output');
  return readyValidator('constraint', options, test);
}

/**
 * Validates that the outputs that a step depends on are committed (not undone), and that a condition on them holds.
 *
 * @throws InputError `bad_guard`
 */
export function dependencyValidator(
  options: ValidatorOptions & Partial<ConditionOptions> & { readonly after: readonly string[] },
): ReadyValidator {
  const { after, holds } = options;
  requireNames(options.name, 'after', after, 1);
  const test = holds === undefined ? () => [] : conditionOf({ ...options, holds }, 'input');
  return readyValidator('dependency', options, async (judged) => {
    const missing = after.filter((node) => !Object.hasOwn(judged.committed, node));
    if (missing.length === 0) return test(judged);
    return missing.map((node) => `the output of ${node} is not committed, or was undone`);
  });
}

/**
 * Validates that places have the same format, across the outputs of all agents.
 *
 * @param options `places` as in `Agreement` of the workflow package: `#/a` in the value, `NODE#/a` in an output
 */
export function consistencyValidator(
  options: ValidatorOptions & {
    readonly places: readonly string[];
    /** The JSON Schema of the value at each place. */
    readonly format: Readonly<Record<string, Json>>;
  },
): ReadyValidator {
  const { places, format } = options;
  requireNames(options.name, 'places', places, 1);
  violationsOf(format, null);
  return readyValidator('consistency', options, (judged) =>
    places.flatMap((place) => {
      const value = valueAtPlace(place, judged);
      if (value === undefined) return [`there is nothing at ${place}`];
      return violationsOf(format, value).map((violation) => `${place}: ${violation}`);
    }),
  );
}

/** Validates that nodes ended in an order, and that all are committed. */
export function temporalValidator(
  options: ValidatorOptions & { readonly order: readonly string[] },
): ReadyValidator {
  requireNames(options.name, 'order', options.order, 2);
  const judge = inputValidator({ after: options.order });
  return readyValidator('temporal', options, (judged) => messagesOf(judge(judged)));
}

/**
 * Validates that agents agree: places that hold the same value, or a condition on their outputs.
 *
 * @throws InputError `bad_guard`; `bad_validator` if there is nothing to agree on
 */
export function agreementValidator(
  options: ValidatorOptions &
    Partial<ConditionOptions> & { readonly places?: readonly string[] | undefined },
): ReadyValidator {
  const { name, places = [], holds } = options;
  if (holds === undefined) requireNames(name, 'places', places, 2);
  const test = holds === undefined ? () => [] : conditionOf({ ...options, holds }, 'input');
  const judge = stepValidator({ agreements: places.length === 0 ? [] : [{ name, places }] });
  return readyValidator('agreement', options, async (judged) => [
    ...messagesOf(judge(judged)),
    ...(await test(judged)),
  ]);
}

/**
 * Validates the boundary of a transaction before its results are used: all of its nodes are committed. If some are and
 * others are not, the rejection undoes those that are.
 */
export function boundaryValidator(
  options: ValidatorOptions & { readonly nodes: readonly string[] },
): ReadyValidator {
  const { nodes } = options;
  requireNames(options.name, 'nodes', nodes, 1);
  return readyValidator('boundary', options, ({ committed }) => {
    const done = nodes.filter((node) => Object.hasOwn(committed, node));
    if (done.length === nodes.length) return [];
    const missing = nodes.filter((node) => !done.includes(node)).join(', ');
    if (done.length === 0) return [`nothing of the transaction is committed: ${missing}`];
    return [`the transaction is partial: ${done.join(', ')} committed, but not ${missing}`];
  });
}

/** The test of a condition. A condition that cannot be evaluated does not hold. */
function conditionOf(
  { name, holds, text = holds }: ConditionOptions,
  of: 'output' | 'input',
): FaultFinder {
  const variables = { input: true, outputs: true, ...(of === 'output' && { output: true }) };
  const guard = compileGuard(holds, { variables });
  return async ({ value, input = null, committed: outputs }) => {
    const bindings =
      of === 'output' ? { input, output: value, outputs } : { input: value, outputs };
    try {
      return (await guard.evaluate(bindings)) ? [] : [`${name} does not hold: ${text}`];
    } catch (error) {
      return [`${name} cannot be evaluated: ${errorLine(error)}`];
    }
  };
}

/** The value at a place: `#/a/b` in the value itself, `NODE#/a/b` in the committed output of a node. */
export function valueAtPlace(place: string, { value, committed }: Judged): Json | undefined {
  const [, node, pointer] = /^(.*?)#(.*)$/.exec(place) ?? ['', place, ''];
  const keys = pointer.split('/').slice(1);
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Json | undefined>(
      (inner, key) =>
        inner !== null && typeof inner === 'object' && Object.hasOwn(inner, key)
          ? (inner as Readonly<Record<string, Json>>)[key]
          : undefined,
      node === '' ? value : committed[node],
    );
}

function messagesOf(verdict: Verdict): string[] {
  if (verdict.outcome !== 'reject') return [];
  return verdict.errors.map((error) => String((error as { readonly message?: Json }).message));
}

function requireNames(name: string, option: string, given: readonly string[], least: number): void {
  if (given.length >= least) return;
  throw new InputError(
    'bad_validator',
    `the validator ${name} has ${given.length} ${option}`,
    `give ${least} or more`,
  );
}
