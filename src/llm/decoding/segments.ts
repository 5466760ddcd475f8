import type { IgnoredKind } from './ignored.js';
import type { RowFields } from './rows.js';
import {
  beginsRange,
  isDots,
  isLabelRange,
  isNumbering,
  isPlaceholder,
  rangeEnd,
  skipBracket,
  skipRemark,
} from './spans.js';
import type { Token } from './tokens.js';
import { isLetterName, isOtherUnit, isPlural, labelKeyOf, timeWord } from './vocabulary.js';

/** A part of a line about one operation. */
export interface Segment extends RowFields {
  /** Its beginning and end, in characters of the whole text. */
  from: number;
  to: number;
  /** The reason why it can be no entry, regardless of its fields. */
  problem?: IgnoredKind;
  /** Positions where the texts of its start and of its end stop, in characters of the whole text. */
  startTo: number;
  endTo: number;
  /** Words in it that do not describe an operation. */
  otherWords: number;
  /** Whether the times are a range without a word, such as `(0-5)`. */
  isRange: boolean;
}

/** The contents of a line. */
export interface LineParts {
  readonly segments: readonly Segment[];
  /** The first label of the line, if a label comes first. */
  readonly first: 'job' | 'step' | 'machine' | undefined;
  readonly hasEllipsis: boolean;
  /** Numbers without a label on a line that begins with a machine: perhaps its order. */
  readonly bareNumbers: readonly Token[];
}

/** Words between a label and its value, or next to values, that have no meaning. */
const FILLERS = new Set(
  'time times at t is of unit units the on value number no id index and with needs for total schedule operations'.split(
    ' ',
  ),
);

/** Words that begin a remark about a reason or a time; its numbers do not belong to the operation. */
const REMARKS = new Set(
  'after before once since because when while if due based available depends continue'.split(' '),
);

const CONNECTORS = new Set([':', '=', '-', '(', '[', '#', '|']);

/**
 * Splits a line into the claims that it makes about operations. A repeated label begins the next part; parts after the
 * first inherit the job or machine at the beginning of the line.
 */
export function parseLine(tokens: readonly Token[]): LineParts {
  const segments: Segment[] = [];
  const bareNumbers: Token[] = [];
  let current = newSegment(tokens[0]?.from ?? 0);
  let first: LineParts['first'];
  let hasEllipsis = false;

  const begin = (token: Token) => {
    if (hasContent(current)) segments.push(current);
    current = newSegment(token.from);
  };
  const put = (field: keyof RowFields, value: number, token: Token, label = token) => {
    if (current[field] !== undefined) begin(label);
    if (!hasContent(current)) current.from = label.from;
    current[field] = value;
    current.to = token.to;
    if (field === 'start') current.startTo = token.to;
    if (field === 'end') current.endTo = token.to;
  };

  let i = isNumbering(tokens) ? 2 : 0;
  while (i < tokens.length) {
    const token = tokens[i];
    const key = labelKeyOf(token, tokens[i + 1]);
    if (key !== undefined) {
      i = readLabel(key, i);
      continue;
    }
    if (isLetterName(token)) {
      put(token.text.startsWith('job') ? 'job' : 'machine', Number.NaN, token);
      current.problem = 'letter_name';
      i++;
      continue;
    }
    const time = timeWord(token);
    if (time !== undefined) {
      i = readTime(time, i);
      continue;
    }
    if (token.kind === 'clock') {
      current.problem ??= 'clock_time';
      i++;
      continue;
    }
    if (token.kind === 'number') {
      i = readNumber(i);
      continue;
    }
    if (token.kind === 'word') {
      if (isPlural(token) && tokens[i + 1]?.kind === 'number') {
        if (isLabelRange(tokens, i + 1)) current.problem ??= 'range';
      } else if (REMARKS.has(token.text)) {
        i = skipRemark(tokens, i + 1);
        continue;
      } else if (!FILLERS.has(token.text)) current.otherWords++;
      i++;
      continue;
    }
    if (token.text === '...' || (token.text === '.' && isDots(tokens, i))) hasEllipsis = true;
    if (opensRemark(tokens, i)) {
      i = skipBracket(tokens, i);
      continue;
    }
    i++;
  }
  if (hasContent(current)) segments.push(current);
  else if (segments.length === 0) segments.push(current);
  return { segments, first, hasEllipsis, bareNumbers };

  /** Reads the value of a label; returns the next position. */
  function readLabel(key: 'job' | 'step' | 'machine', from: number): number {
    const at = skipLabel(tokens, from + 1, key);
    const value = tokens[at];
    if (value?.kind === 'number') {
      first ??= segments.length === 0 && !hasTimes(current) ? key : undefined;
      const pair = key === 'step' ? jobAndStep(value) : undefined;
      if (pair !== undefined) {
        put('job', pair.job, value, tokens[from]);
        put('step', pair.step, value);
      } else put(key, value.value, value, tokens[from]);
      if (!isLabelRange(tokens, at)) return at + 1;
      current.problem = 'range';
      return at + 3;
    }
    if (!isLetter(value, tokens[at + 1])) return from + 1;
    put(key, Number.NaN, value, tokens[from]);
    current.problem = 'letter_name';
    return at + 1;
  }

  /** Reads the value after a word for a time; returns the next position. */
  function readTime(field: 'start' | 'end' | 'duration', from: number): number {
    let at = from + 1;
    while (at < tokens.length && isBetween(tokens[at])) at++;
    const value = tokens[at];
    if (value?.kind === 'number') {
      const dash = tokens[at - 1];
      const isMinus = !dash.glued || tokens[at - 2]?.kind === 'mark';
      const isNegative = dash.text === '-' && value.glued && isMinus;
      if (field === 'duration' && current.duration !== undefined) return at + 1;
      put(field, isNegative ? -value.value : value.value, value, tokens[from]);
      if (field !== 'duration' && isOtherUnit(tokens[at + 1])) current.problem ??= 'clock_time';
      const second = field === 'start' ? rangeEnd(tokens, at) : -1;
      if (second < 0) return at + 1;
      put('end', tokens[second].value, tokens[second]);
      return second + 1;
    }
    if (value?.kind === 'clock') {
      current.problem ??= 'clock_time';
      return at + 1;
    }
    if (field !== 'duration' && isPlaceholder(tokens, at)) {
      current.problem ??= 'placeholder';
      const bracket = tokens[at - 1]?.text === '[' ? at - 1 : at;
      return tokens[bracket].text === '[' ? skipBracket(tokens, bracket) : at + 1;
    }
    if (field !== 'duration') current.otherWords++;
    return from + 1;
  }

  /** Reads a number without a label; returns the next position. */
  function readNumber(at: number): number {
    const second = rangeEnd(tokens, at);
    if (second > 0) {
      if (!beginsRange(tokens, at) || tokens[second + 1]?.text === '-') return second + 1;
      put('start', tokens[at].value, tokens[at]);
      if (current.end !== undefined) delete current.end;
      put('end', tokens[second].value, tokens[second]);
      current.isRange = true;
      const unit = tokens[at + 1];
      if (isOtherUnit(unit) || isOtherUnit(tokens[second + 1])) current.problem ??= 'clock_time';
      return second + 1;
    }
    const next = tokens[at + 1];
    const before = tokens[at - 1]?.text;
    const isAlone =
      (before === '(' && next?.text === ')') || (before === '[' && next?.text === ']');
    const isDuration =
      next?.kind === 'word' && ['unit', 'units', 'duration', 'time'].includes(next.text);
    if ((isAlone || isDuration) && hasContent(current)) current.duration ??= tokens[at].value;
    else if (first === 'machine') bareNumbers.push(tokens[at]);
    return at + 1;
  }
}

