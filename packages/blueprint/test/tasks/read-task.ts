import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type Cassette,
  cassetteSchema,
  catalogueSchema,
  type ToolCatalogue,
} from '@alas-jssp/agents';
import {
  type AssembledDraft,
  assembleDraft,
  type Parts,
  type Sheet,
  sheetSchema,
} from '../../src/index.js';

export const tasksDirectory = fileURLToPath(
  new URL('../../../../examples/tasks/', import.meta.url),
);

/** The names of the tasks in words. */
export const taskNames: readonly string[] = readdirSync(tasksDirectory)
  .filter((file) => file.endsWith('.md') && file !== 'README.md')
  .map((file) => file.slice(0, -'.md'.length))
  .sort();

export interface TaskFiles {
  readonly name: string;
  readonly text: string;
  readonly catalogue: ToolCatalogue;
  readonly cassette: Cassette;
  readonly sheet: Sheet;
}

/** Reads the files of a task in their forms. */
export function readTask(name: string): TaskFiles {
  const json = (kind: string): unknown =>
    JSON.parse(readFileSync(`${tasksDirectory}${name}.${kind}.json`, 'utf8'));
  return {
    name,
    text: readFileSync(`${tasksDirectory}${name}.md`, 'utf8'),
    catalogue: catalogueSchema.parse(json('tools')),
    cassette: cassetteSchema.parse(json('cassette')),
    sheet: sheetSchema.parse(json('sheet')),
  };
}

/** The last answer of the cassette to each part: the good draft. */
export function goodParts({ cassette }: TaskFiles): Parts {
  const parts = Object.entries(cassette.answers).filter(
    ([key]) => !key.startsWith('agent/') && !key.startsWith('validator/'),
  );
  return Object.fromEntries(parts.map(([part, answers]) => [part, answers.at(-1) as never]));
}

/** The draft that the good answers assemble to. */
export function goodDraft(task: TaskFiles): AssembledDraft {
  const draft = assembleDraft(goodParts(task), task.name);
  if ('findings' in draft) throw new Error(JSON.stringify(draft.findings));
  return draft;
}
