import { once } from '../../core/once.js';
import { declaresSchemas } from '../interpreter/checks.js';
import type { Host } from '../interpreter/host.js';
import type { Workflow } from '../ir/workflow.js';
import type { LogStore } from '../log/store.js';

/** The checks of workflows that were run: their schemas are compiled once. */
const known = new WeakMap<Workflow, NonNullable<Host['check']>>();

/**
 * The check of the values of a run while it goes on; undefined if there is nothing to check: no
 * schema, or a log that keeps nothing, so that values need not even be JSON.
 */
export async function checksFor(workflow: Workflow, store: LogStore): Promise<Host['check']> {
  if (store.forgets || !declaresSchemas(workflow)) return undefined;
  let check = known.get(workflow);
  if (check === undefined) {
    // The library takes long to load.
    const { createSchemaChecks } = await import('../validation/schema-check.js');
    const checks = createSchemaChecks(workflow.schemas);
    check = (schema, value) => checks(schema)(value);
    known.set(workflow, check);
  }
  return check;
}

/** The checker, and the library of schemas with it, which takes long to load. */
export const loadChecker = once(() => import('../ir/check/sound.js'));
