import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';
import { InputError } from './errors.js';
import { formatPath } from './json-path.js';

/**
 * Writes a file so that it is either the old one or the new one at any moment, whatever kills
 * the process.
 */
export function replaceFile(file: string, text: string): void {
  const draft = `${file}.tmp`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

/** Writes a value as indented JSON, as {@link replaceFile} does. */
export function writeJsonFile(file: string, value: unknown): void {
  replaceFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Reads a JSON file of a known shape.
 *
 * @param cure what to do where it is not of that shape
 * @throws InputError `no_file` if it cannot be read, `bad_json` if it is not of that shape
 */
export function readJsonFile<T>(
  file: string,
  schema: z.ZodType<T>,
  what: string,
  cure = `give the ${what} as a run wrote it`,
): T {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError('no_file', `the ${what} cannot be read (${code})`, cure, { file });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputError('bad_json', `not JSON: ${(error as Error).message}`, cure, { file });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { problem, path } = firstIssue(parsed.error);
  throw new InputError('bad_json', problem, cure, { file, path });
}

/** What is wrong first with a value of the wrong shape, and where, such as `$.seconds.total`. */
export function firstIssue(error: z.ZodError): { problem: string; path: string } {
  const [{ message, path }] = error.issues;
  return { problem: message.toLowerCase(), path: formatPath(path) };
}
