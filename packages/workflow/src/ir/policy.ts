import type { Node, Policy, Workflow } from './workflow.js';

/** The policy of a node: its own or the default of the workflow; undefined if there is none. */
export function policyOf(workflow: Workflow, { policyRef }: Node): Policy | undefined {
  const name = policyRef ?? workflow.defaultPolicy;
  return name !== undefined && Object.hasOwn(workflow.policies, name)
    ? workflow.policies[name]
    : undefined;
}
