import { InputError } from '@alas-jssp/core/errors';
import { createInstance, type Instance, type InstanceSpec, MAX_TIME } from '../instance.js';
import { isHeading, nextToken, notANumber, quoteToken, type Tokens, tooHigh } from './tokens.js';

/** The limit of jobs, machines and operations of an instance in a file: 16,777,216. */
export const MAX_COUNT = 2 ** 24;

/** The numbers of jobs and of machines at the beginning of a file. */
export interface Size {
  jobs: number;
  machines: number;
}

/** A block of numbers with one row for each job. */
export interface Block {
  rows: number;
  /** The count of numbers in a row. */
  width: number;
  /** The expected row, as the hint for a malformed one: `give 3 pairs of …`. */
  hint: string;
  /** The heading after the block, if there is one. */
  heading?: string;
  /** Accepts a number, which is whole but may be out of range. */
  accept(value: number, row: number, column: number): void;
}

/** Reads `n m`; the first of the two is the current token. */
export function readSize(tokens: Tokens): Size {
  if (tokens.kind === 'end') {
    throw new InputError(
      'empty_file',
      'there are only comments and blank lines',
      'begin with the numbers of jobs and machines',
      { file: tokens.file },
    );
  }
  const jobs = readCount(tokens, 'jobs');
  nextToken(tokens);
  const machines = readCount(tokens, 'machines');
  return { jobs, machines };
}

/** Refuses sizes with more operations than the limit, when every job has one per machine. */
export function expectOperations(tokens: Tokens, { jobs, machines }: Size): void {
  if (jobs * machines <= MAX_COUNT) return;
  const { file, line } = tokens;
  throw new InputError(
    'too_high',
    `${jobs} jobs on ${machines} machines make ${jobs * machines} operations`,
    `give at most ${MAX_COUNT} operations`,
    { file, line },
  );
}

/**
 * Reads a block of numbers, row by row, from the current token to the one after the block. A row begins on a line of
 * its own and may continue on further lines.
 *
 * @throws InputError if a row has too few or too many numbers, or something that is no number
 */
export function readBlock(tokens: Tokens, block: Block): void {
  const { rows, width, accept } = block;
  for (let row = 0; row < rows; row++) {
    const first = tokens.line;
    let { line } = tokens;
    /** The count of numbers of this row on lines before the current one. */
    let before = 0;
    for (let column = 0; column < width; column++) {
      if (tokens.line !== line) {
        before = column;
        line = tokens.line;
      }
      if (tokens.kind !== 'integer') throw brokenRow(tokens, block, row, column, first);
      accept(tokens.value, row, column);
      nextToken(tokens);
    }
    if (tokens.kind !== 'end' && tokens.line === line) {
      throw longRow(tokens, block, row, before, first);
    }
  }
}

/** Requires a machine between `first` and `first + machines − 1`. */
export function expectMachine(
  tokens: Tokens,
  value: number,
  job: number,
  machines: number,
  first: 0 | 1,
): void {
  if (value >= first && value < first + machines) return;
  const { file, line } = tokens;
  throw new InputError(
    'machine_range',
    `job ${job + 1} has machine ${value}, which is out of range`,
    `use ${first} to ${first + machines - 1}: this format counts machines from ${first}`,
    { file, line },
    value,
  );
}

/** Requires a duration that is not negative and not too large. */
export function expectDuration(tokens: Tokens, value: number, job: number): void {
  if (value >= 0 && value <= MAX_TIME) return;
  if (value > 0) throw tooHigh(tokens);
  const { file, line } = tokens;
  throw new InputError(
    'negative_duration',
    `job ${job + 1} has duration ${value}`,
    'use 0 or more',
    { file, line },
    value,
  );
}

/** Requires the end of the text. */
export function expectEnd(tokens: Tokens, after: string, hint: string): void {
  if (tokens.kind === 'end') return;
  const { file, line } = tokens;
  throw new InputError('trailing_junk', `${quoteToken(tokens)} after ${after}`, hint, {
    file,
    line,
  });
}

/** Creates the instance that a file describes; errors about the whole instance name the file. */
export function instanceFromFile(
  spec: InstanceSpec,
  file: string | undefined,
  path?: string,
): Instance {
  try {
    return createInstance(spec);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.code, error.problem, error.hint, { file, path }, error.value);
  }
}

function readCount(tokens: Tokens, what: string): number {
  const { file, line, kind, value } = tokens;
  if (kind === 'end') {
    throw new InputError(
      'missing_numbers',
      `the file ends before the number of ${what}`,
      'begin with the numbers of jobs and machines',
      { file, line },
    );
  }
  if (kind !== 'integer') throw notANumber(tokens);
  if (value < 1 || value > MAX_COUNT) {
    throw new InputError(
      'bad_size',
      `the number of ${what} is ${value}`,
      `use 1 to ${MAX_COUNT}`,
      { file, line },
      value,
    );
  }
  return value;
}

/** The error for a row that ends at something that is not a number, or at the end of the file. */
function brokenRow(
  tokens: Tokens,
  { rows, width, hint, heading }: Block,
  row: number,
  column: number,
  first: number,
): InputError {
  const { file, line, kind } = tokens;
  if (kind === 'fraction' || kind === 'huge') return notANumber(tokens);
  if (kind === 'word' && !isHeading(tokens, heading)) return notANumber(tokens);
  const problem =
    column > 0
      ? `job ${row + 1} has ${column} of ${width} numbers`
      : `the jobs end after ${row} of ${rows}`;
  return new InputError('missing_numbers', problem, hint, {
    file,
    line: column > 0 ? first : line,
  });
}

/**
 * The error for a row with more numbers after its last one on the same line. If that line alone makes a full row, then
 * it is the next job's, and this row had too few.
 */
function longRow(
  tokens: Tokens,
  { width, hint }: Block,
  row: number,
  before: number,
  first: number,
): InputError {
  const { file, line } = tokens;
  let here = width - before;
  while (here <= width && tokens.line === line && tokens.kind === 'integer') {
    here++;
    if (nextToken(tokens) === 'end') break;
  }
  if (tokens.line === line && tokens.kind !== 'end' && tokens.kind !== 'integer') {
    return notANumber(tokens);
  }
  return before > 0 && here === width
    ? new InputError('missing_numbers', `job ${row + 1} has ${before} of ${width} numbers`, hint, {
        file,
        line: first,
      })
    : new InputError('extra_numbers', `job ${row + 1} has more than ${width} numbers`, hint, {
        file,
        line,
      });
}
