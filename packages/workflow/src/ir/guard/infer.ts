import { suggestNames } from '@alas-jssp/core/nearest-names';
import {
  alternatives,
  type Definitions,
  itemSchemaOf,
  type Kind,
  kindsOf,
  propertyOf,
  type SchemaObject,
} from '../json-types.js';
import type { JsonSchema } from '../workflow.js';
import { functions } from './functions.js';
import { type Ast, at, filtersOf, refusal } from './syntax.js';

/** The static types of a guard's variables. */
export interface GuardScope {
  /** The schemas of its variables, by name without `$`. */
  readonly variables: Readonly<Record<string, JsonSchema>>;
  /** The schemas that `#/schemas/NAME` refers to in them. */
  readonly definitions?: Definitions;
}

/** The values that an expression may have. */
export interface GuardType {
  /** Alternative schemas, one of which matches; `true` is anything. */
  readonly schemas: readonly (SchemaObject | true)[];
  /** A path through a list: nothing, one item, or a list of items. */
  readonly many: boolean;
}

interface InferenceContext {
  readonly scope: GuardScope;
  /** The item that a filter applies to. */
  readonly item: GuardType | undefined;
}

/**
 * The type of an expression, from the schemas of its variables.
 *
 * @throws InputError `bad_guard` where it can never be evaluated or compares values that are never
 *   equal
 */
export function inferType(ast: Ast, scope: GuardScope): GuardType {
  return infer(ast, { scope, item: undefined });
}

/** The kinds of a type; undefined if the schemas do not say. */
export function kindsOfType({ schemas, many }: GuardType): ReadonlySet<Kind> | undefined {
  const kinds = new Set<Kind>(many ? ['array'] : []);
  for (const schema of schemas) {
    const some = kindsOf(schema);
    if (some === undefined) return undefined;
    for (const kind of some) kinds.add(kind);
  }
  return kinds;
}

function infer(ast: Ast, context: InferenceContext): GuardType {
  const type = inferUnfiltered(ast, context);
  // The filters of a path's steps are inferred one by one.
  return ast.type === 'path' ? type : filtersOf(ast).reduce(filtered(context), type);
}

function inferUnfiltered(ast: Ast, context: InferenceContext): GuardType {
  switch (ast.type) {
    case 'value':
    case 'number':
    case 'string':
      return exactly({ const: ast.value });
    case 'variable':
      return variable(ast, context);
    case 'path':
      return path(ast, context);
    case 'binary':
      return binary(ast, context);
    case 'unary':
      return unary(ast, context);
    case 'function':
      return call(ast, context);
    case 'condition':
      return condition(ast, context);
    default:
      return infer((ast.expressions as readonly Ast[])[0], context);
  }
}

function variable(ast: Ast, { scope, item }: InferenceContext): GuardType {
  const name = String(ast.value);
  if (name === '') {
    if (item !== undefined) return item;
    throw refusal(`$ has no value here${at(ast)}`, `use ${variables(scope)}`);
  }
  if (Object.hasOwn(scope.variables, name)) return typeOf(scope.variables[name], scope);
  const known = Object.keys(scope.variables);
  throw refusal(`there is no variable $${name}${at(ast)}`, suggestNames(name, known));
}

function path(ast: Ast, context: InferenceContext): GuardType {
  const [first, ...rest] = ast.steps as readonly Ast[];
  let type: GuardType;
  if (first.type === 'name') {
    if (context.item === undefined) {
      const name = String(first.value);
      const [base] = Object.keys(context.scope.variables);
      throw refusal(`${name} has no value here${at(first)}`, `write $${base}.${name}`);
    }
    type = step(context.item, first, context);
  } else {
    type = infer(first, context);
  }
  return rest.reduce((before, name) => step(before, name, context), type);
}

/** One name of a path: it reads objects, and the objects in lists. */
function step(type: GuardType, ast: Ast, context: InferenceContext): GuardType {
  const { definitions = {} } = context.scope;
  const key = String(ast.value);
  const items = eachItem(type, context.scope);
  const found = items.schemas.map((schema) => propertyOf(schema, key));
  if (found.length > 0 && found.every((property) => property === 'absent')) {
    throw refusal(`the key ${key} never exists${at(ast)}`, suggestKeys(key, items.schemas));
  }
  const schemas = found.flatMap((property) => {
    if (property === 'absent') return [];
    return property === 'unknown' ? [true as const] : alternatives(property.schema, definitions);
  });
  return filtersOf(ast).reduce(filtered(context), { schemas, many: items.many });
}

/** The type of the items of a list; any other type is itself. */
function eachItem({ schemas, many }: GuardType, { definitions = {} }: GuardScope): GuardType {
  let lists = many;
  const items = schemas.flatMap((schema) => {
    if (schema === true || !kindsOf(schema)?.has('array')) return [schema];
    lists = true;
    return alternatives(itemSchemaOf(schema) ?? true, definitions);
  });
  return { schemas: items, many: lists };
}

function suggestKeys(key: string, schemas: readonly (SchemaObject | true)[]): string {
  const keys = schemas.flatMap((schema) =>
    schema === true ? [] : Object.keys(schema.properties ?? {}),
  );
  return keys.length === 0 ? 'only objects have keys' : suggestNames(key, keys);
}

