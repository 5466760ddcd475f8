import { readFileSync } from 'node:fs';
import { refusePipe } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { firstIssue } from '@alas-jssp/core/json-file';
import { type RunRecord, recordKey, recordSchema } from './record.js';

/** One record as a line of `records.jsonl`, with its line break. */
export function formatRecord(record: RunRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/**
 * Reads a file of records. An incomplete last line, as a killed run leaves it, is skipped: a record exists only when
 * its line is complete.
 *
 * @throws InputError `no_file`, `bad_record` or `duplicate_record`, with the line
 */
export function readRecords(file: string): RunRecord[] {
  const lines = readLines(file);
  const lineOf = new Map<string, number>();
  const records: RunRecord[] = [];
  lines.forEach((text, index) => {
    const line = index + 1;
    const value = parseJson(text);
    if (value === undefined && line === lines.length) return;
    const record = checkRecord(value, file, line);
    const key = recordKey(record);
    const first = lineOf.get(key);
    if (first !== undefined) {
      throw new InputError(
        'duplicate_record',
        `this is the same instance, planner, variant, method and replicate as in line ${first}`,
        'keep one of the two lines',
        { file, line },
      );
    }
    lineOf.set(key, line);
    records.push(record);
  });
  return records;
}

function readLines(file: string): string[] {
  refusePipe(file);
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    throw new InputError(
      'no_file',
      `the records cannot be read (${(error as NodeJS.ErrnoException).code})`,
      'give the directory of a run or its records.jsonl',
      { file },
    );
  }
}

function checkRecord(value: unknown, file: string, line: number): RunRecord {
  const parsed = recordSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = firstIssue(parsed.error, value);
  const { problem, path, hint = 'restore the line as the run wrote it, or delete it' } = issue;
  throw new InputError(
    'bad_record',
    value === undefined ? 'this is not JSON' : problem,
    hint,
    { file, line, path },
    value,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
