import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { InputError } from './errors.js';

/** The size limit of a file: 1 GiB. */
const MAX_BYTES = 2 ** 30;
/** The size limit of unpacked content: 256 MiB, because a few bytes of gzip may expand to any number of blanks. */
const MAX_UNPACKED = 2 ** 28;
const CHUNK = 2 ** 20;

/**
 * Reads a whole file and unpacks it if its first two bytes identify it as gzip, whatever its name. Of pipes it reads
 * only those that this process inherited, such as `/dev/stdin`: another pipe may never get a writer.
 *
 * @throws InputError if the file does not exist, cannot be read, is neither a file nor such a pipe, is damaged gzip, is
 *   larger than 1 GiB, or unpacks to more than 256 MiB
 */
export function readBytes(path: string): Uint8Array {
  const bytes = readWhole(path);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? unpack(bytes, path) : bytes;
}

function readWhole(path: string): Uint8Array {
  let file: number | undefined;
  try {
    refusePipe(path);
    file = openSync(path, 'r');
    const stats = fstatSync(file);
    if (stats.isDirectory()) throw directoryError(path);
    if (!stats.isFile()) return readPipe(file, path);
    if (stats.size > MAX_BYTES) throw sizeError(path);
    return readFileSync(file);
  } catch (error) {
    throw error instanceof InputError ? error : cannotRead(path, error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Refuses pipes and sockets in a directory before they are opened, because opening one may block forever.
 *
 * @throws InputError `not_a_file`
 */
export function refusePipe(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !(stats.isFIFO() || stats.isSocket()) || isInherited(path)) return;
  throw pipeError(path);
}

/** Whether the path is a descriptor of this process, as the shell passes a pipe: `/dev/fd/63`. */
function isInherited(path: string): boolean {
  return /^\/(dev|proc)\//.test(resolve(path));
}

/** Reads a pipe, whose size is unknown, up to the size limit. */
function readPipe(file: number, path: string): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let total = 0; total <= MAX_BYTES; ) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const length = readSync(file, chunk);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, length));
    total += length;
  }
  throw sizeError(path);
}

function unpack(bytes: Uint8Array, path: string): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED, chunkSize: CHUNK });
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') {
      throw new InputError(
        'too_large',
        'the gzip file unpacks to more than 256 MiB',
        'unpack it before, or give a smaller file',
        { file: path },
      );
    }
    throw new InputError(
      'bad_gzip',
      `the gzip file is damaged or cut off (${error instanceof Error ? error.message : error})`,
      'fetch or pack it again',
      { file: path },
    );
  }
}

/** The error for a file that cannot be read, as {@link readBytes} throws it. */
export function cannotRead(path: string, error: unknown): InputError {
  if (path === '') {
    return new InputError('missing_file', 'the name of the file is empty', 'name one');
  }
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const hint = 'check the path';
    return new InputError('missing_file', 'there is no such file', hint, { file: path });
  }
  if (code === 'EISDIR') return directoryError(path);
  return new InputError(
    'unreadable_file',
    `the file cannot be read (${code ?? error})`,
    'check its permissions',
    { file: path },
  );
}

function directoryError(file: string): InputError {
  return new InputError('not_a_file', 'this is a directory', 'name a file inside it', { file });
}

function pipeError(file: string): InputError {
  const hint = 'name a file; what a pipe gives can be read from /dev/stdin';
  return new InputError('not_a_file', 'this is a pipe, not a file', hint, { file });
}

function sizeError(file: string): InputError {
  const hint = 'give a file of at most 1 GiB';
  return new InputError('too_large', 'the file is larger than 1 GiB', hint, { file });
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