/** The type of a filtered value: the item at an index, or the items for which the filter holds. */
function filtered(context: InferenceContext) {
  return (type: GuardType, filter: Ast): GuardType => {
    const expr = filter.expr as Ast;
    const item = eachItem(type, context.scope);
    if (expr.type === 'number') return { ...item, many: type.many };
    insistOn(infer(expr, { ...context, item: { ...item, many: false } }), ['boolean'], expr);
    return item;
  };
}

function binary(ast: Ast, context: InferenceContext): GuardType {
  const left = infer(ast.lhs as Ast, context);
  const right = infer(ast.rhs as Ast, context);
  const sign = String(ast.value);
  if (sign === '&') return exactly({ type: 'string' });
  if ('+-*/%'.includes(sign)) {
    insistOn(left, ['number'], ast.lhs as Ast);
    insistOn(right, ['number'], ast.rhs as Ast);
    return exactly({ type: 'number' });
  }
  if (sign === 'and' || sign === 'or') {
    insistOn(left, ['boolean'], ast.lhs as Ast);
    insistOn(right, ['boolean'], ast.rhs as Ast);
  } else if (sign === 'in') insistOnMeeting(left, eachItem(right, context.scope), ast);
  else if (sign === '=' || sign === '!=') insistOnMeeting(left, right, ast);
  else insistOnOrder(left, right, ast);
  return exactly({ type: 'boolean' });
}

function unary(ast: Ast, context: InferenceContext): GuardType {
  if (ast.value === '{') return exactly({ type: 'object' });
  if (ast.value === '-') {
    insistOn(infer(ast.expression as Ast, context), ['number'], ast.expression as Ast);
    return exactly({ type: 'number' });
  }
  const items = (ast.expressions ?? []).flatMap((item) => [...infer(item, context).schemas]);
  return exactly({ type: 'array', items: { anyOf: items } });
}

function call(ast: Ast, context: InferenceContext): GuardType {
  const { takes, gives } = functions[String(ast.procedure?.value)];
  (ast.arguments ?? []).forEach((argument, i) => {
    const type = infer(argument, context);
    const wanted = takes[i];
    if (wanted === 'any') return;
    if (wanted === 'numbers') {
      insistOn({ ...eachItem(type, context.scope), many: false }, ['number'], argument);
    } else insistOn(type, wanted, argument);
  });
  return exactly({ type: gives });
}

function condition(ast: Ast, context: InferenceContext): GuardType {
  const asked = ast.condition as Ast;
  insistOn(infer(asked, context), ['boolean'], asked);
  const results = [ast.then, ast.else].flatMap((result) =>
    result === undefined ? [] : [infer(result, context)],
  );
  return {
    schemas: results.flatMap(({ schemas }) => schemas),
    many: results.some(({ many }) => many),
  };
}

/** Rejects an operand of a kind that the operator or function does not accept. */
function insistOn(type: GuardType, wanted: readonly Kind[], ast: Ast): void {
  const stranger = [...(kindsOfType(type) ?? [])].find((kind) => !wanted.includes(kind));
  if (stranger === undefined) return;
  const hint =
    type.many && stranger === 'array'
      ? 'it passes through a list: use $count, $sum, a filter such as [0], or in'
      : `give a ${wanted.join(' or ')}`;
  throw refusal(`this is of type ${stranger}${at(ast)}`, hint);
}

/** Rejects a comparison of values that are never equal. */
function insistOnMeeting(left: GuardType, right: GuardType, ast: Ast): void {
  const kinds = kindsOfType(left);
  const others = kindsOfType(right);
  if (kinds === undefined || others === undefined) return;
  if (kinds.size > 0 && others.size > 0 && [...kinds].every((kind) => !others.has(kind))) {
    throw refusal(
      `a ${[...kinds].join(' or ')} is never a ${[...others].join(' or ')}${at(ast)}`,
      'compare values of the same type',
    );
  }
  const values = valuesOf(left);
  const those = valuesOf(right);
  if (values === undefined || those === undefined) return;
  if (values.length > 0 && those.length > 0 && !values.some((value) => those.includes(value))) {
    throw refusal(
      `${values.join(' or ')} is never ${those.join(' or ')}${at(ast)}`,
      'compare it with a value that it can have',
    );
  }
}

/** All values of a type as JSON, if they are enumerated. */
function valuesOf({ schemas, many }: GuardType): string[] | undefined {
  if (many) return undefined;
  const values = schemas.map((schema) => {
    if (schema === true) return undefined;
    return Object.hasOwn(schema, 'const') ? [schema.const] : (schema.enum as unknown[] | undefined);
  });
  if (values.includes(undefined)) return undefined;
  return values.flatMap((some) => (some ?? []).map((value) => JSON.stringify(value)));
}

/** Only two numbers or two texts have an order. */
function insistOnOrder(left: GuardType, right: GuardType, ast: Ast): void {
  insistOn(left, ['number', 'string'], ast.lhs as Ast);
  insistOn(right, ['number', 'string'], ast.rhs as Ast);
  const kinds = new Set([...(kindsOfType(left) ?? []), ...(kindsOfType(right) ?? [])]);
  if (kinds.size > 1) {
    throw refusal(`a number and a string have no order${at(ast)}`, 'compare values of one type');
  }
}

function exactly(schema: SchemaObject): GuardType {
  return { schemas: [schema], many: false };
}

function typeOf(schema: JsonSchema, { definitions = {} }: GuardScope): GuardType {
  return { schemas: alternatives(schema, definitions), many: false };
}

function variables({ variables }: GuardScope): string {
  return Object.keys(variables)
    .map((name) => `$${name}`)
    .join(', ');
}
