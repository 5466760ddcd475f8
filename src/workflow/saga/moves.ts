import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256 } from '../../core/sha256.js';
import type { Journal } from './changeset-journal.js';
import { fetchContent } from './contents.js';
import { type Mark, markAt, sameMark } from './marks.js';

/** A change to be made at a path of the root. */
export interface Move {
  readonly path: string;
  readonly from: Mark;
  readonly to: Mark;
}

/** Something in the root is not what it was when it was looked at. */
export interface Conflict {
  readonly path: string;
  readonly expected: Mark;
  readonly found: Mark | 'other';
}

/** The moves that apply a changeset, or with `back` those that take it back. */
export function movesOf({ overlay, seen }: Journal, back = false): Move[] {
  return [...overlay]
    .map(([path, mark]) => {
      const base = seen.get(path) ?? null;
      return back ? { path, from: mark, to: base } : { path, from: base, to: mark };
    })
    .filter(({ from, to }) => !sameMark(from, to));
}

/**
 * Moves that cannot be made since others have changed what stands there. Whoever was interrupted
 * finds some moves made already, or a directory gone whose place a file is to take.
 */
export function conflictsOf(
  { root }: Journal,
  moves: readonly Move[],
  interrupted = false,
): Conflict[] {
  const leaving = new Set(moves.filter(({ to }) => to === null).map(({ path }) => path));
  return moves.flatMap(({ path, from, to }): Conflict[] => {
    const found = markAt(join(root, path));
    const halfway = found === null && from?.type !== to?.type;
    const fits =
      sameMark(found, from) || (interrupted && (sameMark(found, to) || (from !== null && halfway)));
    if (!fits) return [{ path, expected: from, found }];
    const goes = from?.type === 'directory' && to?.type !== 'directory';
    const full = found !== 'other' && found?.type === 'directory';
    return goes && full ? strangersIn(root, path, leaving) : [];
  });
}

/**
 * Brings every path to where it is to be. Each file is the old one or the new one at any moment,
 * and moves that are made already are passed over, so a second call finishes what a first began.
 */
export function makeMoves({ root, directory }: Journal, moves: readonly Move[]): void {
  const drafts = new Map(moves.map(({ path }) => [path, draftOf(join(root, path), directory)]));
  for (const draft of drafts.values()) if (markAt(draft) !== null) rmSync(draft);
  const byDepth = moves.toSorted((a, b) => depth(a) - depth(b));
  for (const { path, from, to } of byDepth.toReversed()) {
    const file = join(root, path);
    if (from === null || from.type === to?.type || !sameMark(markAt(file), from)) continue;
    if (from.type === 'file') rmSync(file);
    else removeDirectory(file);
  }
  for (const { path, to } of byDepth) {
    const file = join(root, path);
    if (to?.type === 'directory') mkdirSync(file, { recursive: true });
    if (to?.type !== 'file' || sameMark(markAt(file), to)) continue;
    const draft = drafts.get(path) as string;
    writeFileSync(draft, fetchContent(directory, to.sha256));
    chmodSync(draft, to.mode);
    renameSync(draft, file);
  }
  // Last, since a directory may be one that nothing can be put into.
  for (const { path, to } of byDepth.toReversed()) {
    if (to?.type === 'directory') chmodSync(join(root, path), to.mode);
  }
}

function strangersIn(root: string, path: string, leaving: ReadonlySet<string>): Conflict[] {
  return readdirSync(join(root, path))
    .map((name) => `${path}/${name}`)
    .filter((child) => !leaving.has(child))
    .map((child) => ({ path: child, expected: null, found: markAt(join(root, child)) }));
}

function removeDirectory(file: string): void {
  try {
    rmdirSync(file);
  } catch (error) {
    // Somebody has put something into it: that is not ours to delete.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}

/**
 * Beside the file, since only within one file system can a file take another's place at once, and
 * under a name that is only this changeset's.
 */
function draftOf(file: string, directory: string): string {
  const id = sha256(directory).slice(0, 12);
  return join(dirname(file), `.${basename(file)}.${id}.changeset`);
}

function depth({ path }: Move): number {
  return path.split('/').length;
}
