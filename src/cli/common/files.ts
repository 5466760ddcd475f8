import { gzipSync } from 'node:zlib';
import { replaceFile, requireWritable } from '../../core/replace-file.js';
import type { Session } from './session.js';

/**
 * Writes a file that the user named; gzip if its name ends in `.gz`.
 *
 * @throws InputError as `replaceFile` does
 */
export function writeOutput(file: string, text: string): void {
  replaceFile(file, /\.gz$/i.test(file) ? gzipSync(text) : text);
}

/**
 * A parser for options that name a file to write: it is refused before any work that would be lost.
 *
 * @throws InputError as `requireWritable` does
 */
export function outputFile(file: string): string {
  requireWritable(file);
  return file;
}

/** Reads all that is piped into the command. */
export async function readStdin({ host }: Session): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of host.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
