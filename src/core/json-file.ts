import type { z } from 'zod';
import { readBytes } from './bytes.js';
import { InputError } from './errors.js';
import { formatPath } from './json-path.js';
import { parseJson } from './json-text.js';
import { replaceFile } from './replace-file.js';

/** Writes a value as indented JSON, as {@link replaceFile} does. */
export function writeJsonFile(file: string, value: unknown): void {
  replaceFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Reads a JSON file of a known shape.
 *
 * @param hint what to do where it is not of that shape
 * @throws InputError that names file and line if it cannot be read or is not JSON, `bad_json` with
 *   the path inside it if it is not of that shape
 */
export function readJsonFile<T>(
  file: string,
  schema: z.ZodType<T>,
  what: string,
  hint = `give the ${what} as a run wrote it`,
): T {
  return parseJsonAs(
    readAs(hint, () => readBytes(file)),
    schema,
    file,
    what,
    hint,
  );
}

/** Reads the bytes of a JSON file of a known shape, as {@link readJsonFile} does. */
export function parseJsonAs<T>(
  bytes: Uint8Array,
  schema: z.ZodType<T>,
  file: string,
  what: string,
  hint = `give the ${what} as a run wrote it`,
): T {
  const value = readAs(hint, () => parseJson(bytes, file));
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { problem, path } = firstIssue(parsed.error);
  throw new InputError('bad_json', problem, hint, { file, path });
}

/** Reads, with a hint that says which file would be right. */
function readAs<T>(hint: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.code, error.problem, hint, error.location, error.value);
  }
}

/** The first fault of a value of the wrong shape, and where it is, such as `$.seconds.total`. */
export function firstIssue(error: z.ZodError): { problem: string; path: string } {
  const [{ message, path }] = error.issues;
  return { problem: message.toLowerCase(), path: formatPath(path) };
}