function newSegment(from: number): Segment {
  return { from, to: from, startTo: -1, endTo: -1, otherWords: 0, isRange: false };
}

function hasContent(segment: Segment): boolean {
  const { job, step, machine, start, end, duration, problem } = segment;
  return (
    (job ?? step ?? machine ?? start ?? end ?? duration) !== undefined || problem !== undefined
  );
}

function hasTimes({ start, end }: Segment): boolean {
  return start !== undefined || end !== undefined;
}

/** The position of a label's value: after colons, fillers and a repetition of the label. */
function skipLabel(tokens: readonly Token[], from: number, key: string): number {
  let at = from;
  for (; at < tokens.length && at < from + 5; at++) {
    const token = tokens[at];
    const isAgain = labelKeyOf(token, tokens[at + 1]) === key;
    const isJoint = [':', '=', '#', '[', '-'].includes(token.text) && tokens[at + 1] !== undefined;
    const isFiller = token.kind === 'word' && ['number', 'no', 'id', 'index'].includes(token.text);
    if (!isAgain && !isJoint && !isFiller) break;
  }
  return at;
}

/** `2.1` as the name of an operation: the first one of the second job. */
function jobAndStep({ raw }: Token): { job: number; step: number } | undefined {
  const [job, step] = raw.split('.').map(Number);
  return step === undefined ? undefined : { job, step };
}

/** A capital letter used as a number, as in `Machine A`. */
function isLetter(token: Token | undefined, next: Token | undefined): token is Token {
  if (token?.kind !== 'word' || !/^[A-Z]$/.test(token.raw)) return false;
  return !(next?.kind === 'number' && next.glued);
}

function isBetween(token: Token): boolean {
  return CONNECTORS.has(token.text) || (token.kind === 'word' && FILLERS.has(token.text));
}

/** Whether a bracket contains a remark: it then begins with a word that does not describe an operation. */
function opensRemark(tokens: readonly Token[], at: number): boolean {
  const [bracket, word] = [tokens[at], tokens[at + 1]];
  if (bracket.text !== '(' && bracket.text !== '[') return false;
  if (word?.kind !== 'word' || FILLERS.has(word.text)) return false;
  return labelKeyOf(word, tokens[at + 2]) === undefined && timeWord(word) === undefined;
}
