import { AlasError } from '../../core/errors.js';
import { isWithin } from '../log/slice.js';
import { brokenInvariant } from './checks.js';
import { undo } from './effects.js';
import type { Failure } from './entries.js';
import { isPromise, type Maybe } from './host.js';
import { holdKey } from './keys.js';
import { runMap } from './loops.js';
import { runChoice, runWait } from './nodes.js';
import { buildsOn, type NodePlan } from './plan.js';
import { makeFailure, routeOf, stopFailure } from './policies.js';
import { bodyOutput } from './references.js';
import {
  append,
  makeEntry,
  nodePath,
  type Outcome,
  type Run,
  type Scope,
  stopScope,
  write,
} from './run.js';
import { heldWithin, remainingWithin } from './saga.js';
import { openProgress, type Progress, settle } from './schedule.js';
import { runTask } from './step.js';
import { decisiveFailure, runParallel } from './together.js';

/**
 * Runs a body from wherever its log says that it is: runs what is ready, skips what is dead, until
 * there is neither. As long as nothing has to be waited for, it gives its outcome at once.
 *
 * @throws AlasError `stuck` if nodes wait for each other
 */
export function runBody(run: Run, scope: Scope): Maybe<Outcome> {
  const { state } = run;
  const { nodes } = scope.plan;
  const progress = openProgress(scope.plan, (id) => state.nodes.get(nodePath(scope, id)));
  let failure = progress.failed && pastFailure(run, scope);
  let back: Extract<Outcome, { status: 'back' }> | undefined;
  let waiting = false;
  let inFlight = 0;
  let broken: { readonly error: unknown } | undefined;
  let finish: (() => void) | undefined;
  let next = 0;

  const take = (index: number, outcome: Outcome): void => {
    const path = nodePath(scope, nodes[index].node.id);
    if (outcome.status === 'waiting') waiting = true;
    else if (outcome.status === 'failed') {
      failure ??= outcome.failure;
      stopScope(scope, stopFailure('Cancelled', `${outcome.failure.nodeId} failed`));
    } else if (outcome.status === 'back') {
      // Others fail now because they are stopped; that is taken back with this one.
      if (failure === undefined && scope.stopped === undefined) back = outcome;
      failure ??= outcome.failure;
      stopScope(scope, stopFailure('Cancelled', `${outcome.failure.nodeId} failed`));
    } else {
      if (outcome.status === 'done') run.outputs.set(path, outcome.output);
      settle(progress, index, state.nodes.get(path) ?? { status: 'done' });
    }
  };
  const breakOff = (error: unknown): void => {
    broken ??= { error };
    stopScope(scope, stopFailure('Cancelled', 'the run broke off'));
  };
  const follow = async (index: number, outcome: Promise<Outcome>): Promise<void> => {
    inFlight++;
    try {
      take(index, await outcome);
    } catch (error) {
      breakOff(error);
    }
    inFlight--;
    pump();
    if (inFlight === 0) finish?.();
  };
  const start = (index: number): void => {
    const outcome = runNode(run, scope, nodes[index]);
    if (isPromise(outcome)) void follow(index, outcome);
    else take(index, outcome);
  };
  const pump = (): void => {
    try {
      while (scope.stopped === undefined && failure === undefined && broken === undefined) {
        if (progress.dead.length > 0) skip(run, scope, progress);
        else if (next < progress.ready.length) start(progress.ready[next++]);
        else break;
      }
    } catch (error) {
      breakOff(error);
    }
  };
  const conclude = (): Maybe<Outcome> => {
    if (broken !== undefined) throw broken.error;
    if (back !== undefined && run.state.stop === undefined) return goBackTo(run, scope, back);
    if (failure !== undefined) return { status: 'failed', failure };
    if (progress.open === 0) return { status: 'done', output: bodyOutput(run, scope) };
    if (scope.stopped !== undefined) return { status: 'failed', failure: scope.stopped };
    if (waiting) return { status: 'waiting' };
    throw new AlasError('stuck', 'nodes wait for each other; see alas-jssp workflow check');
  };

  pump();
  if (inFlight === 0) return conclude();
  return new Promise<void>((resolve) => {
    finish = resolve;
  }).then(conclude);
}

/** Skips all nodes to which no way leads any more, and what only they lead to. */
function skip(run: Run, scope: Scope, progress: Progress): void {
  const entries = [];
  for (const index of progress.dead) {
    const path = nodePath(scope, scope.plan.nodes[index].node.id);
    entries.push(makeEntry(run, path, 'SkipNode', {}));
    // Goes through those that turn up meanwhile, too.
    settle(progress, index, { status: 'skipped' });
  }
  progress.dead.length = 0;
  append(run, entries);
}

