import { isWithin } from '../log/slice.js';
import { undo } from './effects.js';
import type { Failure } from './entries.js';
import { buildsOn, type NodePlan } from './plan.js';
import { makeFailure, routeOf } from './policies.js';
import { append, makeEntry, nodePath, type Outcome, type Run, type Scope, write } from './run.js';
import { failedSaga, heldWithin, isUndone, remainingWithin } from './saga.js';
import { certainlyExists } from './state.js';

/**
 * Settles a node that failed. If its failure is caught, the failed saga (the task itself, the
 * failed branches or iterations, a whole loop of iterations that build on each other) is undone
 * first; else it is undone with the rest of the run.
 */
export async function fail(
  run: Run,
  scope: Scope,
  plan: NodePlan,
  failure: Failure,
): Promise<Outcome> {
  const { state } = run;
  const path = nodePath(scope, plan.node.id);
  const route = scope.stopped === undefined ? routeOf(plan, failure.code) : undefined;
  const failing = state.nodes.get(path)?.failing !== undefined;
  if (route !== undefined && 'backTo' in route) {
    const to = nodePath(scope, route.backTo);
    if ((state.returns.get(to) ?? 0) < route.times) {
      if (!failing) write(run, path, 'Trigger', { kind: 'failure', error: failure });
      return { status: 'back', to: route.backTo, failure };
    }
  }
  if (route === undefined || 'backTo' in route) {
    write(run, path, 'FailNode', { error: failure }, dropClaimOf(run, plan, path));
    return { status: 'failed', failure };
  }
  const within = failedSaga(run, path, plan);
  if (!failing && heldWithin(run, within)) {
    write(run, path, 'Trigger', { kind: 'failure', error: failure });
  }
  await undo(run, 'failure', failure, within);
  const stuck = stuckWithin(run, failure, within);
  if (stuck !== undefined) {
    const error = makeFailure('CompensationFailed', stuck, path, plan);
    write(run, path, 'FailNode', { error });
    return { status: 'failed', failure: error };
  }
  append(
    run,
    [
      makeEntry(run, path, 'FailNode', { error: failure }),
      makeEntry(run, path, 'Catch', { code: failure.code, handler: route.handler }),
    ],
    dropClaimOf(run, plan, path),
  );
  return { status: 'caught', handler: route.handler };
}

/** The claim of a failed step without an effect is dropped. */
function dropClaimOf({ state }: Run, { node, policy }: NodePlan, path: string) {
  const key = state.nodes.get(path)?.key;
  const resource = policy.idempotencyKey?.scope === 'resource';
  if (!resource || key === undefined || node.type !== 'task') return undefined;
  return node.effect === 'none' ? { dropClaims: [key] } : undefined;
}

/** The effects that could not be undone, as text; undefined if there are none. */
function stuckWithin(
  run: Run,
  failure: Failure,
  within: (path: string) => boolean,
): string | undefined {
  const stuck = remainingWithin(run, 'failure', failure, within).filter(
    ({ reason }) => reason === 'failed' || reason === 'blocked',
  );
  if (stuck.length === 0) return undefined;
  return `${stuck.map(({ nodeId }) => nodeId).join(', ')} could not be undone`;
}

/**
 * Undoes the effects of a body after one of its nodes, and resets those nodes: by the log they have
 * not begun.
 *
 * @returns why that failed: an effect could not be undone, or is in doubt
 */
export async function revertAfter(
  run: Run,
  scope: Scope,
  to: string,
  failure: Failure,
  by?: string,
): Promise<Failure | undefined> {
  const { state, outputs } = run;
  const paths = nodesAfter(run, scope, to).map((id) => nodePath(scope, id));
  const within = (path: string) => paths.some((outer) => isWithin(path, outer));
  await undo(run, 'manual', { ...failure, compensates: true }, within);
  for (const effect of state.effects.values()) {
    const { nodeId, status, open } = effect;
    const gone = (status === 'undone' || status === 'absent') && open.length === 0;
    // Effects that it would build on remain, unless they were undone before, or an undo was
    // attempted.
    const isNeeded = state.nodes.get(nodeId)?.status === 'done' && !isUndone(run, nodeId);
    const stands = certainlyExists(effect) || !isNeeded;
    if (within(nodeId) ? gone : stands) continue;
    const how = within(nodeId) ? 'is possibly not undone' : 'no longer exists';
    const message = `${nodeId} ${how}, so that the run cannot return to ${to}`;
    return { ...failure, code: 'CompensationFailed', message };
  }
  const nodes = [...state.nodes.keys()].filter(within);
  const place = nodePath(scope, to);
  write(run, scope.path, 'Return', { to: place, nodes, error: failure, ...(by && { by }) });
  for (const path of nodes) outputs.delete(path);
  return undefined;
}

/** The nodes that build on a node, and those that have not ended. */
function nodesAfter({ state }: Run, scope: Scope, to: string): string[] {
  const { plan } = scope;
  const origin = plan.byId.get(to) as NodePlan;
  const isSettled = (id: string) => {
    const known = state.nodes.get(nodePath(scope, id));
    return known?.status === 'done' || known?.status === 'skipped' || known?.caughtBy !== undefined;
  };
  return plan.nodes
    .filter((one) => one !== origin && (buildsOn(plan, one, origin) || !isSettled(one.node.id)))
    .map(({ node }) => node.id);
}
