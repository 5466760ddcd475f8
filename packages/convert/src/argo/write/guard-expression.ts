import { type Ast, filtersOf, parseGuard } from '@alas-jssp/workflow/ir';
import { createFresh, ERROR, exprText, type Fresh, lookUp, withLets } from '../expressions.js';

/** A part of a guard as an expression of Argo, and whether it has a value. */
interface Part {
  readonly value: string;
  readonly present: string;
  readonly kind: 'boolean' | 'any';
}

/** A guard, or a part of it, that Argo's expressions cannot express. */
class CannotSay extends Error {}

/** The expression of each variable of guards, by its name without `$`. */
export type Variables = Readonly<Record<string, string>>;

/**
 * A guard as an expression of Argo that is true where the guard holds; undefined if it cannot be
 * expressed. Parts with another meaning in Argo, such as a path through a list, make the expression
 * fail.
 */
export function guardExpression(guard: string, variables: Variables): string | undefined {
  const lets: string[] = [];
  try {
    const { ast } = parseGuard(guard);
    const part = translate(ast, { variables, lets, fresh: createFresh() });
    const holds =
      part.kind === 'boolean'
        ? part.value
        : `(type(${part.value}) == "bool" ? ${part.value} : ${ERROR})`;
    return withLets(lets, `${part.present} && ${holds}`);
  } catch (error) {
    if (error instanceof CannotSay) return undefined;
    throw error;
  }
}

interface Scope {
  readonly variables: Variables;
  readonly lets: string[];
  readonly fresh: Fresh;
}

function translate(ast: Ast, scope: Scope): Part {
  if (filtersOf(ast).length > 0) throw new CannotSay();
  switch (ast.type) {
    case 'value':
    case 'number':
    case 'string':
      return literal(ast);
    case 'variable':
      return path(ast, [], scope);
    case 'path':
      return pathOf(ast, scope);
    case 'binary':
      return binary(ast, scope);
    case 'block':
      return translate((ast.expressions as readonly Ast[])[0], scope);
    case 'function':
      return call(ast, scope);
    case 'condition':
      return condition(ast, scope);
    default:
      throw new CannotSay();
  }
}

function literal({ value }: Ast): Part {
  if (value === null) return { value: 'nil', present: 'true', kind: 'any' };
  if (typeof value === 'boolean') return { value: `${value}`, present: 'true', kind: 'boolean' };
  if (typeof value === 'string') return { value: exprText(value), present: 'true', kind: 'any' };
  if (typeof value !== 'number') throw new CannotSay();
  const text = Number.isInteger(value) && Math.abs(value) < 2 ** 53 ? value.toFixed(1) : `${value}`;
  return { value: text, present: 'true', kind: 'any' };
}

function pathOf({ steps = [] }: Ast, scope: Scope): Part {
  const [first, ...rest] = steps;
  if (first.type !== 'variable' || steps.some((step) => filtersOf(step).length > 0)) {
    throw new CannotSay();
  }
  return path(
    first,
    rest.map(({ value }) => String(value)),
    scope,
  );
}

function path({ value: name }: Ast, keys: readonly string[], scope: Scope): Part {
  const root = Object.hasOwn(scope.variables, String(name))
    ? scope.variables[String(name)]
    : undefined;
  if (root === undefined) throw new CannotSay();
  const { lets, value, present } = lookUp(root, keys, scope.fresh, 'refuse');
  scope.lets.push(...lets);
  return { value: keys.length === 0 ? define(value, scope) : value, present, kind: 'any' };
}

/** Names a value, so that it is computed once. */
function define(value: string, { lets, fresh }: Scope): string {
  const name = fresh();
  lets.push(`let ${name} = ${value}`);
  return name;
}

