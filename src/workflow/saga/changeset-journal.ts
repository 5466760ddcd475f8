import { appendFileSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { InputError } from '../../core/errors.js';
import { firstIssue } from '../../core/json-file.js';
import { type Mark, markSchema } from './marks.js';

const SCHEMA = 'alas-jssp/changeset@1';

const path = z.string().min(1);

/** The lines of a journal: everything that happened to a changeset, in order. */
const lineSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('open'), schema: z.literal(SCHEMA), root: z.string() }),
  /** The mark at a path of the root when it was first looked at. */
  z.strictObject({ op: z.literal('see'), path, mark: markSchema }),
  /** The mark at a path from now on, and the step that put it there. */
  z.strictObject({ op: z.literal('edit'), path, mark: markSchema, by: z.string() }),
  /** All edits of a step are taken back. */
  z.strictObject({ op: z.literal('undo'), by: z.string() }),
  z.strictObject({ op: z.literal('discard') }),
  /** The root is being changed; the next line says that it has been, or that it was undone. */
  z.strictObject({ op: z.literal('apply') }),
  z.strictObject({ op: z.literal('applied') }),
  z.strictObject({ op: z.literal('revert') }),
  z.strictObject({ op: z.literal('reverted') }),
]);

export type JournalLine = z.infer<typeof lineSchema>;
type Edit = Extract<JournalLine, { op: 'edit' }>;

/** The state to which the journal of a changeset adds up. */
export interface Journal {
  /** Real path of the directory under which everything stands. */
  readonly root: string;
  /** Where the journal and the contents are kept, outside of the root. */
  readonly directory: string;
  phase: 'open' | 'applying' | 'applied' | 'reverting';
  /** The marks of the root at the paths that were looked at. */
  readonly seen: Map<string, Mark>;
  edits: Edit[];
  /** The last edit of each path: what stands there in the changeset. */
  overlay: Map<string, Mark>;
}

/**
 * Reads the journal of a changeset, or begins one. A last line that is cut off, as a killed
 * process leaves it, never happened.
 *
 * @throws InputError `bad_changeset` if it is no journal, or that of another root
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

/** Makes something so: it stands in the journal before anything else relies on it. */
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
  // The next line must not begin in the middle of the one that is cut off.
  if (complete.length < text.length) truncateSync(file, Buffer.byteLength(complete));
  return complete.split('\n').slice(0, -1);
}

function checkLine(text: string, line: number, { directory, root }: Journal): JournalLine {
  const parsed = lineSchema.safeParse(parse(text));
  const place = { file: journalFile(directory), line };
  if (!parsed.success) {
    const { problem, path } = firstIssue(parsed.error);
    throw bad(problem, { ...place, path }, text);
  }
  const { data } = parsed;
  if ((data.op === 'open') !== (line === 1)) throw bad('a journal begins with its root', place);
  if (data.op === 'open' && data.root !== root) throw bad(`this is for ${data.root}`, place, root);
  return data;
}

function bad(problem: string, place: InputError['location'], value?: unknown): InputError {
  const cure = 'give the directory of a changeset of this root, or one that is not there yet';
  return new InputError('bad_changeset', problem, cure, place, value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
