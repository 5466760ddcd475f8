import type { BodyPlan, Link, NodePlan } from './plan.js';
import type { NodeState } from './state.js';

/** The progress of a body: which nodes may run next and which never will. */
export interface Progress {
  readonly plan: BodyPlan;
  /** Links into each node that are not settled. */
  readonly pending: Int32Array;
  /** 1 for nodes into which a link was taken. */
  readonly taken: Uint8Array;
  /** Nodes that may run, in the order in which they became ready. */
  readonly ready: number[];
  /** Nodes that no path can reach any more. */
  readonly dead: number[];
  /** Nodes that are neither done, nor skipped, nor failed and caught. */
  open: number;
  /** A failed node whose failure is not caught. */
  failed: NodePlan | undefined;
}

/** How a node was settled, as its outgoing links see it. */
export type Settled = Pick<NodeState, 'status' | 'caughtBy' | 'chosen'>;

/**
 * Computes the progress of a body from the states of its nodes. A node may run when all links into
 * it are settled and one of them was taken; it is dead when all are settled and none was taken.
 */
export function openProgress(
  plan: BodyPlan,
  stateOf: (id: string) => Settled | undefined,
): Progress {
  const progress: Progress = {
    plan,
    pending: Int32Array.from(plan.nodes, ({ into }) => into.length),
    taken: new Uint8Array(plan.nodes.length),
    ready: [],
    dead: [],
    open: plan.nodes.length,
    failed: undefined,
  };
  const { ready, dead } = progress;
  for (const { index, into } of plan.nodes) if (into.length === 0) ready.push(index);
  const live: number[] = [];
  const skipped: number[] = [];
  // Each node is added once; settling it adds others.
  for (let r = 0, d = 0; r < ready.length || d < dead.length; ) {
    const fromReady = r < ready.length;
    const index = fromReady ? ready[r++] : dead[d++];
    const settled = stateOf(plan.nodes[index].node.id);
    if (isOpen(settled)) (fromReady ? live : skipped).push(index);
    else settle(progress, index, settled);
  }
  ready.splice(0, ready.length, ...live);
  dead.splice(0, dead.length, ...skipped);
  return progress;
}

/** Records that a node was settled, and finds the nodes that become ready or dead. */
export function settle(progress: Progress, index: number, settled: Settled): void {
  const { plan, pending, taken } = progress;
  const node = plan.nodes[index];
  if (settled.status === 'failed' && settled.caughtBy === undefined) {
    progress.failed ??= node;
    return;
  }
  progress.open--;
  for (const link of node.out) {
    const { to } = link;
    if (isTaken(link, settled, plan)) taken[to] = 1;
    if (--pending[to] === 0) (taken[to] === 1 ? progress.ready : progress.dead).push(to);
  }
}

/** Whether a link out of a settled node was taken. */
export function isTaken(link: Link, settled: Settled, plan: BodyPlan): boolean {
  if (settled.status === 'failed') {
    return link.kind === 'catch' && plan.nodes[link.to].node.id === settled.caughtBy;
  }
  if (settled.status !== 'done' || link.kind === 'catch') return false;
  return link.kind === 'sequence' || settled.chosen === undefined || settled.chosen === link.edge;
}

function isOpen(settled: Settled | undefined): settled is undefined {
  return settled === undefined || settled.status === 'running' || settled.status === 'waiting';
}
