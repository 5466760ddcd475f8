import type { ParallelNode } from '../ir/workflow.js';
import { schemaFailure } from './checks.js';
import { type EncodedValue, objectOfValues } from './encoded-value.js';
import type { Failure } from './entries.js';
import type { Maybe } from './host.js';
import type { NodePlan } from './plan.js';
import { routeOf, stopFailure } from './policies.js';
import { branchScope, inputOf } from './references.js';
import {
  enterScope,
  nodePath,
  type Outcome,
  type Run,
  type Scope,
  stopScope,
  write,
} from './run.js';
import type { RunState } from './state.js';

/** Runs a body: passed to the nodes that contain bodies. */
export type RunBody = (run: Run, scope: Scope) => Maybe<Outcome>;

const failed = (failure: Failure): Outcome => ({ status: 'failed', failure });

/** Runs the branches of a parallel node on its input; its output holds theirs by name. */
export async function runParallel(
  run: Run,
  scope: Scope,
  plan: NodePlan,
  runBody: RunBody,
): Promise<Outcome> {
  const node = plan.node as ParallelNode;
  const path = nodePath(scope, node.id);
  const input = inputOf(run, scope, plan);
  const refused = schemaFailure(run, plan, path, 'input', input);
  if (refused !== undefined) return failed(refused);
  if (!run.state.nodes.has(path)) write(run, path, 'StartNode', {});
  const names = Object.keys(node.branches);
  return runTogether(run, scope, plan, runBody, {
    count: names.length,
    limit: node.maxConcurrency ?? names.length,
    scopeOf: (index) => branchScope(run, scope, node, names[index], input),
    join: (ended) => objectOfValues(new Map(names.map((name, k) => [name, ended[k]]))),
  });
}

/** Bodies that run concurrently. */
interface Together {
  readonly count: number;
  /** The maximum number of concurrent bodies. */
  readonly limit: number;
  /** The scope of the body, or the reason why it must not begin. */
  scopeOf(index: number): Scope | Failure;
  /** Makes the output of the node from those of the bodies. */
  join(outputs: readonly EncodedValue[]): EncodedValue;
}

/**
 * Runs several bodies within a scope and ends their node. If one fails without a catch, the others
 * are stopped: they will be undone anyway.
 */
export async function runTogether(
  run: Run,
  parent: Scope,
  plan: NodePlan,
  runBody: RunBody,
  { count, limit, scopeOf, join }: Together,
): Promise<Outcome> {
  const outcomes: (Outcome | undefined)[] = Array.from({ length: count });
  const stops = (failure: Failure) => routeOf(plan, failure.code) === undefined;
  const inside = new Set<Scope>();
  let next = 0;
  let halted = false;
  const runOne = async (index: number): Promise<void> => {
    const scope = scopeOf(index);
    if ('plan' in scope) {
      enterScope(parent, scope);
      inside.add(scope);
      try {
        outcomes[index] = await runBody(run, scope);
      } finally {
        inside.delete(scope);
        parent.children.delete(scope);
      }
    } else {
      outcomes[index] = failed(scope);
    }
    const outcome = outcomes[index];
    if (outcome?.status !== 'failed' || !stops(outcome.failure)) return;
    halted = true;
    const reason = stopFailure('Cancelled', `${outcome.failure.nodeId} failed`);
    for (const other of inside) stopScope(other, reason);
  };
  const worker = async (): Promise<void> => {
    while (next < count && !halted && parent.stopped === undefined) await runOne(next++);
  };
  const work = Array.from({ length: Math.min(limit, count) }, worker);
  // All bodies are awaited, even if one is interrupted.
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason;
  }
  const failure = decisiveFailure(run.state, outcomes, stops);
  if (failure !== undefined) return failed(failure);
  if (outcomes.some((outcome) => outcome?.status === 'waiting')) return { status: 'waiting' };
  const outputs = outcomes.flatMap((one) => (one?.status === 'done' ? [one.output] : []));
  if (outputs.length < count) {
    return failed(parent.stopped ?? stopFailure('Cancelled', 'stopped'));
  }
  return endNode(run, plan, nodePath(parent, plan.node.id), join(outputs));
}

/** Ends a node whose output is made from those inside it, if it matches its schema. */
export function endNode(run: Run, plan: NodePlan, path: string, output: EncodedValue): Outcome {
  const failure = schemaFailure(run, plan, path, 'output', output);
  if (failure !== undefined) return failed(failure);
  write(run, path, 'EndNode', {});
  return { status: 'done', output };
}

/**
 * The failure that represents all failures of concurrent bodies: the first in the log of those that
 * stopped the others; if all ran to their ends, that of the first body, so that it does not depend
 * on timing.
 */
export function decisiveFailure(
  { nodes }: Pick<RunState, 'nodes'>,
  outcomes: readonly (Outcome | undefined)[],
  stops: (failure: Failure) => boolean,
): Failure | undefined {
  const failures = outcomes.flatMap((outcome) =>
    outcome?.status === 'failed' ? [outcome.failure] : [],
  );
  const place = ({ nodeId }: Failure) => nodes.get(nodeId)?.ended ?? Number.POSITIVE_INFINITY;
  const stopping = failures.filter(stops).sort((a, b) => place(a) - place(b));
  return stopping[0] ?? failures[0];
}
