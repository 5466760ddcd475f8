import { InputError } from '@alas-jssp/core/errors';
import { compileGuard, type JsonSchema } from '@alas-jssp/workflow';
import {
  type Ast,
  alternatives,
  filtersOf,
  parseGuard,
  partsOf,
  propertyOf,
} from '@alas-jssp/workflow/ir';
import { evaluateCondition } from './evaluate.js';
import { schemaAt } from './inputs.js';

/** The schemas of the variables of a condition, by name without `$`. */
export type ConditionVariables = Readonly<Record<string, JsonSchema>>;

/** A problem of a condition. */
export interface ConditionProblem {
  readonly code: 'bad_condition' | 'constant_condition';
  readonly message: string;
  readonly hint: string;
}

/**
 * Compiles a condition, and tries whether it depends on its variables: it is evaluated on values around its literals.
 *
 * @returns the problem of the condition; undefined if there is none
 */
export function problemOf(
  expression: string,
  variables: ConditionVariables,
): ConditionProblem | undefined {
  try {
    compileGuard(expression, { variables });
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    return { code: 'bad_condition', message: cause.problem, hint: cause.hint };
  }
  const read = Object.keys(variables).map((name) => `$${name}`);
  if (readsNoValue(expression, variables)) {
    return {
      code: 'constant_condition',
      message: `${expression} reads no value of ${read.join(', ')}`,
      hint: `compare values, such as ${read[read.length - 1]}.KEY, so that it can fail`,
    };
  }
  const value = constantOf(expression, variables);
  if (value === undefined) return undefined;
  return {
    code: 'constant_condition',
    message: `${expression} is always ${value}`,
    hint: `compare values of ${read.join(', ')} so that it can fail`,
  };
}

/** Whether a condition reads no variable, or only whole objects: it holds whatever is in them. */
function readsNoValue(expression: string, variables: ConditionVariables): boolean {
  return pathsOf(parseGuard(expression).ast).every(([variable, ...keys]) => {
    if (keys.length > 0) return false;
    const schema = Object.hasOwn(variables, variable) ? variables[variable] : true;
    return typeof schema === 'object' && schema.type === 'object';
  });
}

/** The value of a condition that is the same on all tried values; undefined if it varies or cannot be tried. */
export function constantOf(expression: string, variables: ConditionVariables): boolean | undefined {
  let ast: Ast;
  try {
    ({ ast } = parseGuard(expression));
  } catch {
    return undefined;
  }
  const paths = pathsOf(ast);
  const literals = literalsOf(ast);
  const axes = paths.map((path) => ({ path, values: valuesFor(path, variables, literals) }));
  // Objects as wholes are not tried.
  if (axes.some(({ values }) => values.length === 0)) return undefined;
  const seen = new Set<unknown>();
  for (const bindings of assignments(axes)) {
    const value = evaluateCondition(ast, bindings);
    // A missing value counts as false. Some values cannot be compared, which is no answer.
    if (value !== undefined && typeof value !== 'boolean') continue;
    seen.add(value ?? false);
    if (seen.size > 1) return undefined;
  }
  return seen.size === 0 ? undefined : seen.has(true);
}

/** The values that a condition reads and that its schemas do not guarantee, such as `$input.age`. */
export function unsureReads(expression: string, variables: ConditionVariables): readonly string[] {
  let ast: Ast;
  try {
    ({ ast } = parseGuard(expression));
  } catch {
    return [];
  }
  return pathsOf(ast)
    .filter(([variable, ...keys]) => !isSurelyThere(variables[variable] ?? true, keys))
    .map((path) => `$${path.join('.')}`);
}

function isSurelyThere(schema: JsonSchema, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  const found = alternatives(schema, {}).map((one) => propertyOf(one, key));
  return found.every(
    (one) => typeof one !== 'string' && one.sure && isSurelyThere(one.schema, rest),
  );
}

/** Limit of the assignments that are tried. */
const MOST = 2000;

/** Spreads the tried assignments over all of them, if these are more than {@link MOST}. */
const STRIDE = 7919;

interface Axis {
  readonly path: readonly string[];
  readonly values: readonly unknown[];
}

function* assignments(axes: readonly Axis[]): Generator<Record<string, unknown>> {
  const total = axes.reduce((product, { values }) => Math.min(product * values.length, 1e9), 1);
  for (let i = 0; i < Math.min(total, MOST); i++) {
    let index = (i * STRIDE) % total;
    const bindings: Record<string, unknown> = Object.create(null);
    for (const { path, values } of axes) {
      assign(bindings, path, values[index % values.length]);
      index = Math.floor(index / values.length);
    }
    yield bindings;
  }
}

