import { AlasError } from '../../core/errors.js';
import type { Body, Workflow } from '../ir/workflow.js';
import type { WorkflowPlan } from './plan.js';
import type { Registry } from './registry.js';

/**
 * Refuses to begin what could not be finished: a workflow with a handler or a compensator that the
 * registry does not have.
 *
 * @throws AlasError `bad_registry`, `bad_workflow`
 */
export function checkRegistry(
  workflow: Workflow,
  { planOf }: WorkflowPlan,
  { handlers, compensators = {} }: Registry,
): void {
  const visit = (body: Body): void => {
    for (const { node, policy } of planOf(body).nodes) {
      if (node.type === 'parallel') Object.values(node.branches).forEach(visit);
      if (node.type === 'map') visit(node.body);
      if (node.type !== 'task') continue;
      const name = node.handler ?? node.id;
      if (!Object.hasOwn(handlers, name)) throw missing('handler', name);
      const undoing = node.effect === 'none' ? undefined : policy.compensation?.handler;
      if (undoing !== undefined && !Object.hasOwn(compensators, undoing)) {
        throw missing('compensator', undoing);
      }
    }
  };
  visit(workflow);
}

function missing(what: string, name: string): AlasError {
  return new AlasError('bad_registry', `the registry has no ${what} ${name}`, name);
}
