import type { Field, MachineOrder, MakespanClaim, Place, Row, SourceFormat } from './found.js';
import type { IgnoredKind, IgnoredList } from './ignored.js';
import type { JsonFound } from './json-rows.js';
import { type Speaker, type TextLine, textLines } from './lines.js';
import { readMakespan } from './makespan.js';
import { type LineParts, parseLine, type Segment } from './segments.js';
import { readBareRow, readHeader, readTableRow, type Table } from './tables.js';
import { type Token, tokenize } from './tokens.js';

/** Rows without prose between them. */
export interface Run {
  readonly message: Message;
  readonly rows: Row[];
  readonly orders: MachineOrder[];
  /** Whether the words before it call it an example. */
  readonly isExample: boolean;
}

/** What one speaker says; a text that is no transcript is one message. */
export interface Message {
  speaker: Speaker;
  readonly makespans: MakespanClaim[];
  /** Lines that give operations times, whether they can be read or not. */
  timed: number;
  /** Operations without times, and words that only a prompt has: signs of an echo. */
  specifications: number;
  promptWords: number;
}

export interface TextFound {
  readonly runs: Run[];
  readonly messages: Message[];
}

/** A job or machine that a heading names for the lines below it. */
interface Heading {
  job: number | undefined;
  machine: number | undefined;
  /** Its level: 1 to 6 for `#` to `######`, 7 for others. */
  level: number;
  hasLetter: boolean;
}

/** The number that ends a line, so that the text may break off inside it. */
type Cut = 'start' | 'end' | undefined;

const EXAMPLE = /\bexamples?\b|\bformat\b|\btemplate\b|\bfor instance\b|\bsuppose\b/i;
const PROMPT = /required output format|example format|job specifications|problem description/i;

/** Words beside its label that a heading may have, and that a row may have. */
const MOST_HEADING_WORDS = 6;
const MOST_ROW_WORDS = 4;

/**
 * Reads a text line by line, in time linear in its length. Headings name the job or machine of the
 * rows below them; an operation whose times stand on the following lines is put together.
 *
 * @param json what has been found in the JSON of the text; its lines are not read again
 */
