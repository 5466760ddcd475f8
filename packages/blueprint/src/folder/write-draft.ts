import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pid } from 'node:process';
import { moveCatalogue } from '@alas-jssp/agents';
import { InputError } from '@alas-jssp/core/errors';
import { unwritable } from '@alas-jssp/core/replace-file';
import type { Draft } from '../drafting/draft.js';
import { compileTemplate } from '../template/compile.js';
import { DRAFT_SCHEMA, type DraftFile } from './draft-file.js';
import { DRAFT_FILES, digestsOf } from './draft-folder.js';

/** Facts of a draft's folder that the draft does not know. */
export interface WriteDraftOptions {
  /** The source of the tools, as the user named it; null if none was named. */
  readonly tools: string | null;
  /** The directory from which paths in the catalogue start. */
  readonly toolsDirectory: string;
}

/**
 * Writes a draft into a folder. The files are written next to those of an earlier draft and then put in their place,
 * `draft.json` last: a folder without it has no draft.
 *
 * @throws InputError `unwritable_file`
 */
export function writeDraft(dir: string, draft: Draft, options: WriteDraftOptions): DraftFile {
  const files = contentsOf(dir, draft, options);
  const file = draftFileOf(draft, options, digestsOf(files));
  files.set(DRAFT_FILES.draft, jsonText(file));
  const temporary = join(dir, `.draft-${pid}.tmp`);
  try {
    mkdirSync(join(temporary, DRAFT_FILES.agents), { recursive: true });
    for (const [name, content] of files) writeFileSync(join(temporary, name), content);
    const { draft: last, log: _, ...others } = DRAFT_FILES;
    for (const name of [last, ...Object.values(others)]) {
      rmSync(join(dir, name), { recursive: true, force: true });
    }
    for (const name of [...Object.values(others), last]) {
      if (existsSync(join(temporary, name))) renameSync(join(temporary, name), join(dir, name));
    }
  } catch (error) {
    throw unwritable(dir, error);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return file;
}

/** The files of a draft by name, without `draft.json`. */
function contentsOf(
  dir: string,
  draft: Draft,
  { toolsDirectory }: WriteDraftOptions,
): Map<string, string> {
  const { text, catalogue, specification, template, agents, files, parts } = draft;
  const contents = new Map([
    [DRAFT_FILES.task as string, text.endsWith('\n') ? text : `${text}\n`],
    [DRAFT_FILES.tools, jsonText(moveCatalogue(catalogue, toolsDirectory, dir))],
  ]);
  if (specification === null || template === null) {
    return contents.set(DRAFT_FILES.parts, jsonText(parts));
  }
  contents.set(DRAFT_FILES.specification, jsonText(specification));
  contents.set(DRAFT_FILES.template, jsonText(template));
  const { workflow } = compileTemplate(template, specification, catalogue);
  contents.set(DRAFT_FILES.workflow, jsonText(workflow));
  for (const agent of agents) contents.set(agentFile(`${agent.name}.json`), jsonText(agent));
  for (const [name, code] of Object.entries(files)) contents.set(agentFile(name), code);
  return contents;
}

/** The place of a file of an agent: always inside of the folder of agents. */
function agentFile(name: string): string {
  const isPlain = /^[\w][\w.-]*$/.test(name) && !name.endsWith('.tmp');
  if (isPlain) return `${DRAFT_FILES.agents}/${name}`;
  throw new InputError('bad_name', `an agent cannot have the file ${name}`, 'give it a plain name');
}

function draftFileOf(
  { name, passed, models, rounds, findings, undo, usage }: Draft,
  { tools }: WriteDraftOptions,
  digests: Record<string, string>,
): DraftFile {
  return {
    schema: DRAFT_SCHEMA,
    name,
    passed,
    planner: models.planner,
    agents: models.agents,
    reviewer: models.reviewer,
    tools,
    rounds: rounds.length - 1,
    findings: [...findings],
    undo: [...undo],
    usage,
    digests,
  };
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
