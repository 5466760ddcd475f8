import { readdir, rmdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { GuardedCall, ObservedEffect, UndoneEffect } from '../../compensation.js';
import { cannotUndo, requireText, toStored } from '../settings.js';
import { type Roots, requireSamePlace, resolveSafePath, statusOf } from './safe-path.js';

/** The preparation for the undo of a new directory. */
export interface PreparedDirectory {
  readonly does: 'create-directory';
  /** The directories that the call makes, from the outside in. */
  readonly made: readonly string[];
}

/** The directories that exist after a call, by path, with their numbers on the disk. */
type MadeDirectories = Readonly<Record<string, string>>;

/** Notes which directories do not exist yet. */
export async function prepareDirectory(
  argument: string,
  call: GuardedCall,
  roots: Roots,
): Promise<PreparedDirectory> {
  const { path, missing } = await resolveSafePath(requireText(call.input, argument), roots);
  if (missing.length === 0 && !(await statusOf(path))?.isDirectory()) {
    throw cannotUndo(`${path} is no directory`, 'name another path', path);
  }
  return { does: 'create-directory', made: missing };
}

/** Whether the directories exist. */
export async function observeDirectory({ made }: PreparedDirectory): Promise<ObservedEffect> {
  const found = await existing(made);
  const count = Object.keys(found).length;
  const state = count === made.length ? 'done' : count === 0 ? 'not-done' : 'partly';
  return { state, after: toStored(found) };
}

/** Removes the directories that the call made, if they contain nothing else. */
export async function undoDirectory(
  { made }: PreparedDirectory,
  after: MadeDirectories,
  roots: Roots,
): Promise<UndoneEffect> {
  const present = await existing(made);
  const paths = made.filter((path) => present[path] !== undefined && after[path] !== undefined);
  if (paths.length === 0) return { state: 'nothing-to-undo', message: 'no directory was made' };
  for (const [index, path] of paths.entries()) {
    await requireSamePlace(path, roots);
    const inner = paths[index + 1];
    const names = await readdir(path).catch(() => undefined);
    const others = names?.filter((name) => inner === undefined || name !== basename(inner));
    if (present[path] !== after[path] || others === undefined || others.length > 0) {
      return { state: 'conflict', message: `${path} now contains something else, and is kept` };
    }
  }
  for (const path of [...paths].reverse()) await rmdir(path);
  return { state: 'undone', message: `removed: ${paths.join(', ')}` };
}

async function existing(paths: readonly string[]): Promise<MadeDirectories> {
  const found: Record<string, string> = {};
  for (const path of paths) {
    const status = await statusOf(path);
    if (status?.isDirectory()) found[path] = `${status.dev}:${status.ino}`;
  }
  return found;
}
