import { isObject } from '../../../core/json-path.js';
import { type Fields, targetsOf } from './form.js';
import { expressionOf } from './templates.js';

export type StatesByName = Readonly<Record<string, Fields>>;

/** A variable that counts turns. */
export interface Counter {
  readonly name: string;
  /** The value at which there is no further turn. */
  readonly limit: number;
  /** Whether it is counted before it is looked at. */
  readonly first: boolean;
}

const COUNTED = /^\s*\$(\w+)\s*(<=?|>=?)\s*(\d+)\s*$/;
const SIGNS: Readonly<Record<string, string>> = {
  NumericLessThan: '<',
  NumericLessThanEquals: '<=',
  NumericGreaterThan: '>',
  NumericGreaterThanEquals: '>=',
};

/** A rule as what it compares of a counter, and the rest of it. */
export function splitRule(rule: Fields): {
  readonly counted: RegExpExecArray | null;
  readonly rest?: Fields;
} {
  if (Array.isArray(rule.And)) {
    const parts = rule.And as Fields[];
    const at = parts.findIndex((part) => COUNTED.test(comparison(part)));
    if (at < 0) return { counted: null, rest: rule };
    const others = parts.filter((_, k) => k !== at);
    return { counted: COUNTED.exec(comparison(parts[at])), rest: { ...rule, And: others } };
  }
  const expression = expressionOf(rule.Condition);
  const isMixed = /[(?]|\bor\b/.test(expression ?? '');
  const parts = isMixed
    ? [String(expression)]
    : (expression?.split(/\band\b/) ?? [comparison(rule)]);
  const at = parts.findIndex((part) => COUNTED.test(part));
  if (at < 0) return { counted: null, rest: rule };
  const counted = COUNTED.exec(parts[at]);
  const others = parts
    .filter((_, k) => k !== at)
    .join('and')
    .trim();
  return others === '' ? { counted } : { counted, rest: { ...rule, Condition: `{% ${others} %}` } };
}

/** A test in JSONPath of a variable against a number, as text. */
function comparison(rule: Fields): string {
  const operator = Object.keys(SIGNS).find((key) => key in rule);
  return operator === undefined ? '' : `${rule.Variable} ${SIGNS[operator]} ${rule[operator]}`;
}

/** Whether fields assign a variable one more than it is. */
function addsOne({ Assign }: Fields, name: string): boolean {
  if (!isObject(Assign)) return false;
  const expression = expressionOf(Assign[name]) ?? String(Assign[`${name}.$`]);
  return [`$${name} + 1`, `States.MathAdd($${name}, 1)`].includes(expression);
}

/** The variable that the test compares, and to which each turn, or each way back, adds one. */
export function counterOf({ group, head, test, states }: Group): Counter | undefined {
  const rules = states[test].Choices as Fields[];
  for (const rule of rules) {
    const [, name, sign, text] = splitRule(rule).counted ?? [];
    if (name === undefined) continue;
    const limit = Number(text) + (sign === '<=' || sign === '>' ? 1 : 0);
    const counting = group.filter((one) => one !== test && addsOne(states[one], name));
    const back = rules.filter((other) => other.Next === head && addsOne(other, name));
    const isSure = counting[0] === head || !reachesAround(states, head, test, counting[0]);
    if (counting.length === 1 && back.length === 0 && isSure) return { name, limit, first: true };
    const ways = rules.filter(({ Next }) => Next === head).length;
    const inRest = states[test].Default === head;
    if (counting.length === 0 && !inRest && back.length === ways)
      return { name, limit, first: false };
  }
  return undefined;
}

interface Group {
  readonly group: readonly string[];
  readonly head: string;
  readonly test: string;
  readonly states: StatesByName;
}

/** Whether a way leads from one state to another without a third. */
function reachesAround(states: StatesByName, from: string, to: string, without: string): boolean {
  const { [without]: _, ...others } = states;
  return reachedFrom(others, [from]).has(to);
}

/** Whether a rule looks at nothing but the counter. */
export function isCount(rule: Fields, counter: Counter | undefined): boolean {
  const { counted, rest } = splitRule(rule);
  return rest === undefined && counter !== undefined && counted?.[1] === counter.name;
}

/** The states to which ways lead from some, these included. */
export function reachedFrom(states: StatesByName, from: readonly string[]): Set<string> {
  const reached = new Set(from);
  for (const name of reached) {
    for (const [target] of targetsOf(states[name] ?? {})) reached.add(String(target));
  }
  return reached;
}
