import { InputError } from '@alas-jssp/core/errors';
import type { Instance } from '../instance.js';
import { joinLines } from './join-lines.js';
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
import { nextToken, openTokens, type Tokens } from './tokens.js';

/**
 * Reads the standard format of the job-shop literature (as in JSPLIB): `n m`, then for each job m pairs `machine
 * duration`, machines from 0. A job begins on a line of its own and may continue on further lines; `#` begins a
 * comment.
 *
 * @throws InputError with file and line if anything is missing, superfluous or out of range
 */
export function parseStandard(bytes: Uint8Array, source: FileSource): Instance {
  const tokens = openTokens(bytes, source.file);
  nextToken(tokens);
  const { jobs, machines } = readSize(tokens);
  expectOperations(tokens, { jobs, machines });
  expectHeaderEnd(tokens);

  // A number takes at least two bytes: this bounds the allocation if the header is wrong.
  const capacity = Math.min(jobs * machines, Math.ceil(bytes.length / 4));
  const machine = new Int32Array(capacity);
  const duration = new Int32Array(capacity);
  readBlock(tokens, {
    rows: jobs,
    width: 2 * machines,
    hint: `give each job ${machines} pairs of machine and duration, on a line of its own`,
    accept: (value, job, column) => {
      const op = job * machines + (column >> 1);
      if ((column & 1) === 0) {
        expectMachine(tokens, value, job, machines, 0);
        machine[op] = value;
      } else {
        expectDuration(tokens, value, job);
        duration[op] = value;
      }
    },
  });
  expectEnd(tokens, `job ${jobs}, the last`, 'remove it, or correct the number of jobs');

  const jobOffset = Int32Array.from({ length: jobs + 1 }, (_, job) => job * machines);
  return instanceFromFile(
    { name: source.name, machines, jobOffset, machine, duration },
    source.file,
  );
}

/**
 * Writes an instance in the standard format, one job per line.
 *
 * @param comment lines for the head of the file, without `#`
 * @throws InputError if the format cannot represent the instance: a job without exactly one operation per machine,
 *   releases, due dates, weights, deadlines, frozen starts, downtimes, or alternatives, setups, transport, waiting times
 *   and operators
 */
export function writeStandard(instance: Instance, comment: readonly string[] = []): string {
  checkStandard(instance);
  const { jobs, machines, jobOffset, machine, duration } = instance;
  const lines = comment.flatMap((text) => text.split(/\r?\n/)).map((text) => `# ${text}`.trimEnd());
  const operation = (op: number) => `${machine[op]} ${duration[op]}`;
  lines.push(
    `${jobs} ${machines}`,
    joinLines(jobs, '\n', (job) => {
      const first = jobOffset[job];
      return joinLines(machines, ' ', (step) => operation(first + step));
    }),
  );
  return `${lines.join('\n')}\n`;
}

function expectHeaderEnd(tokens: Tokens): void {
  const { file, line } = tokens;
  if (nextToken(tokens) === 'end' || tokens.line !== line) return;
  throw new InputError(
    'extra_numbers',
    'the first line holds more than the numbers of jobs and machines',
    'begin each job on a line of its own',
    { file, line },
  );
}

function checkStandard(instance: Instance): void {
  const { name, jobs, machines, jobOffset } = instance;
  for (const [attribute, words] of ATTRIBUTES) {
    if (instance[attribute] !== null) throw notStandard(`${name} has ${words}`);
  }
  for (let job = 0; job < jobs; job++) {
    const length = jobOffset[job + 1] - jobOffset[job];
    if (length !== machines) {
      throw notStandard(
        `job ${job + 1} of ${name} has not as many operations as there are machines`,
      );
    }
  }
}

const ATTRIBUTES = [
  ['release', 'release times'],
  ['due', 'due dates'],
  ['weight', 'weights'],
  ['deadline', 'deadlines'],
  ['frozen', 'frozen starts'],
  ['calendar', 'downtimes'],
  ['modes', 'alternative machines'],
  ['setups', 'setup times'],
  ['transport', 'transport times'],
  ['precedence', 'precedence graphs or waiting times'],
  ['resources', 'operators or tools'],
] as const;

function notStandard(problem: string): InputError {
  return new InputError(
    'not_standard',
    `${problem}, which the standard format cannot hold`,
    'write it as JSON',
  );
}
