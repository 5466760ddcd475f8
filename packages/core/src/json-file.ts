import type * as z from 'zod';
import { readBytes } from './bytes.js';
import { InputError } from './errors.js';
import { findLaterVersion } from './json-check.js';
import { formatPath } from './json-path.js';
import { parseJson } from './json-text.js';
import { replaceFile } from './replace-file.js';

/** Writes a value as indented JSON with {@link replaceFile}. */
export function writeJsonFile(file: string, value: unknown): void {
  replaceFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Reads a JSON file and checks it against a schema.
 *
 * @param hint the hint if the content does not match
 * @throws InputError with file and line if it cannot be read or is not JSON, `bad_json` with the path inside it if it
 *   does not match the schema
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

/** Parses the bytes of a JSON file like {@link readJsonFile}. */
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
  const { problem, path, hint: own = hint } = firstIssue(parsed.error, value);
  throw new InputError('bad_json', problem, own, { file, path });
}

/** Reads, and replaces the hint of an error by the given one. */
function readAs<T>(hint: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.code, error.problem, hint, error.location, error.value);
  }
}

/**
 * The first issue of a value that does not match its schema, and where it is, such as `$.seconds.total`. If the value is a
 * document of a later version, that is the issue, with a hint of its own: the document is right, and this package too old.
 */
export function firstIssue(
  error: z.ZodError,
  value: unknown,
): { problem: string; path: string; hint?: string } {
  const later = findLaterVersion(error.issues, value);
  if (later !== undefined) {
    return { problem: later.problem, path: formatPath(later.path), hint: later.hint };
  }
  const [{ message, path }] = error.issues;
  return { problem: message.toLowerCase(), path: formatPath(path) };
}
