import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { sha256 } from '@alas-jssp/core/sha256';
import { cannotUndo } from '../settings.js';
import { statusOf } from './safe-path.js';

/** The state of a path: a file, a directory, something else or nothing. */
export interface PathState {
  readonly kind: 'absent' | 'file' | 'directory' | 'other';
  /** SHA-256 of the contents of a file, or of all that a directory contains. */
  readonly digest?: string | undefined;
  /** The permission bits. */
  readonly mode?: number | undefined;
  readonly owner?: number | undefined;
  readonly group?: number | undefined;
  /** Milliseconds since 1970. */
  readonly modified?: number | undefined;
  /** The device and the number of the file on it: the same after a renaming. */
  readonly inode?: string | undefined;
  readonly links?: number | undefined;
}

/** Limits of what is read: bytes of contents and, in a directory, the number of its entries. */
export interface ReadLimits {
  readonly bytes: number;
  readonly entries: number;
}

/**
 * The state of a path.
 *
 * @throws InputError `cannot_undo` if it exceeds the limits
 */
export async function readState(path: string, limits: ReadLimits): Promise<PathState> {
  const status = await statusOf(path);
  if (status === undefined) return { kind: 'absent' };
  const common = {
    mode: status.mode & 0o7777,
    owner: status.uid,
    group: status.gid,
    modified: status.mtimeMs,
    inode: `${status.dev}:${status.ino}`,
    links: status.nlink,
  };
  if (status.isFile()) {
    if (status.size > limits.bytes) throw tooLarge(path, `${limits.bytes} bytes`);
    return { kind: 'file', digest: sha256(await readFile(path)), ...common };
  }
  if (!status.isDirectory()) return { kind: 'other', ...common };
  const left = { ...limits };
  return { kind: 'directory', digest: await digestOfTree(path, left), ...common };
}

/** Whether the contents and permissions of two states are equal: times and numbers may differ. */
export function isSameContent(a: PathState, b: PathState): boolean {
  return a.kind === b.kind && a.digest === b.digest && a.mode === b.mode;
}

async function digestOfTree(
  directory: string,
  left: { bytes: number; entries: number },
): Promise<string> {
  const entries: unknown[] = [];
  for (const name of (await readdir(directory)).sort()) {
    left.entries--;
    if (left.entries < 0) throw tooLarge(directory, 'the allowed number of entries');
    const path = join(directory, name);
    const status = await lstat(path);
    const mode = status.mode & 0o7777;
    if (status.isDirectory()) entries.push([name, mode, await digestOfTree(path, left)]);
    else if (status.isSymbolicLink()) entries.push([name, await readlink(path)]);
    else if (status.isFile()) {
      left.bytes -= status.size;
      if (left.bytes < 0) throw tooLarge(directory, 'the allowed number of bytes');
      entries.push([name, mode, sha256(await readFile(path)), 'file']);
    } else entries.push([name, mode, 'other']);
  }
  return sha256(canonicalJson(entries));
}

function tooLarge(path: string, limit: string): Error {
  return cannotUndo(`${path} exceeds ${limit}`, 'raise "largest" in the settings of files', path);
}
