import { policyOf } from '../../src/workflow/ir/policy.js';
import type { Body, Edge, Node, Policy, Workflow } from '../../src/workflow/ir/workflow.js';

/**
 * The core of a workflow: all that decides what runs when, on what input, how often and for how long,
 * and what is undone. A conversion there and back gives the same core; all else it lists. Policies stand
 * with the nodes that have them, as far as they say something about a node of that kind, since their
 * names mean nothing to other engines; the order of nodes and of edges does not count, but for the order
 * of the branches of a choice.
 */
export function coreOf(workflow: Workflow): unknown {
  return JSON.parse(JSON.stringify({ name: workflow.name, ...coreOfBody(workflow, workflow) }));
}

function coreOfBody(workflow: Workflow, { nodes, edges, output }: Body): object {
  return {
    output,
    nodes: Object.fromEntries(
      [...nodes].sort(byId).map((node) => {
        const out = edges.filter(({ from }) => from === node.id);
        return [node.id, { ...coreOfNode(workflow, node), out: coreOfEdges(out) }];
      }),
    ),
  };
}

function byId(a: Node, b: Node): number {
  return a.id < b.id ? -1 : 1;
}

function coreOfEdges(out: readonly Edge[]): object {
  const branches = out.filter(({ kind }) => kind === 'branch');
  const others = out.filter(({ kind }) => kind !== 'branch');
  return {
    branches: branches.map(({ to, guard }) => ({ to, guard })),
    others: others.map(({ to, kind }) => `${kind} ${to}`).sort(),
  };
}

function coreOfNode(workflow: Workflow, node: Node): object {
  const { id, type, input } = node;
  const policy = policyOf(workflow, node) ?? {};
  const rules = policy.catch?.filter(({ handler }) => handler !== id);
  const common = { type, input, catch: rules?.length === 0 ? undefined : rules };
  switch (node.type) {
    case 'task': {
      const { handler = id, effect, approval } = node;
      return { ...common, handler, effect, approval, ...coreOfTries(policy, node.effect) };
    }
    case 'choice':
      return common;
    case 'wait':
      return { ...common, message: node.message, wait: policy.wait };
    case 'parallel': {
      const branches = Object.entries(node.branches).map(([name, branch]) => {
        return [name, coreOfBody(workflow, branch)];
      });
      const { maxConcurrency } = node;
      return { ...common, maxConcurrency, branches: Object.fromEntries(branches) };
    }
    case 'map': {
      const { items, until, maxConcurrency } = node;
      const { loopGuards } = policy;
      const body = coreOfBody(workflow, node.body);
      return { ...common, items, until, maxConcurrency, loopGuards, body };
    }
  }
}

/** How a task is tried, how long it may take, and what undoes it. */
function coreOfTries(policy: Policy, effect: string): object {
  const { retry, backoff, timeout, wait, idempotencyKey, lateAnswer, compensation } = policy;
  const tries = { retry, backoff: retry && backoff, timeout, wait, idempotencyKey };
  return effect === 'none' ? tries : { ...tries, lateAnswer, compensation };
}
