import { type Ast, filtersOf } from './syntax.js';

/** The values of the variables, by name without `$`. */
export type Bindings = Readonly<Record<string, unknown>>;

/** Signals that JSONata must evaluate the guard: lists, compared objects, and all errors. */
export const UNDECIDED = Symbol('undecided');

/** A fast evaluator: returns a scalar, undefined for a missing value, or {@link UNDECIDED}. */
export type Quick = (bindings: Bindings) => unknown;

/**
 * Makes a fast evaluator of the most frequent guards: paths through objects, scalars, comparisons,
 * `and`, `or`, `$not`, `$exists` and `$type`. It returns the same as JSONata, which takes many
 * times as long, or leaves the value to JSONata.
 *
 * @returns undefined for expressions with other parts
 */
export function quickEvaluator(ast: Ast): Quick | undefined {
  if (filtersOf(ast).length > 0) return undefined;
  switch (ast.type) {
    case 'value':
    case 'number':
    case 'string':
      return () => ast.value;
    case 'variable':
      return (bindings) => bindings[String(ast.value)];
    case 'path':
      return path(ast.steps ?? []);
    case 'block':
      return quickEvaluator((ast.expressions as readonly Ast[])[0]);
    case 'binary':
      return binary(ast);
    case 'function':
      return call(ast);
    default:
      return undefined;
  }
}

function path([first, ...names]: readonly Ast[]): Quick | undefined {
  if (first.type !== 'variable' || [first, ...names].some((step) => filtersOf(step).length > 0)) {
    return undefined;
  }
  const base = String(first.value);
  const keys = names.map(({ value }) => String(value));
  return (bindings) => {
    let found = bindings[base];
    for (const key of keys) {
      if (Array.isArray(found)) return UNDECIDED;
      const inside = typeof found === 'object' && found !== null && Object.hasOwn(found, key);
      found = inside ? (found as Record<string, unknown>)[key] : undefined;
    }
    return found;
  };
}

function binary(ast: Ast): Quick | undefined {
  const left = quickEvaluator(ast.lhs as Ast);
  const right = ast.rhs && quickEvaluator(ast.rhs);
  if (left === undefined || right === undefined) return undefined;
  const sign = String(ast.value);
  if (sign === 'and' || sign === 'or') return connective(left, right, sign === 'or');
  const compare = COMPARISONS[sign];
  return compare && ((bindings) => compare(left(bindings), right(bindings)));
}

/** `and` and `or` evaluate the right side only if the left one does not decide. */
function connective(left: Quick, right: Quick, decisive: boolean): Quick {
  return (bindings) => {
    const first = truth(left(bindings));
    return first === !decisive ? truth(right(bindings)) : first;
  };
}

/** The truth of a value; a missing one counts as false. */
function truth(value: unknown): unknown {
  if (value === undefined) return false;
  return typeof value === 'boolean' ? value : UNDECIDED;
}

type Compare = (a: unknown, b: unknown) => unknown;

const COMPARISONS: Readonly<Record<string, Compare>> = {
  '=': equality((a, b) => a === b),
  '!=': equality((a, b) => a !== b),
  '<': order((a, b) => a < b),
  '<=': order((a, b) => a <= b),
  '>': order((a, b) => a > b),
  '>=': order((a, b) => a >= b),
};

/** A missing value equals nothing and differs from nothing. */
function equality(holds: (a: unknown, b: unknown) => boolean): Compare {
  return (a, b) => {
    if (!isScalar(a) || !isScalar(b)) return UNDECIDED;
    return a !== undefined && b !== undefined && holds(a, b);
  };
}

function order(holds: (a: number, b: number) => boolean): Compare {
  return (a, b) => {
    const same = typeof a === typeof b && (typeof a === 'number' || typeof a === 'string');
    return same ? holds(a as number, b as number) : UNDECIDED;
  };
}

function isScalar(value: unknown): boolean {
  return value === null || (value !== UNDECIDED && !['object', 'function'].includes(typeof value));
}

function call({ procedure, arguments: given = [] }: Ast): Quick | undefined {
  const name = String(procedure?.value);
  const apply = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  const argument = given.length === 1 ? quickEvaluator(given[0]) : undefined;
  if (apply === undefined || argument === undefined) return undefined;
  return (bindings) => {
    const value = argument(bindings);
    return value === UNDECIDED || Array.isArray(value) ? UNDECIDED : apply(value);
  };
}

const FUNCTIONS: Readonly<Record<string, (value: unknown) => unknown>> = {
  exists: (value) => value !== undefined,
  not: (value) => {
    if (value === undefined) return undefined;
    return typeof value === 'boolean' ? !value : UNDECIDED;
  },
  type: (value) => {
    if (value === undefined) return undefined;
    if (value === null) return 'null';
    const odd = typeof value === 'number' ? !Number.isFinite(value) : typeof value === 'function';
    return odd ? UNDECIDED : typeof value;
  },
};
