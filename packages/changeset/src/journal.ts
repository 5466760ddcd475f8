import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import { firstIssue } from '@alas-jssp/core/json-file';
import { sha256 } from '@alas-jssp/core/sha256';
import * as z from 'zod';

const mode = z.int().min(0).max(0o7777);

/** The content of a path: nothing, a directory, or a file by its bytes. */
const markSchema = z.union([
  z.null(),
  z.strictObject({ type: z.literal('directory'), mode }),
  z.strictObject({ type: z.literal('file'), sha256: z.string().regex(/^[0-9a-f]{64}$/), mode }),
]);

export type Mark = z.infer<typeof markSchema>;

/**
 * The mark at a path of the file system now; `other` is never changed: symbolic links, which may
 * lead out of the root, and special files.
 */
export function markAt(file: string): Mark | 'other' {
  const status = statusOf(file);
  if (status === undefined) return null;
  const permissions = status.mode & 0o7777;
  if (status.isDirectory()) return { type: 'directory', mode: permissions };
  if (!status.isFile()) return 'other';
  return { type: 'file', sha256: sha256(readFileSync(file)), mode: permissions };
}

/** Whether two marks are equal; directories are compared by content, not by permissions. */
export function sameMark(a: Mark | 'other', b: Mark | 'other'): boolean {
  if (a === 'other' || b === 'other') return a === b;
  if (a?.type !== 'file' || b?.type !== 'file') return a?.type === b?.type;
  return a.sha256 === b.sha256 && a.mode === b.mode;
}

function statusOf(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    // A file is in the place of a parent directory.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

const SCHEMA = 'alas-jssp/changeset@1';

const path = z.string().min(1);

/** The lines of a journal: all events of a changeset, in order. */
const lineSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('open'), schema: z.literal(SCHEMA), root: z.string() }),
  /** The mark at a path of the root when it was first read. */
  z.strictObject({ op: z.literal('see'), path, mark: markSchema }),
  /** The mark at a path from now on, and the step that set it. */
  z.strictObject({ op: z.literal('edit'), path, mark: markSchema, by: z.string() }),
  /** All edits of a step are undone. */
  z.strictObject({ op: z.literal('undo'), by: z.string() }),
  z.strictObject({ op: z.literal('discard') }),
  /** The root is being changed; the next line records that it was, or that it was undone. */
  z.strictObject({ op: z.literal('apply') }),
  z.strictObject({ op: z.literal('applied') }),
  z.strictObject({ op: z.literal('revert') }),
  z.strictObject({ op: z.literal('reverted') }),
]);

export type JournalLine = z.infer<typeof lineSchema>;
type Edit = Extract<JournalLine, { op: 'edit' }>;

/** The state of a changeset, folded from its journal. */
export interface Journal {
  /** Real path of the root directory. */
  readonly root: string;
  /** The directory of the journal and the contents, outside of the root. */
  readonly directory: string;
  phase: 'open' | 'applying' | 'applied' | 'reverting';
  /** The marks of the root at the paths that were read. */
  readonly seen: Map<string, Mark>;
  edits: Edit[];
  /** The last edit of each path: its content in the changeset. */
  overlay: Map<string, Mark>;
}

/**
 * Reads the journal of a changeset, or creates one. A last line that is cut off, as a killed
 * process leaves it, is ignored.
 *
 * @throws InputError `bad_changeset` if it is not a journal, or that of another root
 */
export function openJournal(directory: string, root: string): Journal {
  mkdirSync(join(directory, 'contents'), { recursive: true });
  const journal: Journal = {
    root,
    directory,
    phase: 'open',
    seen: new Map(),
    edits: [],
    overlay: new Map(),
  };
  const lines = completeLines(journalFile(directory));
  lines.forEach((text, index) => {
    follow(journal, checkLine(text, index + 1, journal));
  });
  if (lines.length === 0) record(journal, { op: 'open', schema: SCHEMA, root });
  return journal;
}

/** Records a line: it is durable in the journal before any other code relies on it. */
export function record(journal: Journal, line: JournalLine): void {
  appendFileSync(journalFile(journal.directory), `${JSON.stringify(line)}\n`);
  follow(journal, line);
}

function follow(journal: Journal, line: JournalLine): void {
  switch (line.op) {
    case 'open':
      break;
    case 'see':
      journal.seen.set(line.path, line.mark);
      break;
    case 'edit':
      journal.edits.push(line);
      journal.overlay.set(line.path, line.mark);
      break;
    case 'undo':
      journal.edits = journal.edits.filter(({ by }) => by !== line.by);
      journal.overlay = new Map(journal.edits.map((edit) => [edit.path, edit.mark]));
      break;
    case 'discard':
      journal.seen.clear();
      journal.edits = [];
      journal.overlay = new Map();
      break;
    case 'apply':
      journal.phase = 'applying';
      break;
    case 'applied':
      journal.phase = 'applied';
      break;
    case 'revert':
      journal.phase = 'reverting';
      break;
    case 'reverted':
      journal.phase = 'open';
  }
}

function journalFile(directory: string): string {
  return join(directory, 'journal.jsonl');
}

function completeLines(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  // The next line must not begin in the middle of the truncated one.
  if (complete.length < text.length) truncateSync(file, Buffer.byteLength(complete));
  return complete.split('\n').slice(0, -1);
}

function checkLine(text: string, line: number, { directory, root }: Journal): JournalLine {
  const value = parse(text);
  const parsed = lineSchema.safeParse(value);
  const place = { file: journalFile(directory), line };
  if (!parsed.success) {
    const { problem, path, hint } = firstIssue(parsed.error, value);
    throw bad(problem, { ...place, path }, text, hint);
  }
  const { data } = parsed;
  if ((data.op === 'open') !== (line === 1)) throw bad('a journal begins with its root', place);
  if (data.op === 'open' && data.root !== root) throw bad(`this is for ${data.root}`, place, root);
  return data;
}

const HINT = 'give the directory of a changeset of this root, or one that is not there yet';

function bad(
  problem: string,
  place: InputError['location'],
  value?: unknown,
  hint = HINT,
): InputError {
  return new InputError('bad_changeset', problem, hint, place, value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A change to make at a path of the root. */
export interface Move {
  readonly path: string;
  readonly from: Mark;
  readonly to: Mark;
}

/** The moves that apply a changeset, or with `back` those that revert it. */
export function movesOf({ overlay, seen }: Journal, back = false): Move[] {
  return [...overlay]
    .map(([path, mark]) => {
      const base = seen.get(path) ?? null;
      return back ? { path, from: mark, to: base } : { path, from: base, to: mark };
    })
    .filter(({ from, to }) => !sameMark(from, to));
}

// Contents of files by their hashes: new ones, and old ones that an application replaces. They are
// complete: drafts get their final name when complete.

/** Stores bytes, and returns the hash that identifies them. */
export function keepContent(directory: string, bytes: Uint8Array): string {
  const id = sha256(bytes);
  const file = contentFile(directory, id);
  if (existsSync(file)) return id;
  writeFileSync(`${file}.tmp`, bytes);
  renameSync(`${file}.tmp`, file);
  return id;
}

export function fetchContent(directory: string, id: string): Buffer {
  return readFileSync(contentFile(directory, id));
}

export function dropContents(directory: string): void {
  rmSync(join(directory, 'contents'), { recursive: true, force: true });
  mkdirSync(join(directory, 'contents'));
}

function contentFile(directory: string, id: string): string {
  return join(directory, 'contents', id);
}
