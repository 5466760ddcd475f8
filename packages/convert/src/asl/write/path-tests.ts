import { type Ast, filtersOf, parseGuard } from '@alas-jssp/workflow/ir';
import { expression, follow, objectQuery } from '../jsonata.js';
import { NameRegister } from '../names.js';
import type { State } from './scope.js';

/**
 * A guard as tests in JSONPath. None of them fails on any input: a missing path would, so that its
 * existence is tested first.
 */
export interface PathTests {
  /** Whether it holds. */
  readonly holds: State;
  /** Whether it cannot be evaluated, or is not a boolean; absent if that never occurs. */
  readonly fails?: State;
  /** Whether it has no value, since it compares a missing value; absent if that never occurs. */
  readonly missing?: State;
}

/** The values that guards read, looked up in advance: in JSONata a path goes through lists, too. */
export class ReadValues {
  readonly #names = new NameRegister(cleanName, NO_KEYS);
  readonly #queries = new Map<string, string>();

  /** The path in JSONPath of a place in the input. */
  pathOf(keys: readonly string[]): string {
    if (keys.length === 0) return '$.input';
    const query = follow('$input', keys);
    const name = this.#names.of(query, keys.join('_'));
    this.#queries.set(query, name);
    return `$.read.${name}`;
  }

  /** The template of the input and of the values read from it. */
  template(input: string): State {
    const read = objectQuery([...this.#queries].map(([query, name]) => [name, query]));
    return { input: expression(input), read: expression(`($input := ${input}; ${read})`) };
  }
}

function cleanName(wanted: string): string {
  return wanted.replace(/\W+/g, '_').replace(/^(?=\d)/, '_');
}

/** Words that some readers of JSONPath treat as operators. */
const NO_KEYS = ['parent', 'where', 'wherenot', 'flatten', 'this'];

/**
 * A guard in JSONPath; undefined if it cannot be expressed: with arithmetic, with functions other
 * than `$exists`, `$type` and `$not`, with filters, or with values whose equality (lists, objects)
 * or truth only JSONata defines.
 */
export function pathTests(guard: string, values: ReadValues): PathTests | undefined {
  const ast = unwrapped(parseGuard(guard).ast);
  const path = pathOf(ast, values);
  if (path === undefined) return testsOf(ast, values);
  return {
    holds: all([present(path), is(path, 'Boolean'), test(path, 'BooleanEquals', true)]),
    fails: all([present(path), is(path, 'Boolean', false)]),
  };
}

function testsOf(ast: Ast, values: ReadValues): PathTests | undefined {
  const { type, value } = ast;
  const part = (child: unknown) => testsOf(unwrapped(child as Ast), values);
  if (type === 'value' && typeof value === 'boolean') {
    return { holds: test('$.input', 'IsPresent', value) };
  }
  if (type === 'function') return callTests(ast, values);
  if (type !== 'binary') return undefined;
  if (value !== 'and' && value !== 'or') return comparison(ast, values);
  const left = part(ast.lhs);
  const right = part(ast.rhs);
  if (left === undefined || right === undefined) return undefined;
  const join = value === 'and' ? all : any;
  // The right side is only evaluated where the left one does not decide.
  const asked = value === 'and' ? left.holds : not(left.holds);
  const fails = [left.fails, right.fails && all([asked, right.fails])].filter(isThere);
  return { holds: join([left.holds, right.holds]), ...(fails.length > 0 && { fails: any(fails) }) };
}

function callTests(ast: Ast, values: ReadValues): PathTests | undefined {
  const [given] = (ast.arguments ?? []).map(unwrapped);
  if (ast.procedure?.value === 'exists') {
    const path = pathOf(given, values);
    return path === undefined ? undefined : { holds: present(path) };
  }
  const tests = ast.procedure?.value === 'not' ? testsOf(given, values) : undefined;
  if (tests === undefined) return undefined;
  const { holds, missing } = tests;
  return { ...tests, holds: missing ? all([not(missing), not(holds)]) : not(holds) };
}

const MIRRORED: Readonly<Record<string, string>> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

const ORDERS: Readonly<Record<string, string>> = {
  '<': 'LessThan',
  '<=': 'LessThanEquals',
  '>': 'GreaterThan',
  '>=': 'GreaterThanEquals',
};

function comparison({ lhs, rhs, value }: Ast, values: ReadValues): PathTests | undefined {
  const left = unwrapped(lhs as Ast);
  const right = unwrapped(rhs as Ast);
  const sign = String(value);
  if (sign === 'in') return memberTests(left, right, values);
  if (isLiteral(left)) {
    if (isLiteral(right) || !Object.hasOwn(MIRRORED, sign)) return undefined;
    return comparison({ type: 'binary', value: MIRRORED[sign], lhs: right, rhs: left }, values);
  }
  if (sign === '=' || sign === '!=') return equality(left, right, sign, values);
  const path = pathOf(left, values);
  if (path === undefined || !Object.hasOwn(ORDERS, sign)) return undefined;
  if (isLiteral(right)) return orderTests(path, ORDERS[sign], right.value);
  const other = pathOf(right, values);
  return other === undefined ? undefined : pairTests(path, ORDERS[sign], other);
}

function equality(left: Ast, right: Ast, sign: string, values: ReadValues): PathTests | undefined {
  if (!isLiteral(right)) return undefined;
  const isType = left.type === 'function' && left.procedure?.value === 'type';
  const path = pathOf(isType ? unwrapped((left.arguments ?? [])[0]) : left, values);
  const kind = isType ? TYPES.get(right.value) : undefined;
  if (path === undefined || (isType && kind === undefined)) return undefined;
  const equal = kind === undefined ? equals(path, right.value) : is(path, kind);
  return { holds: all([present(path), sign === '=' ? equal : not(equal)]) };
}

const TYPES: ReadonlyMap<unknown, PathType> = new Map([
  ['string', 'String'],
  ['number', 'Numeric'],
  ['boolean', 'Boolean'],
  ['null', 'Null'],
]);

function memberTests(left: Ast, right: Ast, values: ReadValues): PathTests | undefined {
  const path = pathOf(left, values);
  const isList = right.type === 'unary' && right.value === '[';
  const items = isList ? (right.expressions ?? []).map(unwrapped) : [right];
  if (path === undefined || items.length === 0 || !items.every(isLiteral)) return undefined;
  return { holds: all([present(path), any(items.map(({ value }) => equals(path, value)))]) };
}

/** The order of a value and a number or text; other values have none. */
function orderTests(path: string, order: string, value: unknown): PathTests | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const kind = typeof value === 'number' ? 'Numeric' : 'String';
  return {
    holds: all([present(path), is(path, kind), test(path, kind + order, value)]),
    fails: all([present(path), is(path, kind, false)]),
    missing: test(path, 'IsPresent', false),
  };
}

/** The order of two values: they are both numbers, or both texts. */
function pairTests(path: string, order: string, other: string): PathTests {
  const kinds = ['Numeric', 'String'] as const;
  const both = (kind: PathType, second = kind) => [is(path, kind), is(other, second)];
  const bad = (one: string) =>
    all([present(one), is(one, 'Numeric', false), is(one, 'String', false)]);
  const there = [present(path), present(other)];
  const ordered = kinds.map((kind) =>
    all([...both(kind), test(path, `${kind}${order}Path`, other)]),
  );
  const mixed = [all(both('Numeric', 'String')), all(both('String', 'Numeric'))];
  return {
    holds: all([...there, any(ordered)]),
    fails: any([bad(path), bad(other), all([...there, any(mixed)])]),
    missing: any([test(path, 'IsPresent', false), test(other, 'IsPresent', false)]),
  };
}

type PathType = 'String' | 'Numeric' | 'Boolean' | 'Null';

/** Whether an existing value equals a literal. */
function equals(path: string, value: unknown): State {
  if (value === null) return is(path, 'Null');
  const [kind] = KINDS.filter(([type]) => typeof value === type).map(([, name]) => name);
  return all([is(path, kind), test(path, `${kind}Equals`, value)]);
}

const KINDS = [
  ['string', 'String'],
  ['number', 'Numeric'],
  ['boolean', 'Boolean'],
] as const;

const test = (Variable: string, operator: string, value: unknown): State => ({
  Variable,
  [operator]: value,
});
const present = (path: string): State => test(path, 'IsPresent', true);
const is = (path: string, type: PathType, so = true): State => test(path, `Is${type}`, so);
const not = (one: State): State => ({ Not: one });
const any = (tests: readonly State[]): State => joined('Or', tests);
const all = (tests: readonly State[]): State => joined('And', tests);

function joined(word: 'And' | 'Or', tests: readonly State[]): State {
  if (tests.length === 1) return tests[0];
  return { [word]: tests.flatMap((one) => (word in one ? (one[word] as State[]) : [one])) };
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function isLiteral({ type, value }: Ast): boolean {
  return ['string', 'number', 'value'].includes(type) && value !== undefined;
}

/** An expression without the parentheses around it. */
function unwrapped(ast: Ast): Ast {
  if (ast.type !== 'block' || filtersOf(ast).length > 0) return ast;
  return unwrapped((ast.expressions as readonly Ast[])[0]);
}

/** The path in JSONPath of an expression that only reads the input; undefined for others. */
function pathOf(ast: Ast, values: ReadValues): string | undefined {
  const [first, ...names] = ast.type === 'path' ? (ast.steps ?? []) : [ast];
  const isPlain = [ast, first, ...names].every((step) => filtersOf(step).length === 0);
  if (first.type !== 'variable' || first.value !== 'input' || !isPlain) return undefined;
  const keys = names.map(({ value }) => String(value));
  return keys.some((key) => /^\d+$|`/.test(key)) ? undefined : values.pathOf(keys);
}
