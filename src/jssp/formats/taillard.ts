import { InputError } from '@alas-jssp/core/errors';
import type { Instance } from '../instance.js';
import {
  expectDuration,
  expectEnd,
  expectMachine,
  expectOperations,
  instanceFromFile,
  readBlock,
  readSize,
} from './rows.js';
import type { FileSource } from './source.js';
import { isHeading, nextToken, notANumber, openTokens, quoteToken, type Tokens } from './tokens.js';

/**
 * Reads the format of Taillard's own files (Taillard 1993, doi:10.1016/0377-2217(93)90182-M): words that explain the
 * header, `n m` and further numbers such as seeds and bounds, the word `Times` and n rows of m durations, the word
 * `Machines` and n rows of m machines from 1.
 *
 * @throws InputError with file and line if anything is missing, superfluous or out of range
 */
export function parseTaillard(bytes: Uint8Array, source: FileSource): Instance {
  const tokens = openTokens(bytes, source.file);
  skipTitle(tokens);
  const { jobs, machines } = readSize(tokens);
  expectOperations(tokens, { jobs, machines });
  while (nextToken(tokens) === 'integer' || tokens.kind === 'huge');

  // A number takes at least two bytes: this bounds the allocation if the header is wrong.
  const capacity = Math.min(jobs * machines, Math.ceil(bytes.length / 4));
  const duration = new Int32Array(capacity);
  const machine = new Int32Array(capacity);
  readHeading(tokens, 'Times');
  readBlock(tokens, {
    rows: jobs,
    width: machines,
    hint: `give each of ${jobs} jobs ${machines} durations under Times, on a line of its own`,
    heading: 'Machines',
    accept: (value, job, step) => {
      expectDuration(tokens, value, job);
      duration[job * machines + step] = value;
    },
  });
  readHeading(tokens, 'Machines');
  readBlock(tokens, {
    rows: jobs,
    width: machines,
    hint: `give each of ${jobs} jobs ${machines} machines under Machines, on a line of its own`,
    accept: (value, job, step) => {
      expectMachine(tokens, value, job, machines, 1);
      machine[job * machines + step] = value - 1;
    },
  });
  expectEnd(tokens, 'the Machines block', 'remove it; one file holds one instance');

  const jobOffset = Int32Array.from({ length: jobs + 1 }, (_, job) => job * machines);
  return instanceFromFile(
    { name: source.name, machines, jobOffset, machine, duration },
    source.file,
  );
}

/** Moves to the first number, past the words that explain the header. */
function skipTitle(tokens: Tokens): void {
  while (nextToken(tokens) === 'word') {
    if (isHeading(tokens, 'Times')) {
      throw new InputError(
        'missing_numbers',
        'Times comes before the numbers of jobs and machines',
        'begin with the numbers of jobs and machines',
        { file: tokens.file, line: tokens.line },
      );
    }
  }
}

/** Reads a heading and moves to the token after it. */
function readHeading(tokens: Tokens, heading: string): void {
  if (tokens.kind === 'fraction') throw notANumber(tokens);
  if (!isHeading(tokens, heading)) {
    const found = tokens.kind === 'end' ? 'the file ends' : `${quoteToken(tokens)} stands`;
    throw new InputError(
      'missing_heading',
      `${found} where ${heading} should be`,
      `put the word ${heading} on a line in front of its block`,
      { file: tokens.file, line: tokens.line },
    );
  }
  nextToken(tokens);
}
