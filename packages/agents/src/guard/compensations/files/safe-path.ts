import type { Stats } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import { cannotUndo } from '../settings.js';

/** The directories that a compensation may touch, by their real paths. */
export type Roots = readonly string[];

/**
 * The real paths of directories.
 *
 * @throws InputError `bad_root` for one that is missing or no directory
 */
export async function openRoots(directories: readonly string[]): Promise<Roots> {
  return Promise.all(
    directories.map(async (directory) => {
      const real = await realpath(directory).catch(() => undefined);
      if (real !== undefined && (await lstat(real)).isDirectory()) return real;
      const problem = `the root ${directory} is no directory`;
      throw new InputError('bad_root', problem, 'name an existing directory', {}, directory);
    }),
  );
}

/** A place in a file system, and the part of its path that does not exist yet. */
export interface SafePath {
  /** Without symbolic links, inside a root. */
  readonly path: string;
  /** The directories and the name that do not exist yet, from the outside in. Empty if the path exists. */
  readonly missing: readonly string[];
}

/**
 * The real path of a path, as the server resolves it: symbolic links are followed.
 *
 * @throws InputError `cannot_undo` if it is relative or ambiguous, or leads out of the roots
 */
export async function resolveSafePath(text: string, roots: Roots): Promise<SafePath> {
  if (text.includes('\0')) throw cannotUndo('the path has a NUL', 'give another path');
  if (!isAbsolute(text)) {
    const hint = `give an absolute path, such as ${join(roots[0] ?? '/', 'notes.txt')}`;
    throw cannotUndo(`the path ${text} is relative`, hint, text);
  }
  const missing: string[] = [];
  // `..` is resolved in the text, before links, as the server does.
  let existing = normalize(text).replace(/(?<=.)\/+$/, '');
  let status = await statusOf(existing);
  while (status === undefined && dirname(existing) !== existing) {
    missing.unshift(basename(existing));
    existing = dirname(existing);
    status = await statusOf(existing);
  }
  const real = await realpath(existing).catch(() => {
    throw cannotUndo(`${existing} is a link to nothing`, 'name the target itself', text);
  });
  if (missing.length > 0) await requireUnambiguous(real, missing[0] as string, text);
  const path = join(real, ...missing);
  requireInside(path, roots, text);
  return { path, missing: missing.map((_, i) => join(real, ...missing.slice(0, i + 1))) };
}

/**
 * Checks that a path still is where it was resolved: no directory on the way has become a link.
 *
 * @throws InputError `cannot_undo`
 */
export async function requireSamePlace(path: string, roots: Roots): Promise<void> {
  requireInside(path, roots, path);
  let parent = dirname(path);
  while ((await statusOf(parent)) === undefined) parent = dirname(parent);
  if ((await realpath(parent)) !== parent) {
    throw cannotUndo(`${parent} has become a symbolic link`, 'restore it by hand', path);
  }
}

function requireInside(path: string, roots: Roots, text: string): void {
  const isInside = roots.some((root) =>
    `${path}${sep}`.startsWith(root === sep ? sep : root + sep),
  );
  if (isInside && !roots.includes(path)) return;
  const problem = isInside ? `${text} is a root itself` : `${text} is outside of the roots`;
  throw cannotUndo(problem, `give a path inside ${roots.join(' or ')}`, text);
}

/** Servers may choose an existing name that is written differently in Unicode. */
async function requireUnambiguous(directory: string, name: string, text: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  const other = names.find((each) => each.normalize('NFC') === name.normalize('NFC'));
  if (other === undefined) return;
  throw cannotUndo(`${text} exists in another Unicode form`, 'give the name as it is listed', text);
}

/** The status of a path, links not followed; undefined if it does not exist. */
export async function statusOf(path: string): Promise<Stats | undefined> {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}
