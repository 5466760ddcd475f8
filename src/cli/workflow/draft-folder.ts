import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import { type Json, type Registry, readWorkflow, type Workflow } from '@alas-jssp/workflow';
import type { Command } from 'commander';
import { loadPackage } from '../common/load-package.js';
import type { Session } from '../common/session.js';

/** The exports of the package for drafts that the command line uses. */
interface BlueprintPackage {
  readonly openDraftFolder: (directory: string, options: DraftFolderOptions) => Promise<OpenFolder>;
  readonly readDraft: (directory: string, options?: { edited?: 'allow' }) => SavedWorkflow;
  readonly checkDraftFolder: (directory: string) => readonly FolderFinding[];
  readonly calibrateDraftFolder: (
    directory: string,
    log: string,
  ) => Promise<readonly ReviewerAccuracy[]>;
  readonly createDraftCommand: (session: Session) => Command;
  readonly createRehearseCommand: (session: Session) => Command;
}

/** Circumstances in which the draft of a folder runs. */
export interface DraftFolderOptions {
  /** A catalogue whose tools replace those of the draft, or `trial`. */
  readonly tools?: string | undefined;
  /** Opens a draft that did not pass. */
  readonly unchecked?: boolean | undefined;
  /** Limits of all models of the run together. */
  readonly budget?: {
    readonly usd?: number | undefined;
    readonly tokens?: number | undefined;
  };
}

/** A draft that runs. */
interface OpenFolder {
  readonly workflow: Workflow;
  readonly registry: Registry;
  readonly exampleInput: Readonly<Record<string, Json>>;
  close(): Promise<void>;
}

interface SavedWorkflow {
  readonly name: string;
  /** Null if the draft is no workflow yet. */
  readonly workflow: Workflow | null;
  readonly specification: {
    readonly inputs: readonly { readonly name: string; readonly example: Json }[];
  } | null;
}

/** A finding of a draft, with the file in which it is. */
interface FolderFinding {
  readonly file: string;
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}

/** A part of a count. */
interface CountedShare {
  readonly count: number;
  readonly of: number;
  /** Null if there is nothing to count. */
  readonly share: number | null;
  /** The lower end of the 95 % confidence interval. */
  readonly low: number;
}

/** The accuracy of a model that reviews, on planted faults. */
export interface ReviewerAccuracy {
  readonly node: string;
  readonly model: string;
  readonly calibration: {
    readonly accuracy: CountedShare;
    readonly falsePasses: CountedShare;
    readonly falseRejections: CountedShare;
    readonly mistakes: readonly {
      readonly name: string;
      readonly kind: string;
      readonly reason: string;
    }[];
  };
}

/** The package is built after this one, so its types are not known here. */
const BLUEPRINT: string = '@alas-jssp/blueprint';

/** @throws InputError `missing_package` */
export function loadBlueprint(): Promise<BlueprintPackage> {
  return loadPackage<BlueprintPackage>(BLUEPRINT, () => import(BLUEPRINT));
}

/** Whether a path is the folder of a draft. */
export function isDraftFolder(path: string): boolean {
  return existsSync(join(path, 'draft.json')) && statSync(path).isDirectory();
}

/**
 * The workflow of a file, or of the draft in a folder.
 *
 * @throws InputError `no_draft` if the draft is no workflow yet
 */
export async function readAnyWorkflow(path: string): Promise<Workflow> {
  if (!isDraftFolder(path)) return readWorkflow(path);
  const { readDraft } = await loadBlueprint();
  const { workflow } = readDraft(path, { edited: 'allow' });
  if (workflow !== null) return workflow;
  const hint = 'alas-jssp workflow draft continues it';
  throw new InputError('no_draft', 'the draft is no workflow yet', hint, { file: path });
}
