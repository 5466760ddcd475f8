import { type Cut, createGathering, type TextFound } from './gathering.js';
import type { IgnoredKind, IgnoredList } from './ignored.js';
import type { JsonFound } from './json-rows.js';
import { createJsonFeed } from './json-scan.js';
import { orderIn, placeOf, readMakespan, type TextLine, textLines } from './lines.js';
import type { Row, RowField, SourceFormat } from './rows.js';
import { type LineParts, parseLine, type Segment } from './segments.js';
import {
  inherit,
  isTimed,
  namesOperation,
  readBareRow,
  readHeader,
  readTableRow,
  type Table,
  withoutUndefined,
} from './table-rows.js';
import { type Token, tokenize } from './tokens.js';

/** A job or machine that a heading names for the lines below it. */
interface Heading {
  job: number | undefined;
  machine: number | undefined;
  /** Its level: 1 to 6 for `#` to `######`, 7 for others. */
  level: number;
  hasLetter: boolean;
}

const PROMPT = /required output format|example format|job specifications|problem description/i;

/** Maximum number of words of a heading or a row in addition to the label. */
const MOST_HEADING_WORDS = 6;
const MOST_ROW_WORDS = 4;

/**
 * Reads a text line by line, in time linear in its length. Headings name the job or machine of the rows below them; an
 * operation and its times may be on consecutive lines.
 *
 * @param json the claims found in the JSON of the text, whose lines are not read again
 */
export function readText(text: string, json: JsonFound, ignored: IgnoredList): TextFound {
  const feed = createJsonFeed(json);
  const gathering = createGathering(ignored);
  let heading: Heading = noHeading();
  let pending: { segment: Segment; line: TextLine } | undefined;
  let table: Table | undefined;

  for (const line of textLines(text)) {
    if (line.speaker !== undefined) {
      flushPending();
      gathering.beginMessage(line.speaker);
      heading = noHeading();
      table = undefined;
    }
    takeJson(line);
    if (!feed.covers(line)) readLine(line);
  }
  flushPending();
  gathering.endMessage();
  return gathering;

  /** Takes the JSON values of this line. */
  function takeJson(line: TextLine): void {
    const found = feed.take(line);
    const placeIn = (from: number, to: number) => ({ line: line.line, offset: from, end: to });
    for (const { from, to, start, ...fields } of found.rows) {
      if (start === undefined) continue;
      gathering.addRow({ ...fields, start, format: 'json', place: placeIn(from, to) });
    }
    for (const { machine, turns } of found.orders) {
      const placed = turns.map(({ job, step, from, to }) => ({
        job,
        step,
        place: placeIn(from, to),
      }));
      gathering.addOrder({ machine, turns: placed });
    }
    const message = gathering.message();
    for (const claim of found.makespans) message.makespans.push({ ...claim, isFinal: true });
    for (const { kind } of found.ignored) {
      if (kind === 'no_start') message.specifications++;
      ignored.add(kind, line.line);
    }
  }

  function readLine(line: TextLine): void {
    const words = text.slice(line.from, line.to);
    if (words.trim() === '') return;
    if (PROMPT.test(words.slice(0, 200))) gathering.message().promptWords++;
    if (readTable(line, words)) return;
    const tokens = tokenize(text, line.from, line.to);
    const makespan = readMakespan(tokens);
    if (makespan !== undefined) gathering.message().makespans.push(makespan);
    const parts = parseLine(tokens);
    if (parts.hasEllipsis) ignored.add('ellipsis', line.line);
    if (readSegments(line, parts)) return;
    if (readOrder(line, parts, tokens)) return;
    if (readHeading(words, parts)) return;
    const level = /^\s*(#{1,6})\s/.exec(words)?.[1].length;
    if (level !== undefined && level <= heading.level) heading = noHeading();
    if (!/[a-z]{2}/i.test(words)) return;
    flushPending();
    gathering.endRun(words);
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
      gathering.addRow({ ...fields, start, format: 'csv', place: placeOf(line), mustFit });
      return true;
    }
    if (!/^\s*\|.*\|\s*$/.test(words.slice(0, 2000))) return false;
    if (/\d/.test(words)) ignored.add('unreadable', line.line);
    return true;
  }

  function addTableRow(
    line: TextLine,
    values: Partial<Record<RowField, number>> | IgnoredKind,
    format: SourceFormat,
  ): void {
    if (typeof values === 'string' || Object.keys(values).length === 0) return;
    const { start, ...fields } = values;
    const kind = Object.values(values).some(Number.isNaN) ? 'unreadable' : 'no_start';
    if (start === undefined || kind === 'unreadable') ignored.add(kind, line.line);
    else gathering.addRow({ ...fields, ...inherited(fields), start, format, place: placeOf(line) });
  }

  /** Reads a line about operations; false for any other line. */
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
      gathering.message().timed++;
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
    gathering.addRow(row, cutOf(segment, line));
    return true;
  }

  /** Keeps or completes an operation whose times may follow. */
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

  /** Adds the times of a separate line to the operation that waits for them. */
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
    gathering.addOrder(order);
    return true;
  }

  /** Sets the current job or machine from a heading, or from a line that names nothing else. */
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
    gathering.message().specifications++;
    ignored.add('no_start', line.line);
  }

  function inherited(fields: { job?: number | undefined; machine?: number | undefined }) {
    return withoutUndefined({
      job: fields.job ?? heading.job,
      machine: fields.machine ?? heading.machine,
    });
  }

  /** The number that ends where the line ends, and so may be cut off. */
  function cutOf({ startTo, endTo, duration }: Segment, line: TextLine): Cut {
    const isAtEnd = (to: number) => to >= 0 && text.slice(to, line.to).trim() === '';
    if (isAtEnd(startTo)) return 'start';
    return isAtEnd(endTo) && duration === undefined ? 'end' : undefined;
  }
}

function noHeading(): Heading {
  return { job: undefined, machine: undefined, level: 7, hasLetter: false };
}