export function readText(text: string, json: JsonFound, ignored: IgnoredList): TextFound {
  const messages: Message[] = [];
  const runs: Run[] = [];
  let message = newMessage('agent');
  let run: Run | undefined;
  let prose = ['', ''];
  let heading: Heading = noHeading();
  let pending: { segment: Segment; line: TextLine } | undefined;
  let table: Table | undefined;
  let last: { row: Row; cut: Cut } | undefined;
  const masks = jsonMasks(json);
  let mask = 0;
  const next = { row: 0, order: 0, makespan: 0, ignored: 0 };
  messages.push(message);

  for (const line of textLines(text)) {
    if (line.speaker !== undefined) beginMessage(line.speaker);
    takeJson(line);
    while (mask < masks.length && masks[mask].to <= line.from) mask++;
    if (masks[mask]?.from < line.to) continue;
    readLine(line);
  }
  endMessage();
  return { runs, messages };

  function beginMessage(speaker: Speaker): void {
    endMessage();
    message = newMessage(speaker);
    messages.push(message);
    heading = noHeading();
    table = undefined;
    prose = ['', ''];
  }

  function endMessage(): void {
    flushPending();
    if (run !== undefined && last !== undefined) dropCut(run, last.row, last.cut);
    last = undefined;
    run = undefined;
  }

  /** A start at which the text breaks off is none; what its end is, the instance must say. */
  function dropCut({ rows }: Run, row: Row, cut: Cut): void {
    const at = rows.lastIndexOf(row);
    if (at < 0 || cut === undefined) return;
    if (cut === 'end') rows[at] = { ...row, mayBeCut: true };
    else if (at > 0 && rows[at - 1].end !== undefined) {
      rows.pop();
      ignored.add('cut_off', row.place.line);
    }
  }

  function openRun(): Run {
    if (run === undefined) {
      run = {
        message,
        rows: [],
        orders: [],
        isExample: prose.some((words) => EXAMPLE.test(words)),
      };
      runs.push(run);
    }
    return run;
  }

  function endRun(words: string): void {
    flushPending();
    prose = [run === undefined ? prose[1] : '', words.slice(0, 300)];
    run = undefined;
    last = undefined;
  }

  /** Takes what stands in the JSON of this line. */
  function takeJson(line: TextLine): void {
    for (; json.rows[next.row]?.from < line.to; next.row++) {
      const { from, to, start, ...fields } = json.rows[next.row];
      const place = { line: line.line, offset: from, end: to };
      if (start !== undefined) addRow({ ...fields, start, format: 'json', place });
    }
    for (; json.orders[next.order]?.from < line.to; next.order++) {
      const { machine, turns } = json.orders[next.order];
      const placed = turns.map(({ job, from, to }) => ({
        job,
        place: { line: line.line, offset: from, end: to },
      }));
      openRun().orders.push({ machine, turns: placed });
    }
    for (; json.makespans[next.makespan]?.offset < line.to; next.makespan++) {
      message.makespans.push({ ...json.makespans[next.makespan], isFinal: true });
    }
    for (; json.ignored[next.ignored]?.from < line.to; next.ignored++) {
      const { kind } = json.ignored[next.ignored];
      if (kind === 'no_start') message.specifications++;
      ignored.add(kind, line.line);
    }
  }

  function readLine(line: TextLine): void {
    const words = text.slice(line.from, line.to);
    if (words.trim() === '') return;
    if (PROMPT.test(words.slice(0, 200))) message.promptWords++;
    if (readTable(line, words)) return;
    const tokens = tokenize(text, line.from, line.to);
    const makespan = readMakespan(tokens);
    if (makespan !== undefined) message.makespans.push(makespan);
    const parts = parseLine(tokens);
    if (parts.hasEllipsis) ignored.add('ellipsis', line.line);
    if (readSegments(line, parts)) return;
    if (readOrder(line, parts, tokens)) return;
    if (readHeading(words, parts)) return;
    const level = /^\s*(#{1,6})\s/.exec(words)?.[1].length;
    if (level !== undefined && level <= heading.level) heading = noHeading();
    if (/[a-z]{2}/i.test(words)) endRun(words);
  }

  function readTable(line: TextLine, words: string): boolean {
    if (table !== undefined) {
      const values = readTableRow(words, table);
      if (values === undefined) table = undefined;
      else {
        addTableRow(line, values, table.delimiter === '|' ? 'table' : 'csv');
        return true;
      }
    }
    table = readHeader(words);
    if (table !== undefined) return true;
    const bare = readBareRow(words);
    if (bare !== undefined) {
      const { start, ...fields } = bare.values;
      if (start === undefined) return false;
      const mustFit = !bare.isLabelled;
      addRow({ ...fields, start, format: 'csv', place: placeOf(line), mustFit });
      return true;
    }
    if (!/^\s*\|.*\|\s*$/.test(words.slice(0, 2000))) return false;
    if (/\d/.test(words)) ignored.add('unreadable', line.line);
    return true;
  }

  function addTableRow(
    line: TextLine,
    values: Partial<Record<Field, number>> | IgnoredKind,
    format: SourceFormat,
  ): void {
    if (typeof values === 'string' || Object.keys(values).length === 0) return;
    const { start, ...fields } = values;
    const kind = Object.values(values).some(Number.isNaN) ? 'unreadable' : 'no_start';
    if (start === undefined || kind === 'unreadable') ignored.add(kind, line.line);
    else addRow({ ...fields, ...inherited(fields), start, format, place: placeOf(line) });
  }

  /** Reads a line that says something about operations; false if it is another one. */
  function readSegments(line: TextLine, { segments, first }: LineParts): boolean {
    const timed = segments.filter(isTimed);
    if (timed.length === 0 && segments.every((segment) => segment.problem === undefined)) {
      return readPending(line, segments);
    }
    if (timed.length === 1 && segments.length === 1 && pending && !namesOperation(timed[0])) {
      return complete(line, timed[0]);
    }
    flushPending();
    const [lead] = segments;
    let isRow = false;
    segments.forEach((segment, i) => {
      const own = i === 0 ? segment : inherit(segment, lead, first);
      const isChain = first === 'job' && segments.length > 1 && own.step === undefined;
      const ordinal = isChain ? i + 1 : undefined;
      isRow = addSegment(own, line, ordinal) || isRow;
    });
    return isRow;
  }

  /** Adds a part of a line; true if it is a row, though perhaps one to be ignored. */
  function addSegment(segment: Segment, line: TextLine, ordinal: number | undefined): boolean {
    const { job, step, machine, start, end, duration, problem } = segment;
    if (problem !== undefined) {
      message.timed++;
      ignored.add(problem, line.line);
      if (problem === 'letter_name') noteLetter(segment);
      return true;
    }
    if (!namesOperation(segment) || start === undefined) {
      if (step !== undefined || machine !== undefined) noteSpecification(line);
      return step !== undefined;
    }
    if (segment.otherWords > MOST_ROW_WORDS) return false;
    if (heading.hasLetter && machine === undefined) {
      ignored.add('letter_name', line.line);
      return true;
    }
    const fields = { job, step, machine, end, duration };
    const place = { line: line.line, offset: segment.from, end: segment.to };
    const row: Row = {
      ...withoutUndefined({ ...fields, ...inherited(fields) }),
      start,
      format: 'text',
      place,
      ordinal,
    };
    addRow(row, cutOf(segment, line));
    return true;
  }

  /** Keeps an operation whose times may follow, or adds to it. */
  function readPending(line: TextLine, segments: readonly Segment[]): boolean {
    const [segment] = segments;
    const { job, step, machine, end, duration } = segment;
    if (segments.length > 1) {
      const isList = segments.filter((part) => part.duration !== undefined).length > 1;
      if (!isList) return false;
      flushPending();
      for (const part of segments) if (part.machine !== undefined) noteSpecification(line);
      return true;
    }
    if (pending !== undefined && step === undefined && job === undefined) {
      const { segment: open } = pending;
      if (end !== undefined && open.start !== undefined) {
        return complete(line, segment);
      }
      if (machine !== undefined && open.machine === undefined && segment.otherWords < 3) {
        open.machine = machine;
        return true;
      }
    }
    if (step !== undefined && segment.otherWords <= MOST_ROW_WORDS) {
      flushPending();
      pending = { segment: { ...segment }, line };
      return true;
    }
    return duration !== undefined && machine === undefined && job === undefined;
  }

  /** Adds times on a line of their own to the operation that waits for them. */
  function complete(line: TextLine, times: Segment): boolean {
    if (pending === undefined) return false;
    const { segment } = pending;
    if (times.start !== undefined && segment.start === undefined) {
      segment.start = times.start;
      segment.startTo = times.startTo;
    }
    if (times.end !== undefined) {
      segment.end = times.end;
      segment.endTo = times.endTo;
    }
    if (times.duration !== undefined) segment.duration ??= times.duration;
    segment.to = times.to;
    if (segment.start === undefined || segment.end === undefined) return true;
    const whole = pending;
    pending = undefined;
    addSegment(whole.segment, { ...line, line: whole.line.line }, undefined);
    return true;
  }

  function flushPending(): void {
    if (pending === undefined) return;
    const { segment, line } = pending;
    pending = undefined;
    if (segment.start === undefined) noteSpecification(line);
    else addSegment(segment, line, undefined);
  }

  function readOrder(line: TextLine, parts: LineParts, tokens: readonly Token[]): boolean {
    const order = orderIn(parts, line, tokens);
    if (order === undefined) return false;
    flushPending();
    openRun().orders.push(order);
    return true;
  }

  /** Takes the job or machine of a heading, or of a line that names nothing else. */
  function readHeading(words: string, { segments }: LineParts): boolean {
    const [segment] = segments;
    const { job, machine, step, duration, otherWords, problem } = segment;
    if (segments.length > 1 || step !== undefined || otherWords > MOST_HEADING_WORDS) return false;
    if ((job === undefined) === (machine === undefined)) return false;
    const level = /^\s*(#{1,6})\s/.exec(words)?.[1].length;
    const isMarked = level !== undefined || words.includes('**') || words === words.toUpperCase();
    if (!isMarked && !/:\W*$/.test(words) && otherWords > 0) return false;
    if (duration !== undefined && machine !== undefined) return false;
    flushPending();
    heading = { job, machine, level: level ?? 7, hasLetter: problem === 'letter_name' };
    return true;
  }

  function noteLetter({ job, step, start, machine }: Segment): void {
    const isHeading = step === undefined && start === undefined;
    if (!isHeading || (job === undefined) === (machine === undefined)) return;
    heading = { job: undefined, machine: undefined, level: 7, hasLetter: true };
  }

  function noteSpecification(line: TextLine): void {
    message.specifications++;
    ignored.add('no_start', line.line);
  }

  function inherited(fields: { job?: number | undefined; machine?: number | undefined }) {
    return withoutUndefined({
      job: fields.job ?? heading.job,
      machine: fields.machine ?? heading.machine,
    });
  }

  function addRow(row: Row, cut?: Cut): void {
    message.timed++;
    openRun().rows.push(row);
    last = { row, cut };
  }

  /** Which number of a row ends with its line, so that it may be cut off there. */
  function cutOf({ startTo, endTo, duration }: Segment, line: TextLine): Cut {
    const isAtEnd = (to: number) => to >= 0 && text.slice(to, line.to).trim() === '';
    if (isAtEnd(startTo)) return 'start';
    return isAtEnd(endTo) && duration === undefined ? 'end' : undefined;
  }
}

function newMessage(speaker: Speaker): Message {
  return { speaker, makespans: [], timed: 0, specifications: 0, promptWords: 0 };
}

function noHeading(): Heading {
  return { job: undefined, machine: undefined, level: 7, hasLetter: false };
}

function placeOf({ line, from, to }: TextLine): Place {
  return { line, offset: from, end: to };
}

function isTimed({ start }: Segment): boolean {
  return start !== undefined;
}

function namesOperation({ job, step, machine }: Segment): boolean {
  return job !== undefined || step !== undefined || machine !== undefined;
}

function inherit(segment: Segment, lead: Segment, first: LineParts['first']): Segment {
  if (first === 'job' && segment.job === undefined) {
    return { ...segment, ...withoutUndefined({ job: lead.job }) };
  }
  if (first === 'machine' && segment.machine === undefined) {
    return { ...segment, ...withoutUndefined({ machine: lead.machine }) };
  }
  return segment;
}

function withoutUndefined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

const ORDER_WORDS = 2;

/** The order that a line such as `M1: Job 1, Job 3` or `M1: 1, 3` gives a machine. */
function orderIn(
  { segments, first, bareNumbers }: LineParts,
  { line }: TextLine,
  tokens: readonly Token[],
): MachineOrder | undefined {
  const [lead] = segments;
  if (first !== 'machine' || lead.machine === undefined) return undefined;
  const words = segments.reduce((sum, { otherWords }) => sum + otherWords, 0);
  if (words > ORDER_WORDS || !tokens.some(({ text }) => text === ':' || text === '->')) {
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

/** The parts of the text that JSON has taken, in ascending order. */
function jsonMasks({ rows, orders, ignored }: JsonFound): { from: number; to: number }[] {
  for (const list of [rows, orders, ignored]) list.sort((a, b) => a.from - b.from);
  const spans = [...rows, ...orders, ...ignored].map(({ from, to }) => ({ from, to }));
  spans.sort((a, b) => a.from - b.from);
  const masks: { from: number; to: number }[] = [];
  for (const span of spans) {
    const top = masks.at(-1);
    if (top !== undefined && span.from < top.to) top.to = Math.max(top.to, span.to);
    else masks.push(span);
  }
  return masks;
}
