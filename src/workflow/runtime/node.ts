import { AlasError } from '../../core/errors.js';
import { isWithin } from '../log/slice.js';
import { catcherOf } from './catch.js';
import { runChoice } from './choice.js';
import {
  append,
  isPromise,
  type Maybe,
  makeEntry,
  type Outcome,
  type Run,
  type RunBody,
  write,
} from './context.js';
import { makeFailure } from './failures.js';
import { busyKeys, holdKey } from './idempotency.js';
import { runMap } from './map.js';
import { runParallel } from './parallel.js';
import type { Failure } from './payloads.js';
import type { NodePlan } from './plan.js';
import { heldWithin, remainingWithin } from './saga.js';
import { nodePath, type Scope } from './scope.js';
import { runTask } from './task.js';
import { undo } from './undo.js';

/** Runs a node of any type, and routes its failure to the node that catches it, if one does. */
export function runNode(run: Run, scope: Scope, plan: NodePlan, runBody: RunBody): Maybe<Outcome> {
  const path = nodePath(scope, plan.node.id);
  const known = run.state.nodes.get(path);
  if (known?.failing !== undefined) {
    if (known.key !== undefined) holdKey(run, path, busyKeys(run, plan), known.key);
    return settled(run, path, fail(run, scope, plan, known.failing));
  }
  const outcome = runKind(run, scope, plan, runBody);
  if (!isPromise(outcome) && outcome.status !== 'failed') return outcome;
  return settled(run, path, routed(run, scope, plan, outcome));
}

async function routed(
  run: Run,
  scope: Scope,
  plan: NodePlan,
  outcome: Maybe<Outcome>,
): Promise<Outcome> {
  const ended = await outcome;
  return ended.status === 'failed' ? fail(run, scope, plan, ended.failure) : ended;
}

/** Gives the node's key free when all that it does is done. */
async function settled(run: Run, path: string, outcome: Promise<Outcome>): Promise<Outcome> {
  try {
    return await outcome;
  } finally {
    run.holding.get(path)?.();
  }
}

function runKind(run: Run, scope: Scope, plan: NodePlan, runBody: RunBody): Maybe<Outcome> {
  switch (plan.node.type) {
    case 'task':
      return runTask(run, scope, plan);
    case 'wait':
      throw new AlasError('bad_workflow', `this runtime has no node of type wait`, plan.node.id);
    case 'choice':
      return runChoice(run, scope, plan);
    case 'parallel':
      return runParallel(run, scope, plan, runBody);
    case 'map':
      return runMap(run, scope, plan, runBody);
  }
}

/**
 * Settles a node that failed. If its failure is caught, the saga that failed (the task itself, the
 * branches or turns that failed, a whole loop of turns that build on each other) is undone first;
 * else it is left to be undone with all the rest.
 */
async function fail(run: Run, scope: Scope, plan: NodePlan, failure: Failure): Promise<Outcome> {
  const path = nodePath(scope, plan.node.id);
  const handler = scope.stopped === undefined ? catcherOf(plan, failure) : undefined;
  if (handler === undefined) {
    write(run, path, 'FailNode', { error: failure });
    return { status: 'failed', failure };
  }
  const within = failedSaga(run, scope, plan);
  if (run.state.nodes.get(path)?.failing === undefined && heldWithin(run.state, within)) {
    write(run, path, 'Trigger', { kind: 'failure', error: failure });
  }
  await undo(run, 'failure', failure, within);
  const stuck = remainingWithin(run, 'failure', failure, within).filter(
    ({ reason }) => reason === 'failed' || reason === 'blocked',
  );
  if (stuck.length > 0) {
    const message = `${stuck.map(({ nodeId }) => nodeId).join(', ')} could not be undone`;
    const error = makeFailure('CompensationFailed', message, path, plan);
    write(run, path, 'FailNode', { error });
    return { status: 'failed', failure: error };
  }
  append(run, [
    makeEntry(run, path, 'FailNode', { error: failure }),
    makeEntry(run, path, 'Catch', { code: failure.code, handler }),
  ]);
  return { status: 'caught', handler };
}

/** Tells which effects belong to what failed in a node, by path. */
function failedSaga({ state, plan: { planOf } }: Run, scope: Scope, { node }: NodePlan) {
  const path = nodePath(scope, node.id);
  if (node.type !== 'parallel' && (node.type !== 'map' || node.items === undefined)) {
    return (other: string) => isWithin(other, path);
  }
  const failed = new Set<string>();
  const bodies = node.type === 'map' ? [node.body] : Object.values(node.branches);
  const ids = new Set(bodies.flatMap((body) => planOf(body).nodes.map((plan) => plan.node.id)));
  for (const [other, { status, caughtBy }] of state.nodes) {
    const cut = other.lastIndexOf('/');
    if (status !== 'failed' || caughtBy !== undefined || !isWithin(other, path)) continue;
    if (ids.has(other.slice(cut + 1))) failed.add(other.slice(0, cut));
  }
  return (other: string) => [...failed].some((part) => isWithin(other, part));
}