/** The first failure in a body, according to the log. */
function pastFailure({ state }: Run, scope: Scope): Failure | undefined {
  const failed = scope.plan.nodes.flatMap(({ node }) => {
    const known = state.nodes.get(nodePath(scope, node.id));
    if (known?.status !== 'failed' || known.caughtBy !== undefined) return [];
    return known.error === undefined ? [] : [{ status: 'failed', failure: known.error } as const];
  });
  return decisiveFailure(state, failed, () => true);
}

/** Runs a node of any type, and routes its failure to what its policy says. */
function runNode(run: Run, scope: Scope, plan: NodePlan): Maybe<Outcome> {
  const path = nodePath(scope, plan.node.id);
  const known = run.state.nodes.get(path);
  if (known?.failing !== undefined) {
    if (known.key !== undefined) holdKey(run, path, known.key);
    return settled(run, path, fail(run, scope, plan, known.failing));
  }
  const outcome = runKind(run, scope, plan);
  const watched = scope.path === '' && run.plan.readersOf(plan.node.id).length > 0;
  if (!watched && !isPromise(outcome) && outcome.status !== 'failed') return outcome;
  return settled(run, path, routed(run, scope, plan, outcome));
}

function runKind(run: Run, scope: Scope, plan: NodePlan): Maybe<Outcome> {
  switch (plan.node.type) {
    case 'task':
      return runTask(run, scope, plan);
    case 'wait':
      return runWait(run, scope, plan);
    case 'choice':
      return runChoice(run, scope, plan);
    case 'parallel':
      return runParallel(run, scope, plan, runBody);
    case 'map':
      return runMap(run, scope, plan, runBody);
  }
}

async function routed(
  run: Run,
  scope: Scope,
  plan: NodePlan,
  outcome: Maybe<Outcome>,
): Promise<Outcome> {
  const ended = await outcome;
  if (ended.status === 'failed') return fail(run, scope, plan, ended.failure);
  if (ended.status !== 'done' || scope.path !== '') return ended;
  // What an invariant reads was committed just now; nothing catches that it does not hold.
  run.outputs.set(nodePath(scope, plan.node.id), ended.output);
  const failure = await brokenInvariant(run, run.plan.readersOf(plan.node.id));
  return failure === undefined ? ended : { status: 'failed', failure };
}

/** Gives the node's key free when all that it does is done. */
async function settled(run: Run, path: string, outcome: Promise<Outcome>): Promise<Outcome> {
  try {
    return await outcome;
  } finally {
    run.holding.get(path)?.();
  }
}

/**
 * Settles a node that failed. If its failure is caught, the saga that failed (the task itself, the
 * branches or turns that failed, a whole loop of turns that build on each other) is undone first;
 * else it is left to be undone with all the rest.
 */
async function fail(run: Run, scope: Scope, plan: NodePlan, failure: Failure): Promise<Outcome> {
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
  const within = failedSaga(run, scope, plan);
  if (!failing && heldWithin(state, within)) {
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

/** A step without an effect that failed leaves nothing to which its claim could belong. */
function dropClaimOf({ state }: Run, { node, policy }: NodePlan, path: string) {
  const key = state.nodes.get(path)?.key;
  const resource = policy.idempotencyKey?.scope === 'resource';
  if (!resource || key === undefined || node.type !== 'task') return undefined;
  return node.effect === 'none' ? { dropClaims: [key] } : undefined;
}

/** The effects that could not be undone, in a sentence; undefined if there are none. */
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

/** Which effects belong to what failed in a node, by path. */
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

/** Undoes what came after a node of a body, and runs the body on from there. */
async function goBackTo(
  run: Run,
  scope: Scope,
  { to, failure }: Extract<Outcome, { status: 'back' }>,
): Promise<Outcome> {
  const problem = await takeBackAfter(run, scope, to, failure);
  if (problem === undefined) {
    scope.stopped = undefined;
    return runBody(run, scope);
  }
  return { status: 'failed', failure: problem };
}

/**
 * Undoes what a body did after one of its nodes, and takes it back: in the log it then has not begun.
 *
 * @returns why that could not be done: something could not be undone, or is in doubt
 */
export async function takeBackAfter(
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
  for (const { nodeId, status, open } of state.effects.values()) {
    const gone = (status === 'undone' || status === 'absent') && open.length === 0;
    // What it would build on stands, unless all was being undone before.
    const stands = status === 'held' || state.nodes.get(nodeId)?.status !== 'done';
    if (within(nodeId) ? gone : stands) continue;
    const how = within(nodeId) ? 'is not undone for sure' : 'does not stand any more';
    const message = `${nodeId} ${how}, so that ${to} cannot be gone back to`;
    return { ...failure, code: 'CompensationFailed', message };
  }
  const nodes = [...state.nodes.keys()].filter(within);
  const place = nodePath(scope, to);
  write(run, scope.path, 'Return', { to: place, nodes, error: failure, ...(by && { by }) });
  for (const path of nodes) outputs.delete(path);
  return undefined;
}

/** The nodes that build on a node, and those that have not come to an end. */
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
