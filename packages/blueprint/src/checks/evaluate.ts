import { type Ast, filtersOf, UNDECIDED } from '@alas-jssp/workflow/ir';

/** The values of the variables of a condition, by name without `$`. */
export type ConditionBindings = Readonly<Record<string, unknown>>;

/**
 * Evaluates a condition without waiting, as JSONata does: missing values are undefined. Filters, objects and errors give
 * {@link UNDECIDED}: then nothing is known about the condition.
 */
export function evaluateCondition(ast: Ast, bindings: ConditionBindings): unknown {
  if (filtersOf(ast).length > 0) return UNDECIDED;
  switch (ast.type) {
    case 'value':
    case 'number':
    case 'string':
      return ast.value;
    case 'variable':
      return bindings[String(ast.value)];
    case 'path':
      return evaluatePath(ast, bindings);
    case 'block':
      return evaluateCondition((ast.expressions as readonly Ast[])[0], bindings);
    case 'binary':
      return evaluateBinary(ast, bindings);
    case 'unary':
      return evaluateUnary(ast, bindings);
    case 'condition':
      return evaluateChoice(ast, bindings);
    case 'function':
      return evaluateCall(ast, bindings);
    default:
      return UNDECIDED;
  }
}

/** A path through a list gives nothing, one value, or the list of the values. */
function evaluatePath({ steps = [] }: Ast, bindings: ConditionBindings): unknown {
  const [first, ...names] = steps;
  if (first.type !== 'variable' || names.some((step) => filtersOf(step).length > 0)) {
    return UNDECIDED;
  }
  return names.reduce<unknown>(
    (value, { value: key }) => memberOf(value, String(key)),
    evaluateCondition(first, bindings),
  );
}

function memberOf(value: unknown, key: string): unknown {
  if (value === UNDECIDED) return UNDECIDED;
  if (Array.isArray(value)) {
    const found = value.flatMap((item) => {
      const one = memberOf(item, key);
      return one === undefined ? [] : [one].flat();
    });
    if (found.includes(UNDECIDED)) return UNDECIDED;
    return found.length > 1 ? found : found[0];
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

function evaluateUnary(ast: Ast, bindings: ConditionBindings): unknown {
  if (ast.value === '[') {
    const items = (ast.expressions ?? []).map((item) => evaluateCondition(item, bindings));
    return items.includes(UNDECIDED) ? UNDECIDED : items.filter((item) => item !== undefined);
  }
  if (ast.value !== '-') return UNDECIDED;
  const value = evaluateCondition(ast.expression as Ast, bindings);
  if (value === undefined) return undefined;
  return typeof value === 'number' ? -value : UNDECIDED;
}

function evaluateChoice(ast: Ast, bindings: ConditionBindings): unknown {
  const asked = truthOf(evaluateCondition(ast.condition as Ast, bindings));
  if (asked === UNDECIDED) return UNDECIDED;
  const taken = asked === true ? ast.then : ast.else;
  return taken === undefined ? undefined : evaluateCondition(taken, bindings);
}

/** The truth of a value; a missing one counts as false. */
function truthOf(value: unknown): unknown {
  if (value === undefined) return false;
  return typeof value === 'boolean' ? value : UNDECIDED;
}

function evaluateBinary(ast: Ast, bindings: ConditionBindings): unknown {
  const sign = String(ast.value);
  const left = evaluateCondition(ast.lhs as Ast, bindings);
  if (sign === 'and' || sign === 'or') {
    const first = truthOf(left);
    if (first === UNDECIDED || first === (sign === 'or')) return first;
    return truthOf(evaluateCondition(ast.rhs as Ast, bindings));
  }
  const right = evaluateCondition(ast.rhs as Ast, bindings);
  if (left === UNDECIDED || right === UNDECIDED) return UNDECIDED;
  if (sign === '=' || sign === '!=') {
    if (left === undefined || right === undefined) return false;
    if (!isScalar(left) || !isScalar(right)) return UNDECIDED;
    return (left === right) === (sign === '=');
  }
  if (sign === 'in') return evaluateIn(left, right);
  if (sign === '&')
    return isText(left) && isText(right) ? `${left ?? ''}${right ?? ''}` : UNDECIDED;
  if (left === undefined || right === undefined) return isOrder(sign) ? false : undefined;
  if (isOrder(sign)) return compare(sign, left, right);
  if (typeof left !== 'number' || typeof right !== 'number') return UNDECIDED;
  const result = ARITHMETIC[sign]?.(left, right);
  return result === undefined || !Number.isFinite(result) ? UNDECIDED : result;
}

function evaluateIn(left: unknown, right: unknown): unknown {
  if (left === undefined || right === undefined) return false;
  const items = [right].flat();
  return isScalar(left) && items.every(isScalar) ? items.includes(left) : UNDECIDED;
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isOrder(sign: string): boolean {
  return ['<', '<=', '>', '>='].includes(sign);
}

function compare(sign: string, left: unknown, right: unknown): unknown {
  const isOrdered =
    typeof left === typeof right && (typeof left === 'number' || typeof left === 'string');
  if (!isOrdered) return UNDECIDED;
  const [a, b] = [left as number, right as number];
  if (sign === '<') return a < b;
  if (sign === '<=') return a <= b;
  return sign === '>' ? a > b : a >= b;
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

function evaluateCall({ procedure, arguments: given = [] }: Ast, bindings: ConditionBindings) {
  const name = String(procedure?.value);
  const values = given.map((argument) => evaluateCondition(argument, bindings));
  if (values.includes(UNDECIDED)) return UNDECIDED;
  const apply = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  return apply === undefined ? UNDECIDED : apply(values[0], values[1]);
}

const FUNCTIONS: Readonly<Record<string, (value: unknown, other?: unknown) => unknown>> = {
  exists: (value) => value !== undefined,
  count: (value) => (value === undefined ? 0 : [value].flat().length),
  sum: ofNumbers((numbers) => numbers.reduce((sum, one) => sum + one, 0)),
  min: ofNumbers((numbers) => Math.min(...numbers)),
  max: ofNumbers((numbers) => Math.max(...numbers)),
  average: ofNumbers((numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length),
  not: (value) =>
    value === undefined ? undefined : typeof value === 'boolean' ? !value : UNDECIDED,
  abs: ofNumber(Math.abs),
  floor: ofNumber(Math.floor),
  ceil: ofNumber(Math.ceil),
  length: ofText((text) => [...text].length),
  lowercase: ofText((text) => text.toLowerCase()),
  uppercase: ofText((text) => text.toUpperCase()),
  contains: (value, other) => {
    if (value === undefined) return undefined;
    return typeof value === 'string' && typeof other === 'string'
      ? value.includes(other)
      : UNDECIDED;
  },
};

function ofNumbers(apply: (numbers: readonly number[]) => number) {
  return (value: unknown): unknown => {
    if (value === undefined) return undefined;
    const numbers = [value].flat();
    if (numbers.length === 0 || numbers.some((one) => typeof one !== 'number')) return UNDECIDED;
    return apply(numbers as number[]);
  };
}

function ofNumber(apply: (value: number) => number) {
  return (value: unknown): unknown =>
    value === undefined ? undefined : typeof value === 'number' ? apply(value) : UNDECIDED;
}

function ofText(apply: (value: string) => unknown) {
  return (value: unknown): unknown =>
    value === undefined ? undefined : typeof value === 'string' ? apply(value) : UNDECIDED;
}