/** Sets the value at a path; a path below a scalar replaces it. */
function assign(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let inside = target;
  for (const key of path.slice(0, -1)) {
    const next = inside[key];
    if (typeof next !== 'object' || next === null) inside[key] = Object.create(null);
    inside = inside[key] as Record<string, unknown>;
  }
  const last = path[path.length - 1];
  // Own properties only: the evaluator looks for no others.
  if (value !== undefined) inside[last] = value;
}

/** The paths of a condition, each with the name of its variable first. */
function pathsOf(ast: Ast): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  const visit = (part: Ast): void => {
    const [first, ...names] = part.type === 'path' ? (part.steps ?? []) : [part];
    if (first?.type === 'variable' && first.value !== '') {
      const path = [String(first.value), ...names.map(({ value }) => String(value))];
      found.set(JSON.stringify(path), path);
    } else for (const child of partsOf(part)) visit(child);
    for (const filter of filtersOf(part)) visit(filter);
  };
  visit(ast);
  return [...found.values()];
}

function literalsOf(ast: Ast): readonly unknown[] {
  const found = ['string', 'number', 'value'].includes(ast.type) ? [ast.value] : [];
  const parts = [...partsOf(ast), ...filtersOf(ast)];
  const own = ast.type === 'path' ? (ast.steps ?? []).slice(1) : [];
  const inner = parts.filter((part) => !own.includes(part)).flatMap(literalsOf);
  // The minus of a negative number is an operator.
  return [
    ...found,
    ...inner,
    ...inner.filter((one) => typeof one === 'number').map((one) => -(one as number)),
  ];
}

/** Values for a path: around the literals of the condition, of the types that the schema allows. */
function valuesFor(
  [variable, ...keys]: readonly string[],
  variables: ConditionVariables,
  literals: readonly unknown[],
): readonly unknown[] {
  const schema = schemaAt(Object.hasOwn(variables, variable) ? variables[variable] : true, keys);
  const numbers = literals.filter((one): one is number => typeof one === 'number');
  const texts = literals.filter((one): one is string => typeof one === 'string');
  const pool: unknown[] = [
    ...new Set([...numbers.flatMap((one) => [one - 1, one, one + 1]), 0, 1e6, -1e6]),
    ...new Set([...texts, 'some text', 'other text', '']),
    true,
    false,
    null,
  ];
  if (typeof schema === 'boolean') return [...pool, undefined];
  const missing = isSurelyThere(variables[variable] ?? true, keys) ? [] : [undefined];
  if (Array.isArray(schema.enum)) return [...schema.enum, ...missing];
  if (Object.hasOwn(schema, 'const')) return [schema.const, ...missing];
  if (schema.type === 'array') return [...listsFor(schema, pool), ...missing];
  if (schema.type === 'object') return [];
  const fitting = pool.filter((value) => fits(value, schema));
  return fitting.length === 0 ? [...pool, undefined] : [...fitting, ...missing];
}

/** Lists of no, one and more items, as far as the schema allows them. */
function listsFor(
  { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Exclude<JsonSchema, boolean>,
  pool: readonly unknown[],
): readonly unknown[] {
  const item = typeof items === 'object' && items !== null ? (items as JsonSchema) : true;
  const values = [0, 1, 2, 3].map((turn) => itemFor(item, pool, turn));
  const lists = [[], values.slice(0, 1), values.slice(0, 2), values];
  return lists.filter(
    ({ length }) => length >= (minItems as number) && length <= (maxItems as number),
  );
}

/** An item of a list; its members differ from those of the items before. */
function itemFor(schema: JsonSchema, pool: readonly unknown[], turn: number): unknown {
  if (typeof schema === 'boolean') return pool[turn % pool.length];
  if (schema.type !== 'object' || typeof schema.properties !== 'object') {
    const values = Array.isArray(schema.enum)
      ? schema.enum
      : pool.filter((one) => fits(one, schema));
    return values[turn % Math.max(values.length, 1)];
  }
  const members = Object.entries(schema.properties as Record<string, JsonSchema>);
  return Object.fromEntries(members.map(([key, inner]) => [key, itemFor(inner, pool, turn)]));
}

function fits(value: unknown, schema: Exclude<JsonSchema, boolean>): boolean {
  const { type, minimum, maximum } = schema;
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum) return false;
    if (typeof maximum === 'number' && value > maximum) return false;
  }
  if (typeof type !== 'string') return true;
  if (value === null) return type === 'null';
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
