import { InputError } from '@alas-jssp/core/errors';
import { NEWLINE } from '@alas-jssp/core/text';
import type { Instance } from '../instance.js';
import { modesOf } from '../shop-parts.js';
import { joinLines } from './join-lines.js';
import { chooseFastest, withoutSingleModes } from './mode-arrays.js';
import { expectDuration, expectEnd, expectMachine, instanceFromFile, readSize } from './rows.js';
import type { FileSource } from './source.js';
import { nextToken, notANumber, openTokens, type TokenKind, type Tokens } from './tokens.js';

/**
 * Reads the `.fjs` format of FJSPLib: `n m` and optionally the mean number of alternatives, then a line for each job
 * with the number of its operations and, for each, the number of its alternatives with their pairs `machine duration`,
 * machines from 1. Of the alternatives of an operation, the fastest one is chosen, the first one of several. If no
 * operation has two, the instance is a classic job shop.
 *
 * @throws InputError with file and line if anything is missing, superfluous or out of range
 */
export function parseFlexible(bytes: Uint8Array, source: FileSource): Instance {
  const tokens = openTokens(bytes, source.file);
  nextToken(tokens);
  const { line } = tokens;
  const { jobs, machines } = readSize(tokens);
  nextToken(tokens);
  if (tokens.line === line && (tokens.kind === 'integer' || tokens.kind === 'fraction')) {
    nextToken(tokens);
  }
  // A number takes at least two bytes: this bounds the allocation if the header is wrong.
  const capacity = Math.ceil(bytes.length / 4);
  const rows: JobRows = {
    machines,
    offset: new Int32Array(capacity + 1),
    machine: new Int32Array(capacity),
    duration: new Int32Array(capacity),
    operations: 0,
    modes: 0,
  };
  const jobOffset = new Int32Array(Math.min(jobs, capacity) + 1);
  for (let job = 0; job < jobs; job++) {
    readJob(tokens, rows, job, jobs);
    jobOffset[job + 1] = rows.operations;
  }
  expectEnd(tokens, `job ${jobs}, the last`, 'remove it, or correct the number of jobs');
  const modes = chooseFastest({
    offset: rows.offset.slice(0, rows.operations + 1),
    machine: rows.machine.slice(0, rows.modes),
    duration: rows.duration.slice(0, rows.modes),
  });
  return instanceFromFile(
    { name: source.name, machines, jobOffset, ...withoutSingleModes(modes) },
    source.file,
  );
}

/** The modes read so far. */
interface JobRows {
  readonly machines: number;
  readonly offset: Int32Array;
  readonly machine: Int32Array;
  readonly duration: Int32Array;
  operations: number;
  modes: number;
}

function readJob(tokens: Tokens, rows: JobRows, job: number, jobs: number): void {
  const { file, line } = tokens;
  if (tokens.kind === 'end') {
    throw new InputError(
      'missing_numbers',
      `the jobs end after ${job} of ${jobs}`,
      'give each job a line: the number of its operations, and their alternatives',
      { file, line },
    );
  }
  const place = `job ${job + 1}`;
  const operations = readNumber(tokens, line, place);
  if (operations < 0) throw badCount(tokens, line, `${place} has ${operations} operations`, 0);
  for (let step = 1; step <= operations; step++) {
    const name = `operation ${step} of ${operations} of ${place}`;
    const count = readNumber(tokens, line, name);
    if (count < 1) throw badCount(tokens, line, `${name} has ${count} alternatives`, 1);
    for (let one = 0; one < count; one++) {
      const machine = readNumber(tokens, line, name, (value) =>
        expectMachine(tokens, value, job, rows.machines, 1),
      );
      rows.machine[rows.modes] = machine - 1;
      rows.duration[rows.modes++] = readNumber(tokens, line, name, (value) =>
        expectDuration(tokens, value, job),
      );
    }
    rows.offset[++rows.operations] = rows.modes;
  }
  if ((tokens.kind as TokenKind) !== 'end' && tokens.line === line) {
    if (tokens.kind !== 'integer') throw notANumber(tokens);
    throw new InputError(
      'extra_numbers',
      `${place} has more numbers than its ${operations} operations need`,
      'correct the number of its operations or alternatives, and begin each job on a line of its own',
      { file, line },
    );
  }
}

