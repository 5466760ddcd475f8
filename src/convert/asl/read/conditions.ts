import { InputError } from '../../../core/errors.js';
import { formatPath, isObject, type JsonPath } from '../../../core/json-path.js';
import { compileGuard } from '../../../workflow/ir/guard/guard.js';
import { conditionGuard } from '../annotations.js';
import { expressionOf, keysOf } from './templates.js';

/** Where a document is read from, to name places in it. */
export interface DocumentPlace {
  readonly file: string | undefined;
  readonly path: JsonPath;
}

/**
 * The error of something that a workflow cannot say.
 *
 * @param cure what would be right
 */
export function refuseAt(
  code: string,
  { file, path }: DocumentPlace,
  problem: string,
  cure: string,
): InputError {
  return new InputError(code, problem, cure, { file, path: formatPath(path) });
}

export function inside({ file, path }: DocumentPlace, ...keys: PropertyKey[]): DocumentPlace {
  return { file, path: [...path, ...keys] };
}

/** Names in conditions, as expressions of guards. */
export interface ConditionNames {
  /** The input of the state. */
  readonly input: string;
  /** A variable; undefined if it is not known. */
  of(name: string): string | undefined;
}

const CURE = 'let a task work out a value before it, and compare that';

/**
 * The guard of a rule of a Choice state, over `$input`.
 *
 * @throws InputError `unsupported_condition` naming the operator or the function that guards do not have
 */
export function guardOfRule(
  rule: Record<string, unknown>,
  place: DocumentPlace,
  names: ConditionNames,
): string {
  const guard =
    'Condition' in rule
      ? fromCondition(rule.Condition, place, names)
      : fromTest(rule, place, names);
  try {
    compileGuard(guard, { variables: { input: true, output: true } });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw refuseAt(
      'unsupported_condition',
      place,
      `guards cannot say ${guard}: ${error.problem}`,
      CURE,
    );
  }
  return guard;
}

function fromCondition(condition: unknown, place: DocumentPlace, names: ConditionNames): string {
  const expression = expressionOf(condition);
  const at = inside(place, 'Condition');
  if (typeof condition === 'boolean') return String(condition);
  if (expression === undefined) {
    throw refuseAt('bad_asl', at, 'this is no condition', 'write an expression in {% %}');
  }
  const own = conditionGuard(String(condition));
  if (own !== undefined) return own;
  return expression.replace(
    /\$(?:states\.(\w+)|([A-Za-z_]\w*)(?!\w*\s*\())/g,
    (text, part, name) => {
      if (part === 'input') return names.input;
      const known = part === undefined ? names.of(name) : undefined;
      if (known !== undefined) return known;
      const cure = 'hand it on in the output of the state before';
      throw refuseAt('unsupported_condition', at, `a guard does not know ${text}`, cure);
    },
  );
}

const COMPARISONS: Readonly<Record<string, string>> = {
  Equals: '=',
  LessThan: '<',
  LessThanEquals: '<=',
  GreaterThan: '>',
  GreaterThanEquals: '>=',
};

/** Tests of a value, as it is written and as a guard asks it. */
const TESTS: Readonly<Record<string, (value: string) => string>> = {
  IsPresent: (value) => `$exists(${value})`,
  IsNull: (value) => `${value} = null`,
  IsString: (value) => `$type(${value}) = "string"`,
  IsNumeric: (value) => `$type(${value}) = "number"`,
  IsBoolean: (value) => `$type(${value}) = "boolean"`,
};

/** A rule in JSONPath: tests of variables, put together with And, Or and Not. */
function fromTest(
  rule: Record<string, unknown>,
  place: DocumentPlace,
  names: ConditionNames,
): string {
  for (const [key, word] of [
    ['And', 'and'],
    ['Or', 'or'],
  ] as const) {
    const parts = rule[key];
    if (!Array.isArray(parts)) continue;
    const guards = parts.map((part, k) => `(${fromTest(part, inside(place, key, k), names)})`);
    return guards.join(` ${word} `);
  }
  if (isObject(rule.Not)) return `$not(${fromTest(rule.Not, inside(place, 'Not'), names)})`;
  const value = variableOf(rule.Variable, inside(place, 'Variable'), names);
  const operator = Object.keys(rule).find((key) =>
    /^(String|Numeric|Boolean|Timestamp|Is)/.test(key),
  );
  if (operator === undefined) {
    throw refuseAt('bad_asl', place, 'this rule tests nothing', 'give it an operator');
  }
  return fromOperator(operator, value, rule[operator], inside(place, operator), names);
}

function fromOperator(
  operator: string,
  value: string,
  operand: unknown,
  place: DocumentPlace,
  names: ConditionNames,
): string {
  if (Object.hasOwn(TESTS, operator)) {
    const test = TESTS[operator](value);
    return operand === false ? `$not(${test})` : test;
  }
  const [, , comparison, path] = /^(String|Numeric|Boolean)(\w+?)(Path)?$/.exec(operator) ?? [];
  if (comparison !== undefined && Object.hasOwn(COMPARISONS, comparison)) {
    const other = path === undefined ? JSON.stringify(operand) : variableOf(operand, place, names);
    return `${value} ${COMPARISONS[comparison]} ${other}`;
  }
  const inner = operator === 'StringMatches' && /^\*?([^*\\]*)\*?$/.exec(String(operand));
  if (inner && String(operand) === `*${inner[1]}*`)
    return `$contains(${value}, ${JSON.stringify(inner[1])})`;
  if (inner && !String(operand).includes('*')) return `${value} = ${JSON.stringify(inner[1])}`;
  throw refuseAt('unsupported_condition', place, `guards have nothing like ${operator}`, CURE);
}

/** A variable of a rule, as an expression. */
function variableOf(path: unknown, place: DocumentPlace, names: ConditionNames): string {
  const [, name, rest] = /^(\$[A-Za-z_]\w*|\$)(.*)$/s.exec(String(path)) ?? [];
  const keys = rest === undefined ? undefined : keysOf(rest);
  const base = name === '$' ? names.input : names.of(name?.slice(1) ?? '');
  if (keys === undefined || base === undefined) {
    throw refuseAt('unsupported_condition', place, `a guard does not know ${path}`, CURE);
  }
  return base + keys.map(keyText).join('');
}

/** A key of a path in JSONata. */
function keyText(key: string): string {
  if (/^\d+$/.test(key)) return `[${key}]`;
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `.\`${key}\``;
}
