import { InputError } from '../../../core/errors.js';
import type { Workflow } from '../workflow.js';
import { checkWorkflow } from './check.js';
import type { KnownHandlers } from './effect-rules.js';

/** Workflows that were checked, each with the handlers that it was checked with. */
const sound = new WeakMap<Workflow, unknown>();

/**
 * Refuses a workflow in which the checker finds errors; warnings are let pass. Each workflow is
 * checked once with the same handlers.
 *
 * @throws InputError `unsound_workflow` with the first error, where it is, and its cure
 */
export function requireSoundWorkflow(workflow: Workflow, registry: KnownHandlers = {}): void {
  if (sound.has(workflow) && sound.get(workflow) === registry.handlers) return;
  const errors = checkWorkflow(workflow, registry).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    const [{ path, message, cure }, ...others] = errors;
    const more = others.length === 0 ? '' : ` (and ${others.length} more errors)`;
    throw new InputError('unsound_workflow', `${message}${more}`, cure, { path }, errors);
  }
  sound.set(workflow, registry.handlers);
}
