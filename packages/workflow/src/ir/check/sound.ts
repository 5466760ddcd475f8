import { InputError } from '@alas-jssp/core/errors';
import type { Workflow } from '../workflow.js';
import { checkWorkflow } from './check.js';
import type { KnownHandlers } from './effect-rules.js';

/** Sound workflows, and the {@link fingerprint}s of the handlers with which they are. */
const sound = new WeakMap<Workflow, Set<string>>();

/**
 * Rejects a workflow in which the checker finds errors; warnings pass. A workflow is checked once
 * with handlers of the same names and kinds, and must not change after that.
 *
 * @throws InputError `unsound_workflow` with the first error, where it is, and its hint
 */
export function requireSoundWorkflow(workflow: Workflow, registry: KnownHandlers = {}): void {
  const print = fingerprint(registry);
  const known = sound.get(workflow);
  if (known?.has(print)) return;
  const errors = checkWorkflow(workflow, registry).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    const [{ path, message, hint }, ...others] = errors;
    const more = others.length === 0 ? '' : ` (and ${others.length} more errors)`;
    throw new InputError('unsound_workflow', `${message}${more}`, hint, { path }, errors);
  }
  if (known === undefined) sound.set(workflow, new Set([print]));
  else known.add(print);
}

/** A text with all handler facts that the checker reads: registries are created for every run. */
function fingerprint({ handlers, compensators }: KnownHandlers): string {
  const kinds = Object.entries(handlers ?? {}).map(([name, one]) => [name, one?.kind]);
  return JSON.stringify([handlers && kinds, compensators && Object.keys(compensators)]);
}
