import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { policyOf } from '../ir/policy.js';
import type { Body, JsonSchema, Policy, Workflow } from '../ir/workflow.js';
import { mayAwait } from './approvals.js';

/**
 * Rejects an approval that no task of a workflow waits for, or that this person may not give.
 *
 * @param by the person who decides; without it only the name is checked
 * @throws InputError `no_approval`, `not_approver`
 */
export function requireApproval(workflow: Workflow, name: string, by?: string): void {
  const tasks = nodesOf(workflow).filter((node) => node.type === 'task');
  const names = tasks.flatMap(({ approval = [] }) => approval);
  if (!names.some((template) => mayAwait(template, name))) {
    requireName(names, name, 'no_approval', `${workflow.name} has no approval '${name}'`);
  }
  if (by === undefined || mayDecide(workflow, name, by)) return;
  const approvers = tasks
    .filter(({ approval }) => mayAwait(approval ?? '', name))
    .flatMap((task) => policyOf(workflow, task)?.approvers ?? []);
  const problem = `${by} may not decide about '${name}' of ${workflow.name}`;
  throw new InputError('not_approver', problem, suggestNames(by, approvers), {}, by);
}

/** Whether a person may decide about the approval of a task that waits for it. */
export function mayDecide(workflow: Workflow, name: string, by: string): boolean {
  return nodesOf(workflow).some((node) => {
    if (node.type !== 'task' || !mayAwait(node.approval ?? '', name)) return false;
    return isApprover(policyOf(workflow, node), by);
  });
}

/** Whether a policy lets a person decide about the approval of its task. */
export function isApprover(policy: Pick<Policy, 'approvers'> | undefined, by: string): boolean {
  return policy?.approvers === undefined || policy.approvers.includes(by);
}

/**
 * The schema of the data of a named message of a workflow.
 *
 * @throws InputError `no_signal`
 */
export function requireSignal(workflow: Workflow, name: string): JsonSchema {
  const schemas = signalsOf(workflow);
  const problem = `${workflow.name} waits for no message '${name}'`;
  requireName([...schemas.keys()], name, 'no_signal', problem);
  return schemas.get(name) ?? true;
}

/** The named messages of a workflow, with the schemas of their data. */
function signalsOf(workflow: Workflow): Map<string, JsonSchema> {
  const schemas = new Map(Object.entries(workflow.signals ?? {}));
  for (const node of nodesOf(workflow)) {
    if (node.type === 'wait') schemas.set(node.message, node.io.output ?? true);
  }
  return schemas;
}

/** Rejects an unknown name. */
export function requireName(names: readonly string[], name: string, code: string, problem: string) {
  if (names.includes(name)) return;
  const hint = names.length === 0 ? 'this workflow has none' : suggestNames(name, names);
  throw new InputError(code, problem, hint, {}, name);
}

/** All nodes of a body and of the bodies inside it. */
function nodesOf({ nodes }: Pick<Body, 'nodes'>): Body['nodes'] {
  return nodes.flatMap((node) => {
    if (node.type === 'parallel') return [node, ...Object.values(node.branches).flatMap(nodesOf)];
    return node.type === 'map' ? [node, ...nodesOf(node.body)] : [node];
  });
}
