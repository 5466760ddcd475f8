import { InputError } from '../../../core/errors.js';
import { type Resolve, resolveValue } from './values.js';

/** A guard over the input of a choice, and where that input comes from. */
export interface ReadCondition {
  readonly guard: string;
  readonly input: Readonly<Record<string, string>>;
}

const TOKEN =
  /\s*(?:(\{\{.*?\}\}|"[^"]*"|'[^']*')|(==|!=|<=|>=|&&|\|\||[<>!()])|([^\s()=!<>&|'"{}]+))/y;

/** A word of a condition: a sign, or a value as a part of a guard. */
type Token =
  | { readonly sign: string }
  | { readonly value: string; readonly isText: boolean; readonly isNumber: boolean };

/**
 * The guard of a `when`. Values are compared as texts, as Argo does, or as numbers by `<` and `>`.
 *
 * @throws InputError `unsupported_condition` for expressions, and for values that no guard knows
 */
export function conditionOf(
  when: string,
  resolve: Resolve,
  file: string | undefined,
): ReadCondition {
  const refuse = (problem: string) =>
    new InputError(
      'unsupported_condition',
      `the condition ${JSON.stringify(when)} cannot be read: ${problem}`,
      'compare parameters and outputs with texts or numbers',
      { file },
    );
  const input: Record<string, string> = {};
  const toValue = (text: string): Token => {
    if (/^\{\{\s*=/.test(text)) throw refuse('it is an expression');
    const { value, unknown } = resolveValue(text, resolve);
    if (unknown.length > 0) throw refuse(`a workflow does not know ${unknown[0]}`);
    if (value.kind === 'mixed') throw refuse(`${text} has several parts`);
    if (value.kind === 'text') {
      const isNumber = /^-?\d+(\.\d+)?$/.test(value.text);
      return { value: JSON.stringify(value.text), isText: true, isNumber };
    }
    const known = Object.keys(input).find((key) => input[key] === value.reference);
    const key = known ?? `v${Object.keys(input).length}`;
    input[key] = value.reference;
    return { value: `$input.${key}`, isText: false, isNumber: false };
  };
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < when.trimEnd().length) {
    const found = TOKEN.exec(when);
    if (found === null) throw refuse('there is a sign in it that is not known');
    const [, quoted, sign, word] = found;
    if (sign !== undefined) tokens.push({ sign });
    else tokens.push(toValue(word ?? quoted.replace(/^(["'])(.*)\1$/, '$2')));
  }
  let next = 0;
  const takes = (...signs: string[]): string | undefined => {
    const token = tokens[next];
    if (token === undefined || !('sign' in token) || !signs.includes(token.sign)) return undefined;
    next++;
    return token.sign;
  };
  const either = (): string => {
    let left = both();
    while (takes('||')) left = `(${left} or ${both()})`;
    return left;
  };
  const both = (): string => {
    let left = single();
    while (takes('&&')) left = `(${left} and ${single()})`;
    return left;
  };
  const single = (): string => {
    if (takes('!')) return `$not(${single()})`;
    if (takes('(')) {
      const inner = either();
      if (takes(')') === undefined) throw refuse('a bracket is not closed');
      return inner;
    }
    const left = atom();
    const sign = takes('==', '!=', '<', '<=', '>', '>=');
    if (sign === undefined) return `${asText(left)} = "true"`;
    const right = atom();
    if (left.isText && right.isText) return compareTexts(left, sign, right);
    if (sign === '==' || sign === '!=') {
      return `${asText(left)} ${sign === '==' ? '=' : '!='} ${asText(right)}`;
    }
    return `${asNumber(left)} ${sign} ${asNumber(right)}`;
  };
  const atom = (): TextToken => {
    const token = tokens[next++];
    if (token === undefined || 'sign' in token) throw refuse('a value is missing');
    return token;
  };
  const guard = either();
  if (next < tokens.length) throw refuse('there is more in it than one condition');
  return { guard, input };
}

function asText({ value, isText }: TextToken): string {
  return isText ? value : `$string(${value})`;
}

/** A comparison of two values that are known beforehand, such as the status in an exit handler. */
function compareTexts(left: TextToken, sign: string, right: TextToken): string {
  const [a, b] = [left, right].map(({ value }) => JSON.parse(value));
  if (sign === '==' || sign === '!=') return `${(a === b) === (sign === '==')}`;
  return `${asNumber(left)} ${sign} ${asNumber(right)}`;
}

type TextToken = Exclude<Token, { sign: string }>;

function asNumber({ value, isText, isNumber }: TextToken): string {
  return isText && isNumber ? JSON.parse(value) : `$number(${value})`;
}

/** A part of a `depends`: after which ends of one task, or of any of several. */
export interface DependsClause {
  readonly tasks: readonly string[];
  /** `settled`: as the name alone says, also if it was skipped. */
  readonly ends: readonly ('succeeded' | 'settled' | 'failed')[];
}

/**
 * The parts of a `depends` that all have to hold.
 *
 * @throws InputError `unsupported_depends` for negations, for ends of loops and for other forms than a
 *   conjunction of parts of one task each
 */
export function clausesOf(depends: string, file: string | undefined): DependsClause[] {
  const refuse = (problem: string) =>
    new InputError(
      'unsupported_depends',
      `depends ${JSON.stringify(depends)} cannot be read: ${problem}`,
      'join ends of one task with ||, and tasks with &&',
      { file },
    );
  const parts = splitOutside(depends, '&&');
  if (parts.length > 1 && splitOutside(depends, '||').length > 1) {
    throw refuse('&& and || stand side by side without brackets');
  }
  if (parts.length > 1) return parts.flatMap((part) => clausesOf(part, file));
  const [part] = parts;
  const inner = /^\((.*)\)$/s.exec(part.trim())?.[1];
  if (inner !== undefined && splitOutside(part, '||').length === 1) return clausesOf(inner, file);
  const tasks = new Set<string>();
  const ends = new Set<DependsClause['ends'][number]>();
  for (const one of splitOutside(part, '||')) {
    const [, task, end] =
      /^\(?\s*([a-zA-Z0-9][-a-zA-Z0-9]*)(?:\.([A-Za-z]+))?\s*\)?$/.exec(one.trim()) ?? [];
    if (task === undefined) throw refuse('it has negations, or parts in parts');
    tasks.add(task);
    switch (end) {
      case undefined:
      case 'Skipped':
        ends.add('settled');
        break;
      case 'Succeeded':
        ends.add('succeeded');
        break;
      case 'Failed':
      case 'Errored':
        ends.add('failed');
        break;
      default:
        throw refuse(`${end} has no counterpart`);
    }
  }
  return [{ tasks: [...tasks], ends: [...ends] }];
}

/** Splits at a sign that stands in no brackets. */
function splitOutside(text: string, sign: string): string[] {
  const parts = [''];
  let depth = 0;
  for (let k = 0; k < text.length; k++) {
    if (text[k] === '(') depth++;
    if (text[k] === ')') depth--;
    if (depth === 0 && text.startsWith(sign, k)) {
      parts.push('');
      k += sign.length - 1;
    } else parts[parts.length - 1] += text[k];
  }
  return parts;
}
