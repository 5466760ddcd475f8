import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import jsonata from 'jsonata';
import { functions } from './functions.js';

/** Size limits of guards: with these, and without loops, every guard terminates. */
const LIMITS = { length: 1000, nodes: 200, depth: 20, filters: 2 } as const;

/** A node of JSONata's syntax tree, restricted to guards. */
export interface Ast {
  readonly type: string;
  readonly value?: unknown;
  readonly position?: number;
  readonly lhs?: unknown;
  readonly rhs?: Ast;
  readonly expression?: Ast;
  readonly expressions?: readonly Ast[];
  readonly arguments?: readonly Ast[];
  readonly procedure?: Ast;
  readonly condition?: Ast;
  readonly then?: Ast;
  readonly else?: Ast;
  readonly steps?: readonly Ast[];
  /** Filters of a step of a path, and of any other node. */
  readonly stages?: readonly Ast[];
  readonly predicate?: readonly Ast[];
  readonly expr?: Ast;
}

/** The node types that guards may have, and the keys of each in addition to type, value, position. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  value: [],
  number: [],
  string: [],
  variable: [],
  name: [],
  path: ['steps'],
  filter: ['expr'],
  binary: ['lhs', 'rhs'],
  unary: ['expression', 'expressions', 'lhs'],
  condition: ['condition', 'then', 'else'],
  function: ['arguments', 'procedure'],
  block: ['expressions'],
};

const binarySigns = '= != < <= > >= and or in + - * / % &'.split(' ');

/**
 * Parses a guard and rejects all of JSONata outside the subset of `docs/reference/workflow.md`.
 *
 * @throws InputError `bad_guard`
 */
export function parseGuard(expression: string): { readonly ast: Ast; readonly run: Evaluator } {
  if (expression.length > LIMITS.length) {
    throw refusal(`the guard has ${expression.length} characters`, `at most ${LIMITS.length}`);
  }
  let run: Evaluator;
  try {
    run = jsonata(expression);
  } catch (error) {
    throw refusal((error as Error).message, 'write an expression in JSONata');
  }
  const ast = run.ast() as Ast;
  visit(ast, { depth: 0, filters: 0, counter: { nodes: 0 } });
  return { ast, run };
}

type Evaluator = ReturnType<typeof jsonata>;

interface SyntaxPlace {
  readonly depth: number;
  readonly filters: number;
  readonly counter: { nodes: number };
}

function visit(ast: Ast, place: SyntaxPlace): void {
  insistOnSize(ast, place);
  const keys = Object.hasOwn(KEYS, ast.type) ? KEYS[ast.type] : undefined;
  const known = ['type', 'value', 'position', 'stages', 'predicate', ...(keys ?? [])];
  // The parser leaves some keys without a value.
  const stranger = Object.entries(ast).find(
    ([key, value]) => value !== undefined && !known.includes(key),
  );
  if (keys === undefined || stranger !== undefined || !isAllowed(ast)) {
    throw refusal(`${describe(ast)} is not allowed in guards${at(ast)}`, REST);
  }
  if (ast.type === 'function') {
    visitCall(ast, place);
    return;
  }
  // Only the first step of a path may compute a value; the others are names.
  const computed = ast.steps?.slice(1).find(({ type }) => type !== 'name');
  if (computed !== undefined) {
    throw refusal(`${describe(computed)} is not allowed in guards${at(computed)}`, REST);
  }
  for (const child of partsOf(ast)) visit(child, inside(ast, place));
  visitFilters(ast, place);
}

const REST =
  'use paths, comparisons, and, or, in, arithmetic, conditions and the functions of docs/reference/workflow.md';

function visitCall(ast: Ast, place: SyntaxPlace): void {
  const { procedure, arguments: given = [] } = ast;
  const name = String(procedure?.value);
  if (procedure?.type !== 'variable') throw refusal(`only functions can be called${at(ast)}`, REST);
  if (!Object.hasOwn(functions, name)) {
    throw refusal(`there is no $${name} for guards${at(ast)}`, suggestNames(name, names));
  }
  const { least, takes } = functions[name];
  if (given.length < least || given.length > takes.length) {
    throw refusal(
      `$${name} has ${given.length} arguments${at(ast)}`,
      `give it ${least === takes.length ? least : `${least} to ${takes.length}`}`,
    );
  }
  for (const argument of given) visit(argument, inside(ast, place));
  visitFilters(ast, place);
}

const names = Object.keys(functions);

function visitFilters(ast: Ast, place: SyntaxPlace): void {
  for (const filter of filtersOf(ast)) visit(filter, inside(filter, place));
}

/** The filters `[…]` of a node. */
export function filtersOf({ stages = [], predicate = [] }: Ast): readonly Ast[] {
  return [...stages, ...predicate];
}

/** The pairs of key and value of an object `{…}`. */
function pairsOf(ast: Ast): readonly (readonly [Ast, Ast])[] {
  return ast.lhs as readonly (readonly [Ast, Ast])[];
}

function inside(ast: Ast, { depth, filters, counter }: SyntaxPlace): SyntaxPlace {
  return { depth: depth + 1, filters: filters + (ast.type === 'filter' ? 1 : 0), counter };
}

/** The parts of a node, without its filters. */
export function partsOf(ast: Ast): readonly Ast[] {
  const { type, value, steps = [], expressions = [], expr, expression, lhs, rhs } = ast;
  if (type === 'unary' && value === '{') return pairsOf(ast).flat();
  const single = [expr, expression, lhs as Ast | undefined, rhs];
  const { condition, then, else: otherwise, arguments: given = [] } = ast;
  const parts = [...single, condition, then, otherwise, ...steps, ...expressions, ...given];
  return parts.filter((child) => child !== undefined);
}

/** Rules that depend on more than the type of a node. */
function isAllowed({ type, value, expressions = [] }: Ast): boolean {
  if (type === 'binary') return binarySigns.includes(String(value));
  if (type === 'unary') return ['-', '[', '{'].includes(String(value));
  if (type === 'block') return expressions.length === 1;
  if (type === 'variable') return value !== '$';
  return true;
}

function insistOnSize(ast: Ast, { depth, filters, counter }: SyntaxPlace): void {
  counter.nodes++;
  if (counter.nodes > LIMITS.nodes) {
    throw refusal('the guard has too many parts', `give it at most ${LIMITS.nodes}`);
  }
  if (depth > LIMITS.depth) {
    throw refusal(`the guard is nested too deep${at(ast)}`, `nest it at most ${LIMITS.depth} deep`);
  }
  if (filters > LIMITS.filters) {
    throw refusal(
      `filters are nested too deep${at(ast)}`,
      `nest them at most ${LIMITS.filters} deep`,
    );
  }
}

function describe({ type, value }: Ast): string {
  return typeof value === 'string' && value !== '' ? `${type} '${value}'` : type;
}

/** Where in the expression a node ends, in words. */
export function at(ast: Ast): string {
  const { position = ast.steps?.[0].position } = ast;
  return position === undefined ? '' : ` (character ${position})`;
}

/** The error for a rejected guard. */
export function refusal(problem: string, hint: string): InputError {
  return new InputError('bad_guard', problem, hint);
}
