import { policyOf } from './policy.js';
import type { Body, Edge, Node, Policy, Workflow } from './workflow.js';

/**
 * A workflow as indented text: each node with its kind, effect, policy and outgoing edges, bodies
 * below their nodes.
 */
export function describeWorkflow(workflow: Workflow): string {
  const { name, description, invariants, signals = {} } = workflow;
  const lines = [
    description === undefined ? name : `${name}: ${description}`,
    ...describeBody(workflow, workflow, '  '),
    ...Object.keys(signals).map((signal) => `  accepts the message ${signal}`),
    ...invariants.map((invariant) => `  always ${invariant.name}: ${invariant.holds}`),
  ];
  return `${lines.join('\n')}\n`;
}

function describeBody(workflow: Workflow, body: Body, indent: string): readonly string[] {
  return body.nodes.flatMap((node) => [
    `${indent}${describeNode(workflow, node)}`,
    ...describeInner(workflow, node, `${indent}  `),
    ...(policyOf(workflow, node)?.catch ?? []).map(
      ({ errors, handler, backTo, times = 1 }) =>
        `${indent}  ! ${errors.join(', ')} → ${handler ?? `back to ${backTo}, ${times} times at most`}`,
    ),
    ...body.edges.filter(({ from }) => from === node.id).map((edge) => `${indent}  ${arrow(edge)}`),
  ]);
}

function describeInner(workflow: Workflow, node: Node, indent: string): readonly string[] {
  if (node.type === 'map') return describeBody(workflow, node.body, indent);
  if (node.type !== 'parallel') return [];
  return Object.entries(node.branches).flatMap(([name, body]) => [
    `${indent}${name}:`,
    ...describeBody(workflow, body, `${indent}  `),
  ]);
}

function describeNode(workflow: Workflow, node: Node): string {
  const parts = [`${node.id} (${describeType(node)})`];
  if (node.role !== undefined) parts.push(`role ${node.role}`);
  if (node.type === 'task' && node.effect !== 'none') parts.push(`effect ${node.effect}`);
  if (node.type === 'task' && node.approval !== undefined) parts.push(`approval ${node.approval}`);
  const policy = policyOf(workflow, node);
  return [...parts, ...(policy === undefined ? [] : describePolicy(policy))].join('; ');
}

function describeType(node: Node): string {
  if (node.type === 'task') return node.handler === undefined ? 'task' : `task ${node.handler}`;
  if (node.type === 'wait') return `wait for ${node.message}`;
  if (node.type !== 'map') return node.type;
  return node.until === undefined ? `map over ${node.items}` : `map until ${node.until}`;
}

function describePolicy(policy: Policy): readonly string[] {
  const { retry, timeout, wait, compensation, loopGuards } = policy;
  const parts: string[] = [];
  if (retry !== undefined) parts.push(`${retry.maxAttempts} attempts`);
  if (timeout !== undefined) parts.push(`${timeout.seconds} s`);
  if (wait !== undefined) parts.push(`waits at most ${wait.seconds} s`);
  if (compensation !== undefined) parts.push(`undone by ${compensation.handler}`);
  if (loopGuards?.maxIters !== undefined) parts.push(`${loopGuards.maxIters} times at most`);
  return parts;
}

function arrow({ to, kind, guard, repairable }: Edge): string {
  const when = kind === 'branch' ? ` if ${guard}` : kind === 'default' ? ' otherwise' : '';
  return `→ ${to}${when}${repairable === 'none' ? '' : ` (repairable: ${repairable})`}`;
}
