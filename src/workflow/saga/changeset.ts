import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { AlasError } from '../../core/errors.js';
import { type Change, changesOf, diffText } from './changes.js';
import { type Journal, openJournal, record } from './changeset-journal.js';
import { dropContents } from './contents.js';
import { type Conflict, conflictsOf, type Move, makeMoves, movesOf } from './moves.js';
import * as overlay from './overlay.js';

/**
 * Changes to the files below a root that stay beside it until they are applied. Paths are relative
 * to the root, with `/`; what leads out of it, and symbolic links, are refused (`path_outside`,
 * `unsupported_file`).
 */
export interface Changeset {
  /** Whether the root has the changes. */
  readonly applied: boolean;
  /** The bytes of a file, as changed so far. */
  read(path: string): Uint8Array;
  /** The names in a directory, as changed so far; of the root if no path is given. */
  list(path?: string): string[];
  /** Writes a file and what directories it needs; permissions stay, those of new files are 644. */
  write(path: string, content: string | Uint8Array, mode?: number): void;
  makeDirectory(path: string): void;
  /** Removes a file, or a directory with all that is in it. */
  remove(path: string): void;
  /** Moves a file or a directory; a file takes the place of another. */
  rename(from: string, to: string): void;
  /** Paths that were added, changed and deleted. */
  changes(): Change[];
  /** The changes of files in the unified format. */
  diff(): string;
  /** Changes by others in the root to what was read, listed as files or changed here. */
  conflicts(): Conflict[];
  /**
   * Makes the changes in the root. Killed in between, the next opening finishes it, or undoes it
   * if others have changed what was still to come. Does nothing if they are made.
   *
   * @throws AlasError `changeset_conflict` with the list of conflicts, and nothing is changed
   */
  apply(): Change[];
  /** Takes the changes back out of the root, with the same promises; the changeset keeps them. */
  revert(): void;
  /** Takes back what was done through changesets opened under this name, if not applied. */
  undo(by: string): void;
  /** Drops all changes, if not applied. */
  discard(): void;
}

/** Where a changeset is kept and what it is about. */
export interface ChangesetOptions {
  /** The directory whose files are changed. */
  readonly root: string;
  /** The directory of the changeset's journal and contents, made if need be; not in the root. */
  readonly directory: string;
  /** Who makes changes through what is opened, for `undo`; such as a step's idempotency key. */
  readonly by?: string;
}

/**
 * Opens a changeset, or begins one. An application that was interrupted is finished or undone.
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
    conflicts: () => conflictsOf(journal, waysOf(journal)),
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
 * The paths that have to be as they were for the next step to be taken: all that was seen, for an application;
 * what was applied, for taking it back.
 */
function waysOf(journal: Journal): Move[] {
  if (journal.phase === 'applied') return movesOf(journal, true);
  const changed = movesOf(journal);
  const paths = new Set(changed.map(({ path }) => path));
  const read = [...journal.seen].filter(([path]) => !paths.has(path));
  return [...read.map(([path, mark]) => ({ path, from: mark, to: mark })), ...changed];
}

/** Finishes what was interrupted, or goes back if others have changed what was still to come. */
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

/** Refuses a place inside the root: the changeset could change its own journal there. */
function outsideOf(root: string, directory: string): string {
  const place = resolve(directory);
  if (!`${place}${sep}`.startsWith(`${realpathSync(root)}${sep}`)) return place;
  const problem = 'the directory of a changeset must not be in its root';
  throw new AlasError('changeset_in_root', problem, directory);
}
