import { isObject } from '../../../core/json-path.js';
import {
  type ConstantValue,
  constant,
  objectValue,
  unknown,
  type Value,
  valueIn,
} from './values.js';

/** The values that paths, templates and expressions of a state speak of. */
export interface StateScope {
  readonly input: Value;
  /** The result of its task. */
  readonly result?: Value;
  readonly variables: Readonly<Record<string, Value>>;
  /** The item of the map around it, in its own selector. */
  readonly item?: Value;
  /** The input of the execution, where it can be referred to. */
  readonly execution?: Value;
}

const STEP = /\.([A-Za-z_][\w-]*)|\['([^'\]]+)'\]|\["([^"\]]+)"\]|\[(\d+)\]/y;

/** The keys of a path such as `.a['b'][0]`; undefined for filters, wildcards and slices. */
export function keysOf(text: string): string[] | undefined {
  const keys: string[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const found = STEP.exec(text);
    if (found === null) return undefined;
    keys.push(found.slice(1).find((key) => key !== undefined) as string);
  }
  return keys;
}

/** The value at a path in JSONPath: into the input (`$`), the context (`$$`) or a variable (`$name`). */
export function valueAtPath(path: string, scope: StateScope): Value {
  const [, name, rest] = /^(\$\$|\$[A-Za-z_]\w*|\$)(.*)$/s.exec(path) ?? [];
  const keys = rest === undefined ? undefined : keysOf(rest);
  if (keys === undefined) return unknown(`${path} is more than a path of keys`);
  if (name === '$') return valueIn(scope.input, keys);
  if (name === '$$') return inContext(keys, scope, path);
  return valueIn(variable(name.slice(1), scope), keys);
}

function variable(name: string, { variables }: StateScope): Value {
  if (Object.hasOwn(variables, name)) return variables[name];
  return unknown(`the variable ${name} is assigned nowhere in reach`);
}

function inContext(keys: readonly string[], { item, execution }: StateScope, path: string): Value {
  const text = keys.join('.');
  if (item !== undefined && /^Map\.Item\.Value(\.|$)/.test(text))
    return valueIn(item, keys.slice(3));
  if (execution !== undefined && /^Execution\.Input(\.|$)/.test(text)) {
    return valueIn(execution, keys.slice(2));
  }
  return unknown(`${path} is of the engine, which a workflow does not know`);
}

/** The value of a payload template in JSONPath: keys that end in `.$` are paths. */
export function fromTemplate(template: unknown, scope: StateScope): Value {
  if (Array.isArray(template) && JSON.stringify(template).includes('.$":')) {
    return unknown('a workflow cannot make lists');
  }
  if (!isObject(template)) return constant((template ?? null) as ConstantValue);
  const keys = Object.entries(template).map(([key, value]): [string, Value] => {
    if (!key.endsWith('.$')) return [key, fromTemplate(value, scope)];
    return [key.slice(0, -2), valueAtPath(String(value), scope)];
  });
  return simplest(Object.fromEntries(keys));
}

/** The value of a JSON value in JSONata: texts in `{% %}` are expressions. */
export function fromExpressions(value: unknown, scope: StateScope): Value {
  if (typeof value === 'string') {
    const expression = expressionOf(value);
    return expression === undefined ? constant(value) : fromExpression(expression, scope);
  }
  if (Array.isArray(value)) {
    const parts = value.map((one) => fromExpressions(one, scope));
    if (parts.every(({ kind }) => kind === 'constant')) return constant(value as ConstantValue);
    return unknown('a workflow cannot make lists');
  }
  if (!isObject(value)) return constant((value ?? null) as ConstantValue);
  const keys = Object.entries(value).map(([key, one]): [string, Value] => {
    return [key, fromExpressions(one, scope)];
  });
  return simplest(Object.fromEntries(keys));
}

/** Keys that are all constants are one constant. */
function simplest(keys: Record<string, Value>): Value {
  const fixed = Object.entries(keys).map(([key, value]) => {
    return [key, value.kind === 'constant' ? value.value : undefined] as const;
  });
  if (fixed.some(([, value]) => value === undefined)) return objectValue(keys);
  return constant(Object.fromEntries(fixed) as ConstantValue);
}

/** The expression in `{% %}`; undefined for texts that are none. */
export function expressionOf(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  return /^\{%([\s\S]*)%\}$/.exec(text)?.[1].trim();
}

/** The value of an expression that is a path or a constant. */
function fromExpression(expression: string, scope: StateScope): Value {
  const [, name, rest] = /^\$([A-Za-z_]\w*)(.*)$/s.exec(expression) ?? [];
  const keys = rest === undefined ? undefined : keysOf(rest.replaceAll('`', ''));
  if (keys !== undefined) {
    if (name !== 'states') return valueIn(variable(name, scope), keys);
    const [part, ...inner] = keys;
    if (part === 'input') return valueIn(scope.input, inner);
    if (part === 'result' && scope.result !== undefined) return valueIn(scope.result, inner);
    if (part === 'context') return inContext(inner, scope, expression);
    return unknown(`a workflow does not know $states.${keys.join('.')}`);
  }
  try {
    return constant(JSON.parse(expression) as ConstantValue);
  } catch {
    return unknown(`a workflow refers to values, it cannot compute ${expression}`);
  }
}
