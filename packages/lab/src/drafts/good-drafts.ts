// The good drafts from which the campaign starts: those of the tasks in words, as their cassettes answer them in the end.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cassetteSchema, toCatalogue } from '@alas-jssp/agents';
import { assembleDraft, type MutableDraft, type Parts } from '@alas-jssp/blueprint';

/** A good draft and the name of its task. */
export interface GoodDraft extends MutableDraft {
  readonly name: string;
}

/** The folder of the tasks in words. */
export const TASKS = fileURLToPath(new URL('../../../../examples/tasks/', import.meta.url));

/** Reads all good drafts. */
export function readGoodDrafts(): GoodDraft[] {
  const names = readdirSync(TASKS)
    .filter((file) => file.endsWith('.cassette.json'))
    .map((file) => file.slice(0, -'.cassette.json'.length))
    .sort();
  return names.map((name) => {
    const json = (kind: string): unknown =>
      JSON.parse(readFileSync(`${TASKS}${name}.${kind}.json`, 'utf8'));
    const { answers } = cassetteSchema.parse(json('cassette'));
    // The last answer to a part is the one that passes.
    const parts = Object.entries(answers).filter(([key]) => !/^(agent|validator)\//.test(key));
    const draft = assembleDraft(
      Object.fromEntries(parts.map(([part, all]) => [part, all.at(-1)])) as Parts,
      name,
    );
    if ('findings' in draft) throw new Error(`${name}: ${JSON.stringify(draft.findings)}`);
    const { specification, template } = draft;
    return { name, specification, template, catalogue: toCatalogue(json('tools')) };
  });
}
