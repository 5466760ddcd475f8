// The tasks in words with their texts and cassettes, for drafting with planted faults.
import { readFileSync } from 'node:fs';
import { cassetteSchema } from '@alas-jssp/agents';
import type { PlantableTask } from '@alas-jssp/blueprint';
import { readGoodDrafts, TASKS } from './good-drafts.js';

/** Reads all tasks. */
export function readPlantableTasks(): PlantableTask[] {
  return readGoodDrafts().map(({ name, specification, template, catalogue }) => ({
    name,
    text: readFileSync(`${TASKS}${name}.md`, 'utf8'),
    catalogue,
    cassette: cassetteSchema.parse(
      JSON.parse(readFileSync(`${TASKS}${name}.cassette.json`, 'utf8')),
    ),
    draft: { specification, template },
  }));
}
