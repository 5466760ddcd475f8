import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { InputError } from '../../core/errors.js';
import type { Session } from './session.js';

/**
 * Writes a file that the user named; gzip if its name ends in `.gz`.
 *
 * @throws InputError that names the file, what keeps it from being written, and what would help
 */
export function writeOutput(file: string, text: string): void {
  try {
    writeFileSync(file, /\.gz$/i.test(file) ? gzipSync(text) : text);
  } catch (error) {
    refuse(file, error);
  }
}

/**
 * Sees to it that a file can be written, before long work that would be lost otherwise.
 *
 * @throws InputError as {@link writeOutput} does
 */
export function requireWritable(file: string): void {
  try {
    if (!existsSync(file)) accessSync(dirname(file), constants.W_OK);
    else if (statSync(file).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    else accessSync(file, constants.W_OK);
  } catch (error) {
    refuse(file, error);
  }
}

function refuse(file: string, error: unknown): never {
  const code = String((error as NodeJS.ErrnoException).code);
  const [problem, cure] = reasons[code] ?? [`it cannot be written (${code})`, anotherFile];
  throw new InputError('unwritable_file', problem, cure, { file });
}

const anotherFile = 'name another file';

/** Problem and cure by error code. */
const reasons: Readonly<Record<string, readonly [string, string]>> = {
  EISDIR: ['this is a directory', 'name a file inside it'],
  ENOENT: ['its directory does not exist', 'make the directory first, or name another file'],
  ENOTDIR: ['its directory is a file', anotherFile],
  EACCES: ['you may not write it', 'change its permissions, or name another file'],
  EPERM: ['you may not write it', 'change its permissions, or name another file'],
  EROFS: ['it is on a read-only disk', anotherFile],
  ENOSPC: ['the disk is full', 'make room, or name a file on another disk'],
};

/** Reads all that is piped into the command. */
export async function readStdin({ host }: Session): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of host.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
