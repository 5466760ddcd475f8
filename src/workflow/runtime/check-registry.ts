import { AlasError } from '../../core/errors.js';
import type { Body, Workflow } from '../ir/workflow.js';
import type { WorkflowPlan } from './plan.js';
import type { Handler, Registry } from './registry.js';

/**
 * Refuses to begin what could not be finished: a workflow with a handler or a compensator that the
 * registry does not have, or that cannot be called.
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
      requireCallable('handler', handlers, name);
      const undoing = node.effect === 'none' ? undefined : policy.compensation?.handler;
      if (undoing !== undefined) requireCallable('compensator', compensators, undoing);
    }
  };
  visit(workflow);
}

/** Modules of users are not compiled: what they export may be anything. */
function requireCallable(
  what: string,
  registered: Readonly<Record<string, Partial<Handler> | undefined>>,
  name: string,
): void {
  const one = Object.hasOwn(registered, name) ? registered[name] : undefined;
  if (one === undefined) throw bad(`the registry has no ${what} ${name}`, name);
  if (typeof one?.run !== 'function') {
    throw bad(`the ${what} ${name} has no function run: make it { run() { … } }`, one);
  }
  if (!KINDS.includes(one.kind)) {
    throw bad(`the ${what} ${name} is of kind ${one.kind}: make it pure or external`, one.kind);
  }
}

const KINDS: readonly unknown[] = [undefined, 'pure', 'external'] satisfies Handler['kind'][];

function bad(message: string, value: unknown): AlasError {
  return new AlasError('bad_registry', message, value);
}
