import {
  chmodSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { AlasError } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import { type Change, changesOf, diffText } from './diff.js';
import {
  dropContents,
  fetchContent,
  type Journal,
  type Mark,
  type Move,
  markAt,
  movesOf,
  openJournal,
  record,
  sameMark,
} from './journal.js';
import * as overlay from './overlay.js';

/**
 * Changes to the files below a root, kept apart until they are applied. Paths are relative to the
 * root, with `/`; paths out of it, and symbolic links, are rejected (`path_outside`,
 * `unsupported_file`).
 */
export interface Changeset {
  /** Whether the root has the changes. */
  readonly applied: boolean;
  /** The bytes of a file, as changed so far. */
  read(path: string): Uint8Array;
  /** The names in a directory, as changed so far; of the root if no path is given. */
  list(path?: string): string[];
  /** Writes a file and missing directories; permissions are kept, those of new files are 644. */
  write(path: string, content: string | Uint8Array, mode?: number): void;
  makeDirectory(path: string): void;
  /** Removes a file, or a directory with all its contents. */
  remove(path: string): void;
  /** Moves a file or a directory; a file replaces another. */
  rename(from: string, to: string): void;
  /** Paths that were added, changed and deleted. */
  changes(): Change[];
  /** The changes of files in the unified format. */
  diff(): string;
  /**
   * Makes the changes in the root. After a crash, the next opening finishes it, or undoes it if
   * another process has changed the remaining paths. Does nothing if they are made.
   *
   * @throws AlasError `changeset_conflict` with the list of conflicts; nothing is changed
   */
  apply(): Change[];
  /** Removes the changes from the root, with the same guarantees; the changeset keeps them. */
  revert(): void;
  /** Undoes the edits that were made under this name, if not applied. */
  undo(by: string): void;
  /** Drops all changes, if not applied. */
  discard(): void;
}

/** The place and subject of a changeset. */
export interface ChangesetOptions {
  /** The directory whose files are changed. */
  readonly root: string;
  /** The directory of the changeset's journal and contents, created if missing; not in the root. */
  readonly directory: string;
  /** The author of edits, for `undo`; such as a step's idempotency key. */
  readonly by?: string;
}

/**
 * Opens or creates a changeset. An interrupted application is finished or undone.
 *
 * @throws AlasError `changeset_in_root`; InputError `bad_changeset`
 */
export function openChangeset({ root, directory, by = '' }: ChangesetOptions): Changeset {
  const journal = openJournal(outsideOf(root, directory), realpathSync(root));
  recover(journal);
  const editor = { journal, by };
  const clean = overlay.cleanPath;
  return {
    get applied() {
      return journal.phase === 'applied';
    },
    read: (path) => overlay.readPath(journal, clean(path)),
    list: (path) => overlay.listPath(journal, path === undefined ? '' : clean(path)),
    write(path, content, mode) {
      requireOpen(journal);
      overlay.writePath(editor, clean(path), Buffer.from(content as Uint8Array), mode);
    },
    makeDirectory(path) {
      requireOpen(journal);
      overlay.makeDirectory(editor, clean(path));
    },
    remove(path) {
      requireOpen(journal);
      overlay.removePath(editor, clean(path));
    },
    rename(from, to) {
      requireOpen(journal);
      overlay.renamePath(editor, clean(from), clean(to));
    },
    changes: () => changesOf(journal),
    diff: () => diffText(journal),
    apply() {
      if (journal.phase !== 'applied') carryOut(journal, 'apply');
      return changesOf(journal);
    },
    revert() {
      if (journal.phase === 'applied') carryOut(journal, 'revert');
    },
    undo(step) {
      requireOpen(journal);
      record(journal, { op: 'undo', by: step });
    },
    discard() {
      requireOpen(journal);
      record(journal, { op: 'discard' });
      dropContents(journal.directory);
    },
  };
}

function carryOut(journal: Journal, op: 'apply' | 'revert'): void {
  const conflicts = conflictsOf(journal, waysOf(journal));
  if (conflicts.length > 0) {
    const paths = conflicts.map(({ path }) => path).join(', ');
    const problem = `others have changed ${paths}: nothing was ${op === 'apply' ? 'applied' : 'reverted'}`;
    throw new AlasError('changeset_conflict', problem, conflicts);
  }
  record(journal, { op });
  makeMoves(journal, movesOf(journal, op === 'revert'));
  record(journal, { op: op === 'apply' ? 'applied' : 'reverted' });
}

/**
 * The paths that must be unchanged before the next step: for an application, all paths that were read; for a revert,
 * the applied paths.
 */
function waysOf(journal: Journal): Move[] {
  if (journal.phase === 'applied') return movesOf(journal, true);
  const changed = movesOf(journal);
  const paths = new Set(changed.map(({ path }) => path));
  const read = [...journal.seen].filter(([path]) => !paths.has(path));
  return [...read.map(([path, mark]) => ({ path, from: mark, to: mark })), ...changed];
}

/**
 * Finishes an interrupted step, or reverts it if another process has changed the remaining paths.
 */
function recover(journal: Journal): void {
  const { phase } = journal;
  if (phase !== 'applying' && phase !== 'reverting') return;
  const moves = movesOf(journal, phase === 'reverting');
  const stuck = new Set(conflictsOf(journal, moves, true).map(({ path }) => path));
  if (stuck.size > 0) {
    const back = moves.filter(({ path }) => !stuck.has(path));
    makeMoves(
      journal,
      back.map(({ path, from, to }) => ({ path, from: to, to: from })),
    );
  } else makeMoves(journal, moves);
  const done = (phase === 'applying') === (stuck.size === 0);
  record(journal, { op: done ? 'applied' : 'reverted' });
}

function requireOpen({ phase, directory }: Journal): void {
  if (phase === 'open') return;
  const problem = 'the changeset is applied: revert it before changing it';
  throw new AlasError('changeset_applied', problem, directory);
}

/** Rejects a place inside the root: the changeset could change its own journal there. */
function outsideOf(root: string, directory: string): string {
  const place = resolve(directory);
  if (!`${place}${sep}`.startsWith(`${realpathSync(root)}${sep}`)) return place;
  const problem = 'the directory of a changeset must not be in its root';
  throw new AlasError('changeset_in_root', problem, directory);
}

/** A path in the root that changed since it was read. */
interface Conflict {
  readonly path: string;
  readonly expected: Mark;
  readonly found: Mark | 'other';
}

/**
 * Moves that are impossible because another process has changed their paths. After an interruption, some moves may have
 * been made already, or a directory may have been removed for a file that replaces it.
 */
function conflictsOf({ root }: Journal, moves: readonly Move[], interrupted = false): Conflict[] {
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
 * Makes all moves. At any moment each file is either the old or the new one. Moves that were made already are skipped,
 * so a second call finishes the first one.
 */
function makeMoves({ root, directory }: Journal, moves: readonly Move[]): void {
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
  // Last, since a directory may become read-only.
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
    // Another process has put a file into it, which is not ours to delete.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}

/**
 * In the same directory, since a rename is atomic only within one file system, and under a name
 * that belongs to this changeset.
 */
function draftOf(file: string, directory: string): string {
  const id = sha256(directory).slice(0, 12);
  return join(dirname(file), `.${basename(file)}.${id}.changeset`);
}

function depth({ path }: Move): number {
  return path.split('/').length;
}
