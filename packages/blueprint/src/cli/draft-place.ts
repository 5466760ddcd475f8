import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import { DRAFT_FILES } from '../folder/draft-folder.js';

/**
 * Makes the folder of a draft, which must be new, empty, or one in which drafting began.
 *
 * @throws InputError `other_draft`
 */
export function makeDraftFolder(dir: string): void {
  if (existsSync(dir) && !statSync(dir).isDirectory()) {
    throw new InputError('other_draft', 'this is a file', 'name a folder', { file: dir });
  }
  const found = existsSync(dir) ? readdirSync(dir) : [];
  if (found.length > 0 && !found.includes(DRAFT_FILES.log)) {
    const problem = `it holds other files (${found.slice(0, 3).join(', ')})`;
    throw new InputError('other_draft', problem, 'name a new folder', { file: dir });
  }
  mkdirSync(dir, { recursive: true });
}

/** The error for a folder whose log has the draft of another task; other errors stay as they are. */
export function explainOtherDraft(error: unknown, dir: string): unknown {
  if (!(error instanceof AlasError) || error.code !== 'run_exists') return error;
  const problem = 'it has the draft of another task, or with another planner, tools or rounds';
  return new InputError('other_draft', problem, 'name another folder, or remove it', { file: dir });
}

/** The run of a draft in the log of a folder: a change that is written over its draft has one of its own. */
export function runIdOf(
  out: string,
  change?: { from: string; words: string; before: unknown },
): string {
  if (change === undefined || resolve(out) !== resolve(change.from)) return 'draft';
  const { words, before } = change;
  return `change-${sha256(canonicalJson({ words, before })).slice(0, 12)}`;
}

/** The log of drafting in a folder. */
export function logOf(dir: string): string {
  return join(dir, DRAFT_FILES.log);
}
