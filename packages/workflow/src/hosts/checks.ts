import { once } from '@alas-jssp/core/once';
import { declaresSchemas } from '../interpreter/checks.js';
import type { Host } from '../interpreter/host.js';
import type { Workflow } from '../ir/workflow.js';
import type { LogStore } from '../log/store.js';

/** The checks of executed workflows: their schemas are compiled once. */
const known = new WeakMap<Workflow, NonNullable<Host['check']>>();

/**
 * The value checks of a run in progress; undefined if there is nothing to check: no schema, or a
 * log that keeps nothing, so that values need not be JSON.
 */
export async function checksFor(workflow: Workflow, store: LogStore): Promise<Host['check']> {
  if (store.forgets || !declaresSchemas(workflow)) return undefined;
  let check = known.get(workflow);
  if (check === undefined) {
    // The library is slow to load.
    const { createSchemaChecks } = await import('../validation/schema-check.js');
    const checks = createSchemaChecks(workflow.schemas);
    check = (schema, value) => checks(schema)(value);
    known.set(workflow, check);
  }
  return check;
}

/** The checker with its schema library, which is slow to load. */
export const loadChecker = once(() => import('../ir/check/sound.js'));
