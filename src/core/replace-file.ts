import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pid } from 'node:process';
import { threadId } from 'node:worker_threads';
import { InputError } from './errors.js';

/**
 * Writes a file so that it is either the old one or the new one at any moment, whatever kills the
 * process or fills the disk: a draft beside it takes its place. A link stays one, and a file keeps
 * its permissions. What is no file, such as a pipe or `/dev/stdout`, is written as it is.
 *
 * @throws InputError `unwritable_file` that names the file, what keeps it from being written, and
 *   what would help
 */
export function replaceFile(file: string, content: string | Uint8Array): void {
  try {
    const target = replaceable(file);
    if (target === null || !takePlace(target, content)) writeFileSync(file, content);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/**
 * Sees to it that a file can be written, before long work that would be lost otherwise.
 *
 * @throws InputError as {@link replaceFile} does
 */
export function requireWritable(file: string): void {
  try {
    const target = replaceable(file);
    if (target !== null && target.mode === undefined) accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** The error of a file that cannot be written, such as {@link replaceFile} throws. */
export function unwritable(file: string, error: unknown): InputError {
  const code = String((error as NodeJS.ErrnoException).code);
  const [problem, hint] =
    file === ''
      ? ['the name of the file to write is empty', 'name one']
      : (reasons[code] ?? [`it cannot be written (${code})`, anotherFile]);
  return new InputError('unwritable_file', problem, hint, file === '' ? {} : { file });
}

interface Target {
  readonly path: string;
  /** Permissions of the file that is there; undefined if there is none yet. */
  readonly mode: number | undefined;
}

/** The file that a draft can take the place of; null if it has to be written as it is. */
function replaceable(file: string): Target | null {
  if (file === '') throw systemError('ENOENT');
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) {
    const isLink = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    return isLink ? null : { path: file, mode: undefined };
  }
  if (stats.isDirectory()) throw systemError('EISDIR');
  accessSync(file, constants.W_OK);
  // The shell may have opened a file as /dev/stdout; another in its place would be lost.
  if (!stats.isFile() || /^\/(dev|proc)\//.test(resolve(file))) return null;
  return { path: realpathSync(file), mode: stats.mode & 0o7777 };
}

/** Writes the draft and renames it; false if the directory allows no other file or no renaming. */
function takePlace({ path, mode }: Target, content: string | Uint8Array): boolean {
  // Several processes and threads may be writing the same file.
  const draft = `${path}.${pid}-${threadId}.tmp`;
  try {
    writeFileSync(draft, content);
    if (mode !== undefined) chmodSync(draft, mode);
    renameSync(draft, path);
    return true;
  } catch (error) {
    discard(draft);
    if (noDraft.has(String((error as NodeJS.ErrnoException).code))) return false;
    throw error;
  }
}

/** Removes a draft if it has come to be. */
function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // What was wrong with it is told already.
  }
}

/** Why there can be no draft beside a file that can be written all the same. */
const noDraft = new Set(['EACCES', 'EPERM', 'EBUSY', 'EXDEV', 'ENAMETOOLONG']);

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

const anotherFile = 'name another file';

/** Problem and hint by error code. */
const reasons: Readonly<Record<string, readonly [string, string]>> = {
  EISDIR: ['this is a directory', 'name a file inside it'],
  ENOENT: ['its directory does not exist', 'make the directory first, or name another file'],
  ENOTDIR: ['its directory is a file', anotherFile],
  EACCES: ['you may not write it', 'change its permissions, or name another file'],
  EPERM: ['you may not write it', 'change its permissions, or name another file'],
  EROFS: ['it is on a read-only disk', anotherFile],
  ENOSPC: ['the disk is full', 'make room, or name a file on another disk'],
  EDQUOT: ['your share of the disk is full', 'make room, or name a file on another disk'],
};
