import { InputError } from '@alas-jssp/core/errors';
import type { Instance } from '../instance.js';
import {
  expectDuration,
  expectEnd,
  expectMachine,
  instanceFromFile,
  MAX_COUNT,
  readSize,
} from './rows.js';
import type { FileSource } from './source.js';
import { nextToken, notANumber, openTokens, type Tokens } from './tokens.js';

const STOP = -1;

/**
 * Reads the format of Da Col and Teppan's industrial-size instances (2022, doi:10.1016/j.orp.2022.100249): `n m`, then
 * for each job pairs `machine duration` ended by `-1 -1`. Jobs have any length and may revisit a machine; machines
 * count from 0.
 *
 * @throws InputError with file and line if anything is missing, superfluous or out of range
 */
export function parseDaColTeppan(bytes: Uint8Array, source: FileSource): Instance {
  const tokens = openTokens(bytes, source.file);
  nextToken(tokens);
  const { jobs, machines } = readSize(tokens);
  nextToken(tokens);

  // A number takes at least two bytes, so this has room for all operations.
  const capacity = Math.min(MAX_COUNT, Math.ceil(bytes.length / 4));
  const machine = new Int32Array(capacity);
  const duration = new Int32Array(capacity);
  const jobOffset = new Int32Array(Math.min(jobs, capacity) + 1);
  let op = 0;
  for (let job = 0; job < jobs; job++) {
    for (; expectInteger(tokens, job, jobs) !== STOP; op++) {
      if (op === capacity) throw tooManyOperations(tokens);
      expectMachine(tokens, tokens.value, job, machines, 0);
      machine[op] = tokens.value;
      nextToken(tokens);
      expectDuration(tokens, expectInteger(tokens, job, jobs), job);
      duration[op] = tokens.value;
      nextToken(tokens);
    }
    readStop(tokens, job, jobs);
    jobOffset[job + 1] = op;
  }
  expectEnd(tokens, `job ${jobs}, the last`, 'remove it, or correct the number of jobs');

  return instanceFromFile(
    {
      name: source.name,
      machines,
      jobOffset,
      machine: machine.slice(0, op),
      duration: duration.slice(0, op),
    },
    source.file,
  );
}

/** Reads the second number of the `-1 -1` that ends a job and moves to the next job. */
function readStop(tokens: Tokens, job: number, jobs: number): void {
  const { file, line } = tokens;
  nextToken(tokens);
  if (expectInteger(tokens, job, jobs) !== STOP) {
    throw new InputError(
      'bad_stop',
      `job ${job + 1} has -1 followed by ${tokens.value}`,
      'end the job with -1 -1',
      { file, line },
    );
  }
  nextToken(tokens);
}

function expectInteger(tokens: Tokens, job: number, jobs: number): number {
  const { kind, file, line } = tokens;
  if (kind === 'integer') return tokens.value;
  if (kind !== 'end') throw notANumber(tokens);
  throw new InputError(
    'missing_numbers',
    `the file ends before the -1 -1 of job ${job + 1} of ${jobs}`,
    'end each job with -1 -1, and correct the number of jobs if it is wrong',
    { file, line },
  );
}

function tooManyOperations({ file, line }: Tokens): InputError {
  return new InputError('too_high', `there are more than ${MAX_COUNT} operations`, 'give fewer', {
    file,
    line,
  });
}
