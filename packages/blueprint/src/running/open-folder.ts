import { env } from 'node:process';
import {
  type AgentBudget,
  catalogueDirectory,
  openToolset,
  openTrialSystem,
  readCatalogue,
  supervise,
  type Toolset,
} from '@alas-jssp/agents';
import { readEnvironment } from 'alas-jssp/llm';
import { checkDraft } from '../checks/check-draft.js';
import type { DraftFinding } from '../drafting/part.js';
import { readDraft } from '../folder/read-draft.js';
import { type OpenedDraft, openDraft, requireRunnable } from './open-draft.js';

/** The tools of `--tools` that call no real system. */
const TRIAL_TOOLS = 'trial';

/** Circumstances in which the draft of a folder runs, as the command line gives them. */
export interface OpenFolderOptions {
  /** A catalogue whose implementation replaces that of the draft, or `trial` for a trial system. */
  readonly tools?: string | undefined;
  /** Opens a draft that did not pass, or whose files were changed since. Default false. */
  readonly unchecked?: boolean | undefined;
  /** Limits of all models of the run together. */
  readonly budget?: AgentBudget | undefined;
}

/**
 * Opens the draft of a folder with keys from the environment.
 *
 * @throws InputError as `openDraft`
 */
export async function openDraftFolder(
  directory: string,
  { tools, unchecked = false, budget }: OpenFolderOptions = {},
): Promise<OpenedDraft> {
  const environment = readEnvironment(env);
  const toolset = tools === undefined ? undefined : await openTools(directory, tools);
  try {
    const opened = await openDraft(directory, {
      tools: toolset,
      unchecked,
      environment,
      supervisor: budget === undefined ? undefined : supervise({ budget }),
    });
    const close = async () => {
      await opened.close();
      await toolset?.close();
    };
    return { ...opened, close };
  } catch (error) {
    await toolset?.close();
    throw error;
  }
}

async function openTools(directory: string, tools: string): Promise<Toolset> {
  if (tools === TRIAL_TOOLS) {
    const { catalogue } = readDraft(directory, { edited: 'allow' });
    return openTrialSystem(catalogue, { directory });
  }
  const environment = readEnvironment(env);
  return openToolset(await readCatalogue(tools), {
    directory: catalogueDirectory(tools),
    environment,
  });
}

/** A finding of the draft in a folder. */
export interface FolderFinding extends Omit<DraftFinding, 'part'> {
  readonly file: string;
}

/** Checks the draft in a folder as it is now. */
export function checkDraftFolder(directory: string): FolderFinding[] {
  const draft = readDraft(directory, { edited: 'allow' });
  const { edited, catalogue, agents, undo, models, template } = draft;
  const { specification, template: runnable } = requireRunnable(draft);
  const changed = edited.map(
    (name): FolderFinding => ({
      file: directory,
      code: 'edited_file',
      severity: 'warning',
      path: name,
      message: 'it was changed after the draft was written',
      hint: 'draft the change, so that its gates are passed again',
    }),
  );
  // A run leaves unproven undos to people; the check shall name them.
  const written = template ?? runnable;
  const draftToCheck = { specification, template: written, catalogue, agents, undo, models };
  const findings = checkDraft(draftToCheck);
  return [
    ...changed,
    ...findings.map(({ part, path, ...finding }) => ({
      file: directory,
      ...finding,
      path: `${part} ${path}`,
    })),
  ];
}