function binary(ast: Ast, scope: Scope): Part {
  const sign = String(ast.value);
  const [lhs, rhs] = [ast.lhs as Ast, ast.rhs as Ast];
  switch (sign) {
    case 'and':
    case 'or': {
      const [a, b] = [lhs, rhs].map((side) => truth(translate(side, scope)));
      return sure(`(${a} ${sign === 'and' ? '&&' : '||'} ${b})`);
    }
    case '=':
    case '!=': {
      const [a, b] = [lhs, rhs].map((side) => translate(side, scope));
      return sure(bothThere(a, b, `${single(a)} ${sign === '=' ? '==' : '!='} ${single(b)}`));
    }
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const [a, b] = [lhs, rhs].map((side) => translate(side, scope));
      const fit = [a, b].map(isOrdered).filter((one) => one !== '');
      const present = `(${[...fit, a.present, b.present].join(' && ')})`;
      const value = bothThere(a, b, `${single(a)} ${sign} ${single(b)}`);
      return { value, present, kind: 'boolean' };
    }
    case 'in':
      return isIn(translate(lhs, scope), rhs, scope);
    default:
      throw new CannotSay();
  }
}

function isIn(a: Part, list: Ast, scope: Scope): Part {
  if (list.type !== 'unary' || list.value !== '[') throw new CannotSay();
  const items = (list.expressions ?? []).map((item) => translate(item, scope));
  const any = items.map((item) => `${single(a)} == ${single(item)}`).join(' || ');
  return sure(`(${a.present} && (${any || 'false'}))`);
}

function call({ procedure, arguments: given = [] }: Ast, scope: Scope): Part {
  const name = String(procedure?.value);
  if (given.length !== 1) throw new CannotSay();
  const part = translate(given[0], scope);
  if (name === 'exists') return sure(part.present);
  if (name === 'boolean') return { ...part, value: truth(part), kind: 'boolean' };
  if (name === 'not') return { value: `!${truth(part)}`, present: part.present, kind: 'boolean' };
  if (name !== 'count' || part.kind === 'boolean') throw new CannotSay();
  const { value, present } = part;
  return {
    value: `(!${present} ? 0 : type(${value}) == "array" ? len(${value}) : 1)`,
    present: 'true',
    kind: 'any',
  };
}

function condition({ condition: asked, then, else: otherwise }: Ast, scope: Scope): Part {
  const holds = truth(translate(asked as Ast, scope));
  const yes = translate(then as Ast, scope);
  const no: Part = otherwise
    ? translate(otherwise, scope)
    : { value: 'nil', present: 'false', kind: yes.kind };
  const kind = yes.kind === no.kind ? yes.kind : 'any';
  return {
    value: `(${holds} ? ${yes.value} : ${no.value})`,
    present: `(${holds} ? ${yes.present} : ${no.present})`,
    kind,
  };
}

function sure(value: string): Part {
  return { value, present: 'true', kind: 'boolean' };
}

function bothThere(a: Part, b: Part, comparison: string): string {
  const there = [a.present, b.present].filter((present) => present !== 'true');
  return `(${[...there, comparison].join(' && ')})`;
}

/**
 * The condition that a value is a number, a text or missing: JSONata fails for others even if the
 * other side is missing.
 */
function isOrdered({ value, present }: Part): string {
  if (/^("|[-\d])/.test(value)) return '';
  return `(!${present} || type(${value}) in ["int", "float", "string"] || ${ERROR})`;
}

/** A value that is neither a list nor an object: JSONata treats lists of one as their item. */
function single({ value }: Part): string {
  if (!/^v\d+$/.test(value)) return value;
  return `(type(${value}) in ["array", "map"] ? ${ERROR} : ${value})`;
}

/** A value as a condition, with JSONata's truth values. */
function truth({ value, present, kind }: Part): string {
  const there = present === 'true' ? '' : `${present} && `;
  if (kind === 'boolean') return `(${there}${value})`;
  const cases = [
    `type(${value}) == "bool" ? ${value}`,
    `type(${value}) in ["int", "float"] ? ${value} != 0`,
    `type(${value}) == "string" ? ${value} != ""`,
    `type(${value}) == "map" ? len(${value}) > 0`,
    `type(${value}) == "array" ? ${ERROR} : false`,
  ];
  return `(${there}(${cases.join(' : ')}))`;
}