/** The number of the current token, which must be in the line of its job; moves to the next token. */
function readNumber(
  tokens: Tokens,
  line: number,
  place: string,
  check?: (value: number) => void,
): number {
  const { kind, file, value } = tokens;
  if (kind === 'end' || tokens.line !== line) {
    throw new InputError(
      'missing_numbers',
      `the line ends within ${place}`,
      'give each operation the number of its alternatives and, for each, machine and duration',
      { file, line },
    );
  }
  if (kind !== 'integer') throw notANumber(tokens);
  check?.(value);
  nextToken(tokens);
  return value;
}

function badCount({ file }: Tokens, line: number, problem: string, least: number): InputError {
  return new InputError('bad_size', problem, `give ${least} or more`, { file, line });
}

/**
 * Whether a text has the form of `.fjs` rather than the standard format: as many lines as jobs after the first one, and
 * a third number in the first line or numbers of alternatives that fit all lines. Most other texts are recognized
 * without reading them to the end, and none makes garbage.
 *
 * @throws InputError if it is no text
 */
export function isFlexible(bytes: Uint8Array, source: FileSource): boolean {
  const tokens = openTokens(bytes, source.file);
  nextToken(tokens);
  const { kind, line, value: jobs } = tokens;
  if (kind !== 'integer' || !hasNewlines(bytes, jobs)) return false;
  let width = 0;
  for (; isNumber(tokens) && tokens.line === line; nextToken(tokens)) {
    width++;
    if (width > 3) return false;
  }
  if (width === 1 || countRows(tokens) !== jobs) return false;
  if (width === 3) return true;
  try {
    parseFlexible(bytes, source);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** Whether there are at least so many newlines. */
function hasNewlines(bytes: Uint8Array, count: number): boolean {
  let position = -1;
  for (let found = 0; found < count; found++) {
    position = bytes.indexOf(NEWLINE, position + 1);
    if (position < 0) return false;
  }
  return true;
}

/** The number of lines of numbers from the current token on; −1 if there is anything else. */
function countRows(tokens: Tokens): number {
  let rows = 0;
  let line = -1;
  for (; isNumber(tokens); nextToken(tokens)) {
    if (tokens.line === line) continue;
    line = tokens.line;
    rows++;
  }
  return tokens.kind === 'end' ? rows : -1;
}

function isNumber({ kind }: Tokens): boolean {
  return kind === 'integer' || kind === 'fraction' || kind === 'huge';
}

/**
 * Writes an instance in the `.fjs` format, one job per line.
 *
 * @throws InputError `not_flexible` if the format cannot represent the instance: it has jobs, machines and alternatives
 *   only
 */
export function writeFlexible(instance: Instance): string {
  for (const [attribute, words] of OTHER_PARTS) {
    if (instance[attribute] === null) continue;
    throw new InputError(
      'not_flexible',
      `${instance.name} has ${words}, which the .fjs format cannot hold`,
      'write it as JSON',
    );
  }
  const { jobs, machines, operations, jobOffset } = instance;
  const { machine, duration } = instance.modes ?? instance;
  const mean = operations === 0 ? 1 : Number((machine.length / operations).toFixed(2));
  const operation = (op: number) => {
    const [first, stop] = modesOf(instance, op);
    const pairs = joinLines(
      stop - first,
      ' ',
      (i) => `${machine[first + i] + 1} ${duration[first + i]}`,
    );
    return `${stop - first} ${pairs}`;
  };
  const lines = joinLines(jobs, '\n', (job) => {
    const first = jobOffset[job];
    const length = jobOffset[job + 1] - first;
    return `${length}${joinLines(length, '', (step) => ` ${operation(first + step)}`)}`;
  });
  return `${jobs} ${machines} ${mean}\n${lines}\n`;
}

const OTHER_PARTS = [
  ['release', 'release times'],
  ['due', 'due dates'],
  ['weight', 'weights'],
  ['deadline', 'deadlines'],
  ['frozen', 'frozen starts'],
  ['calendar', 'downtimes'],
  ['setups', 'setups'],
  ['transport', 'transport times'],
  ['precedence', 'predecessors or lags'],
  ['resources', 'resources'],
] as const;
