import { InputError } from '@alas-jssp/core/errors';
import { isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { badPlan } from './bad-plan.js';
import type { NamedInterval } from './interval-operations.js';

/** Detects the model and the response of CP-SAT in one document, or one of them alone, which {@link intervalsOfCpSat} refuses. */
export function isCpSat(document: Record<string, unknown>): boolean {
  if (isObject(document.model) && ('response' in document || 'constraints' in document.model)) {
    return true;
  }
  const { solution, variables, constraints } = document;
  const isModel = Array.isArray(variables) && Array.isArray(constraints);
  return isModel || (Array.isArray(solution) && solution.every(isInteger) && 'status' in document);
}

/**
 * The intervals of a solution of CP-SAT: `CpModelProto` as `model` and `CpSolverResponse` as `response`, as `MessageToJson`
 * of protobuf writes them. The values of the response have no names, so it takes both.
 *
 * @throws InputError with file and JSON path of a part that is missing, or an interval without a name
 */
export function intervalsOfCpSat(
  document: Record<string, unknown>,
  file?: string,
): { readonly status: unknown; readonly intervals: () => NamedInterval[] } {
  const { model, response } = document;
  if (!isObject(model) || !isObject(response)) {
    const problem = `the ${isObject(model) || 'variables' in document ? 'response' : 'model'} of CP-SAT is missing`;
    const hint =
      'write both in one document: {"model": CpModelProto, "response": CpSolverResponse}';
    throw new InputError('bad_plan', problem, hint, { file });
  }
  // protobuf omits the status 0.
  const { status = 'UNKNOWN' } = response;
  return { status, intervals: () => readIntervals(model, response.solution, file) };
}

function readIntervals(
  model: Record<string, unknown>,
  solution: unknown,
  file: string | undefined,
): NamedInterval[] {
  const values = Array.isArray(solution) ? solution : [];
  const variableOf = (variable: unknown, path: JsonPath): number => {
    const value = isInteger(variable) ? values[Number(variable)] : undefined;
    if (isInteger(value)) return Number(value);
    const hint =
      'give the response of this model: its solution has a whole number of each variable';
    throw badPlan(value, ['response', 'solution', Number(variable)], hint, file, path);
  };
  /** The value of a variable, or of the negation of one, which is numbered from −1 down. */
  const literal = (reference: unknown, path: JsonPath) =>
    Number(reference) < 0
      ? 1 - variableOf(-Number(reference) - 1, path)
      : variableOf(reference, path);
  const { constraints = [] } = model;
  if (!Array.isArray(constraints)) {
    throw badPlan(constraints, ['model', 'constraints'], 'give a list', file);
  }
  const list: NamedInterval[] = [];
  for (const [i, constraint] of constraints.entries()) {
    if (!isObject(constraint) || !isObject(constraint.interval)) continue;
    const path = ['model', 'constraints', i];
    const { name, interval } = constraint;
    if (typeof name !== 'string') {
      throw badPlan(name, [...path, 'name'], 'name the interval in the model', file);
    }
    const enforced = constraint.enforcementLiteral ?? constraint.enforcement_literal ?? [];
    const literals: unknown[] = Array.isArray(enforced) ? enforced : [];
    const isPresent = literals.every((one) => literal(one, path) === 1);
    const [start, end] = (['start', 'end'] as const).map((key) => {
      const place = [...path, 'interval', key];
      return valueOfExpression(interval[key], place, variableOf, file);
    });
    list.push({ name, start, end, isPresent, path });
  }
  return list;
}

/** The value of a linear expression, of which protobuf omits empty parts. */
function valueOfExpression(
  expression: unknown,
  path: JsonPath,
  variableOf: (variable: unknown, path: JsonPath) => number,
  file: string | undefined,
): number {
  if (!isObject(expression)) throw badPlan(expression, path, 'give a linear expression', file);
  const { vars = [], coeffs = [], offset = 0 } = expression;
  const isWhole = [vars, coeffs, [offset]].every(
    (list) => Array.isArray(list) && list.every(isInteger),
  );
  const [variables, factors] = [vars as unknown[], coeffs as unknown[]];
  if (!isWhole || variables.length !== factors.length) {
    throw badPlan(expression, path, 'give vars, coeffs and offset as whole numbers', file);
  }
  return variables.reduce((sum: number, variable, i) => {
    const factor = Number(factors[i]);
    // A negative reference is the negated variable.
    return Number(variable) < 0
      ? sum - factor * variableOf(-Number(variable) - 1, path)
      : sum + factor * variableOf(variable, path);
  }, Number(offset));
}

/** Whole numbers: protobuf writes those of 64 bits in quotes. */
function isInteger(value: unknown): boolean {
  return typeof value === 'string' ? /^-?\d{1,15}$/.test(value) : Number.isSafeInteger(value);
}
