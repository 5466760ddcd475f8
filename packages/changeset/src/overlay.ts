import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { platform } from 'node:process';
import { AlasError } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import { fetchContent, type Journal, keepContent, type Mark, markAt, record } from './journal.js';

/**
 * Names that mean more to Windows than their letters: other separators, drives, streams, devices, and endings that are cut
 * off. Such a path would denote another file than the one that the journal names, or one outside of the root.
 */
const WINDOWS_MEANING =
  /[\\:*?"<>|]|[. ](\/|$)|(^|\/)(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.[^/]*)?(\/|$)/i;

/**
 * A path below the root in its shortest form.
 *
 * @throws AlasError `path_outside` if it is absolute, leads out of the root or is the root
 */
export function cleanPath(path: string, system: NodeJS.Platform = platform): string {
  const clean = posix.normalize(path).replace(/\/$/, '');
  const isOutside = posix.isAbsolute(path) || /^(\.\.?(\/|$)|$)/.test(clean);
  const isOther = system === 'win32' && WINDOWS_MEANING.test(clean);
  if (path.includes('\0') || isOutside || isOther) {
    throw new AlasError('path_outside', `${JSON.stringify(path)} is not below the root`, path);
  }
  return clean;
}

/** The mark at a path in the changeset. */
function lookAt(journal: Journal, path: string): Mark {
  const edited = journal.overlay.get(path);
  return edited === undefined ? see(journal, path) : edited;
}

/**
 * The bytes of a file.
 *
 * @throws AlasError `no_such_file`; `changeset_conflict` if the root has another one by now
 */
export function readPath(journal: Journal, path: string): Buffer {
  const mark = lookAt(journal, path);
  if (mark?.type !== 'file') throw new AlasError('no_such_file', `there is no file ${path}`, path);
  return journal.overlay.has(path)
    ? fetchContent(journal.directory, mark.sha256)
    : readRoot(journal, path, mark.sha256);
}

/** The names in a directory, sorted; the empty path is the root. */
export function listPath(journal: Journal, path: string): string[] {
  const there = path === '' || lookAt(journal, path)?.type === 'directory';
  if (!there) throw new AlasError('no_such_file', `there is no directory ${path}`, path);
  const inRoot = path === '' || see(journal, path)?.type === 'directory';
  const names = new Set(inRoot ? readdirSync(join(journal.root, path)) : []);
  for (const [edited, mark] of journal.overlay) {
    if (posix.dirname(edited) !== (path || '.')) continue;
    if (mark === null) names.delete(posix.basename(edited));
    else names.add(posix.basename(edited));
  }
  return [...names].sort();
}

/** The editor of one step of a changeset: all edits are recorded under its name. */
export interface Editor {
  readonly journal: Journal;
  /** The step, by its idempotency key. */
  readonly by: string;
}

export function writePath(editor: Editor, path: string, bytes: Uint8Array, mode?: number): void {
  const { journal } = editor;
  makeParents(editor, path);
  const old = lookAt(journal, path);
  if (old?.type === 'directory') throw taken(path, 'directory');
  const content = keepContent(journal.directory, bytes);
  edit(editor, path, { type: 'file', sha256: content, mode: mode ?? old?.mode ?? 0o644 });
}

export function makeDirectory(editor: Editor, path: string, mode = 0o755): void {
  makeParents(editor, path);
  const old = lookAt(editor.journal, path);
  if (old?.type === 'file') throw taken(path, 'file');
  if (old === null) edit(editor, path, { type: 'directory', mode });
}

/** Removes a file, or a directory with all its contents. */
export function removePath(editor: Editor, path: string): void {
  const mark = lookAt(editor.journal, path);
  if (mark === null) throw new AlasError('no_such_file', `there is nothing at ${path}`, path);
  if (mark.type === 'directory') {
    for (const name of listPath(editor.journal, path)) removePath(editor, `${path}/${name}`);
  }
  edit(editor, path, null);
}

/** Moves a file, replacing any file at the target, or a directory with all its contents. */
export function renamePath(editor: Editor, from: string, to: string): void {
  if (`${to}/`.startsWith(`${from}/`)) throw taken(to, 'part of what is moved');
  copyPath(editor, from, to);
  removePath(editor, from);
}

function copyPath(editor: Editor, from: string, to: string): void {
  const mark = lookAt(editor.journal, from);
  if (mark?.type !== 'directory') {
    writePath(editor, to, readPath(editor.journal, from), mark?.mode);
    return;
  }
  if (lookAt(editor.journal, to) !== null) throw taken(to, 'directory or file');
  makeDirectory(editor, to, mark.mode);
  for (const name of listPath(editor.journal, from)) {
    copyPath(editor, `${from}/${name}`, `${to}/${name}`);
  }
}

function makeParents(editor: Editor, path: string): void {
  const parent = posix.dirname(path);
  if (parent !== '.') makeDirectory(editor, parent);
}

function edit({ journal, by }: Editor, path: string, mark: Mark): void {
  const base = see(journal, path);
  // The replaced content is stored at once, for diffs and for the revert.
  if (base?.type === 'file' && !journal.overlay.has(path)) {
    keepContent(journal.directory, readRoot(journal, path, base.sha256));
  }
  record(journal, { op: 'edit', path, mark, by });
}

/**
 * The mark at a path of the root; the changeset depends on the first read, and all parents have
 * been checked to be directories.
 */
function see(journal: Journal, path: string): Mark {
  const known = journal.seen.get(path);
  if (known !== undefined) return known;
  const parent = posix.dirname(path);
  const reachable = parent === '.' || see(journal, parent)?.type === 'directory';
  const mark = reachable ? markAt(join(journal.root, path)) : null;
  if (mark === 'other') {
    const problem = `${path} is neither a file nor a directory (a symbolic link?)`;
    throw new AlasError('unsupported_file', problem, path);
  }
  record(journal, { op: 'see', path, mark });
  return mark;
}

function readRoot({ root }: Journal, path: string, content: string): Buffer {
  const bytes = readFileSync(join(root, path));
  if (sha256(bytes) === content) return bytes;
  throw new AlasError('changeset_conflict', `${path} was changed after it was first read`, path);
}

function taken(path: string, by: string): AlasError {
  return new AlasError('path_taken', `${path} is a ${by}`, path);
}
