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
 * Replaces a file atomically: if the process is killed or the disk is full, the file is either the old one or the new
 * one. A draft next to it is renamed to it. Links remain links, and a file keeps its permissions. Pipes and devices
 * such as `/dev/stdout` are written directly.
 *
 * @throws InputError `unwritable_file` with the file, the reason and a hint
 */
export function replaceFile(file: string, content: string | Uint8Array): void {
  try {
    const target = replaceTarget(file);
    if (target === null || !replaceByDraft(target, content)) writeFileSync(file, content);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/**
 * Checks that a file can be written, before long work whose result would be lost otherwise.
 *
 * @throws InputError as {@link replaceFile} does
 */
export function requireWritable(file: string): void {
  try {
    const target = replaceTarget(file);
    if (target !== null && target.mode === undefined) accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** The error for a file that cannot be written, as {@link replaceFile} throws it. */
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
  /** Permissions of the existing file; undefined if there is none. */
  readonly mode: number | undefined;
}

/** The file that a draft can replace; null if it must be written directly. */
function replaceTarget(file: string): Target | null {
  if (file === '') throw systemError('ENOENT');
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) {
    const isLink = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    return isLink ? null : { path: file, mode: undefined };
  }
  if (stats.isDirectory()) throw systemError('EISDIR');
  accessSync(file, constants.W_OK);
  // The shell may have opened a file as /dev/stdout; a new file in its place would be lost.
  if (!stats.isFile() || /^\/(dev|proc)\//.test(resolve(file))) return null;
  return { path: realpathSync(file), mode: stats.mode & 0o7777 };
}

/** Writes the draft and renames it; false if the directory does not allow a new file or the renaming. */
function replaceByDraft({ path, mode }: Target, content: string | Uint8Array): boolean {
  // Several processes and threads may write the same file at once.
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

/** Removes a draft if it exists. */
function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // The caller reports the original error.
  }
}

/** Codes of errors that prevent a draft although the file itself may be writable. */
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
