import type { MachineOrder, MakespanClaim, TextPlace } from './rows.js';
import type { LineParts } from './segments.js';
import type { Token } from './tokens.js';
import { isOtherUnit } from './vocabulary.js';

/** A line of the text, or a part of one in which line ends are written as `\n`. */
export interface TextLine {
  /** Its beginning and end, in characters of the whole text. */
  readonly from: number;
  readonly to: number;
  /** Its line number in the text, from 1. */
  readonly line: number;
  /** The new speaker, if a message of a transcript begins here. */
  readonly speaker?: Speaker | undefined;
}

/** The place of a line in the text. */
export function placeOf({ line, from, to }: TextLine): TextPlace {
  return { line, offset: from, end: to };
}

/** Senders of messages; a request comes from another agent. */
export type Speaker = 'user' | 'agent' | 'request';

/**
 * Line ends, also as `
 * `, and beginnings of messages in the printed objects of AutoGen.
 */
const BREAK = /\n|\\n|\b(?:content|arguments)=["']/g;

/** Longer lines are split, which limits memory. */
const LONGEST = 65_536;

/** Maximum number of lines between a sender and its printed message. */
const SENDER_REACH = 400;

const PLAIN_SPEAKER =
  /^[\s*#=_>-]{0,8}(?:message:|(?:[a-z&]{1,20}[ _]){0,4}(?:agent|assistant|coordinator|supervisor|scheduler|user|human|system|analysis|coordination)(?: (?:agent|response|output|message))?\s?(?:\*\*)?:)/i;

const RULE = /^={3,}\s[^=\d]+\s={3,}$/;

/** Splits a text into lines, and marks beginnings of messages in a transcript. */
export function* textLines(text: string): Generator<TextLine> {
  let from = 0;
  let line = 1;
  let speaker: Speaker | undefined;
  for (const match of text.matchAll(BREAK)) {
    const isMessage = match[0].length > 2;
    const to = match.index;
    yield* pieces(text, from, to, line, speaker);
    if (match[0] === '\n') line++;
    from = to + match[0].length;
    speaker = isMessage ? printedSpeaker(text, to, match[0]) : undefined;
  }
  yield* pieces(text, from, text.length, line, speaker);
}

function* pieces(
  text: string,
  from: number,
  to: number,
  line: number,
  given: Speaker | undefined,
): Generator<TextLine> {
  let speaker = given ?? plainSpeaker(text.slice(from, Math.min(to, from + 100)));
  let at = from;
  while (to - at > LONGEST) {
    const blank = text.lastIndexOf(' ', at + LONGEST);
    const cut = blank > at + LONGEST / 2 ? blank : at + LONGEST;
    yield { from: at, to: cut, line, speaker };
    speaker = undefined;
    at = cut;
  }
  yield { from: at, to, line, speaker };
}

function plainSpeaker(start: string): Speaker | undefined {
  if (RULE.test(start.trim())) return 'agent';
  const match = PLAIN_SPEAKER.exec(start);
  if (match === null) return undefined;
  return /user|human/i.test(match[0]) ? 'user' : 'agent';
}

function printedSpeaker(text: string, at: number, found: string): Speaker {
  if (!found.startsWith('content')) return 'request';
  const before = text.slice(Math.max(0, at - SENDER_REACH), at);
  return before.slice(before.lastIndexOf('Message(')).includes("source='user'") ? 'user' : 'agent';
}

/** Maximum number of other words in a line with a machine order. */
const MOST_WORDS = 2;

/** The machine order in a line such as `M1: Job 1, Job 3` or `M1: 1, 3`. */
export function orderIn(
  { segments, first, bareNumbers }: LineParts,
  { line }: TextLine,
  tokens: readonly Token[],
): MachineOrder | undefined {
  const [lead] = segments;
  if (first !== 'machine' || lead.machine === undefined) return undefined;
  const words = segments.reduce((sum, { otherWords }) => sum + otherWords, 0);
  if (words > MOST_WORDS || !tokens.some(({ text }) => text === ':' || text === '->')) {
    return undefined;
  }
  if (lead.job === undefined) {
    const isBare = segments.length === 1 && bareNumbers.length > 1 && words === 0;
    if (!isBare || lead.duration !== undefined) return undefined;
    const turns = bareNumbers.map(({ value, from, to }) => ({
      job: value,
      place: { line, offset: from, end: to },
    }));
    return { machine: lead.machine, turns };
  }
  const turns = segments.flatMap(({ job, step, from, to }) =>
    job === undefined ? [] : [{ job, step, place: { line, offset: from, end: to } }],
  );
  const areJobs = segments.every(
    ({ job, machine, duration }, i) =>
      job !== undefined && duration === undefined && (i === 0 || machine === undefined),
  );
  return areJobs && turns.length > 1 ? { machine: lead.machine, turns } : undefined;
}

const BETWEEN = new Set([':', '=', '(', '-', 'is', 'of', 'value', 'calculated', 'to', 'be']);

/**
 * The makespan that a line claims for a schedule: `FINAL MAKESPAN: 1,300`, or a line that begins with the word.
 * Estimates, values of others and placeholders are not claims.
 */
export function readMakespan(tokens: readonly Token[]): MakespanClaim | undefined {
  const word = tokens.findIndex(({ text }) => text === 'makespan');
  if (word < 0) return undefined;
  const isFinal = tokens.slice(0, word).some(({ text }) => text === 'final');
  const isTitle = word < 3 && [':', '='].includes(tokens[word + 1]?.text ?? '');
  if (!isFinal && !isTitle) return undefined;
  let at = word + 1;
  while (at < tokens.length && BETWEEN.has(tokens[at].text)) at++;
  const value = tokens[at];
  if (value?.kind !== 'number' || at === word + 1) return undefined;
  const next = tokens[at + 1];
  const isRange = next?.text === '-' && tokens[at + 2]?.kind === 'number';
  if (isRange || (isOtherUnit(next) && next.glued)) return undefined;
  return { value: value.value, offset: value.from, isFinal };
}
