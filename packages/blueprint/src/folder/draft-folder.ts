import { sha256 } from '@alas-jssp/core/sha256';
import type { Workflow } from '@alas-jssp/workflow';
import type { Draft } from '../drafting/draft.js';
import type { DraftFile } from './draft-file.js';

/** The files of a draft's folder, besides its agents and the log of drafting. */
export const DRAFT_FILES = {
  draft: 'draft.json',
  task: 'task.md',
  tools: 'tools.json',
  specification: 'specification.json',
  template: 'template.json',
  workflow: 'workflow.json',
  /** Parts of a draft that does not assemble. */
  parts: 'parts.json',
  agents: 'agents',
  log: 'draft.db',
} as const;

/** A draft as its folder holds it. */
export interface SavedDraft
  extends Pick<
    Draft,
    | 'name'
    | 'text'
    | 'passed'
    | 'catalogue'
    | 'models'
    | 'specification'
    | 'template'
    | 'agents'
    | 'files'
    | 'undo'
    | 'findings'
  > {
  readonly directory: string;
  readonly file: DraftFile;
  /** Null if the draft is no workflow yet. */
  readonly workflow: Workflow | null;
  /** Files that were changed after the draft was written. */
  readonly edited: readonly string[];
}

/** SHA-256 of files by name. */
export function digestsOf(files: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...files].map(([name, content]) => [name, sha256(content)]));
}
