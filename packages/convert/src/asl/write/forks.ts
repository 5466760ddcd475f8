import { type BodyPlan, buildsOn, type NodePlan } from '@alas-jssp/workflow/ir';
import { bodyState, type MachineScope } from './scope.js';

/** Parallel strands of a body, each with its nodes in order. */
export interface Fork {
  readonly strands: readonly (readonly NodePlan[])[];
}

/** A step of a body that is written as a sequence. */
export type BodyStep = NodePlan | Fork;

/**
 * The steps of a body: nodes that are before or after all others, and between them independent
 * strands. Other nodes run in sequence.
 *
 * @param plain true for no strands
 */
export function stepsOf(plan: BodyPlan, plain: boolean, nodes = plan.nodes): BodyStep[] {
  const order = inOrder(nodes);
  if (plain) return order;
  const isBetween = (node: NodePlan) =>
    order.some((other) => other !== node && !isOrdered(plan, node, other));
  const steps: BodyStep[] = [];
  let between: NodePlan[] = [];
  const close = () => {
    const strands = strandsOf(between);
    steps.push(...(strands.length > 1 ? [{ strands }] : between));
    between = [];
  };
  for (const node of order) {
    if (isBetween(node)) between.push(node);
    else {
      close();
      steps.push(node);
    }
  }
  close();
  return steps;
}

function isOrdered(plan: BodyPlan, one: NodePlan, other: NodePlan): boolean {
  return buildsOn(plan, one, other) || buildsOn(plan, other, one);
}

/** Nodes in topological order. */
function inOrder(nodes: readonly NodePlan[]): NodePlan[] {
  const left = new Map(nodes.map((node) => [node.index, node]));
  const order: NodePlan[] = [];
  while (left.size > 0) {
    const next = nodes.find(({ index, into }) => {
      return left.has(index) && !into.some(({ from }) => left.has(from));
    });
    if (next === undefined) break;
    left.delete(next.index);
    order.push(next);
  }
  return order;
}

/** Splits nodes into strands without links between them. */
function strandsOf(nodes: readonly NodePlan[]): NodePlan[][] {
  const group = new Map(nodes.map(({ index }) => [index, index]));
  for (const { index, into } of nodes) {
    for (const { from } of into) {
      const [mine, other] = [group.get(index), group.get(from)];
      if (mine === undefined || other === undefined) continue;
      for (const [key, value] of group) if (value === other) group.set(key, mine);
    }
  }
  return [...new Set(group.values())].map((value) => {
    return nodes.filter(({ index }) => group.get(index) === value);
  });
}

/** The first nodes of strands, for people to read. */
export function forkTitle({ strands }: Fork): string {
  return `${strands.map(([first]) => first.node.id).join(', ')} side by side`;
}

/** The state in which strands run. */
export function forkState(scope: MachineScope, fork: Fork): string {
  return bodyState(scope, forkTitle(fork));
}
