import { gzipSync } from 'node:zlib';
import { InputError } from '@alas-jssp/core/errors';
import { replaceFile, requireWritable } from '@alas-jssp/core/replace-file';
import type { Session } from './session.js';

/**
 * Writes a file that the user named; gzip if its name ends in `.gz`.
 *
 * @throws InputError as `replaceFile` does
 */
export function writeOutput(file: string, content: string | Uint8Array): void {
  replaceFile(file, /\.gz$/i.test(file) ? gzipSync(content) : content);
}

/**
 * A parser for options that name an output file. It checks that the file is writable before the work begins.
 *
 * @throws InputError as `requireWritable` does
 */
export function outputFile(file: string): string {
  requireWritable(file);
  return file;
}

/** Reads stdin to its end. */
export async function readStdin({ host }: Session): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of host.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Adds the file's name to input errors that `work` throws; of several files, that which goes with their code. */
export async function namingFile<T>(
  file: string | ((code: string) => string),
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InputError) || error.location.file !== undefined) throw error;
    const { code, problem, hint, location, value } = error;
    const name = typeof file === 'string' ? file : file(code);
    throw new InputError(code, problem, hint, { ...location, file: name }, value);
  }
}
