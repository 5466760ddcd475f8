import { AlasError } from '@alas-jssp/core/errors';
import { brokenInvariant } from './checks.js';
import { checkDeadlines } from './effects.js';
import type { Failure } from './entries.js';
import { fail, revertAfter } from './failure.js';
import { isPromise, type Maybe } from './host.js';
import { holdKey } from './keys.js';
import { runMap } from './loops.js';
import { runChoice, runWait } from './nodes.js';
import type { NodePlan } from './plan.js';
import { stopFailure } from './policies.js';
import { bodyOutput } from './references.js';
import {
  append,
  makeEntry,
  nodePath,
  type Outcome,
  type Run,
  type Scope,
  stopScope,
} from './run.js';
import { openProgress, type Progress, settle } from './schedule.js';
import { runTask } from './step.js';
import { decisiveFailure, runParallel } from './together.js';

/**
 * Runs a body from its logged state: runs ready nodes and skips dead ones, until there is neither.
 * If it waits for nothing, it returns its outcome synchronously.
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
      // The other nodes fail now because they are stopped; they are reverted with this one.
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
    stopScope(scope, stopFailure('Cancelled', 'the run was interrupted'));
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
        checkDeadlines(run);
        if (scope.stopped !== undefined) break;
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

/** Skips all nodes that can no longer be reached, and the nodes reachable only through them. */
function skip(run: Run, scope: Scope, progress: Progress): void {
  const entries = [];
  for (const index of progress.dead) {
    const path = nodePath(scope, scope.plan.nodes[index].node.id);
    entries.push(makeEntry(run, path, 'SkipNode', {}));
    // The loop also visits nodes that are added meanwhile.
    settle(progress, index, { status: 'skipped' });
  }
  progress.dead.length = 0;
  append(run, entries);
}

/** The first failure in a body, by the log. */
function pastFailure({ state }: Run, scope: Scope): Failure | undefined {
  const failed = scope.plan.nodes.flatMap(({ node }) => {
    const known = state.nodes.get(nodePath(scope, node.id));
    if (known?.status !== 'failed' || known.caughtBy !== undefined) return [];
    return known.error === undefined ? [] : [{ status: 'failed', failure: known.error } as const];
  });
  return decisiveFailure(state, failed, () => true);
}

/** Runs a node of any type, and routes its failure by its policy. */
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
  // An invariant may read the value that was committed just now; nothing catches its violation.
  run.outputs.set(nodePath(scope, plan.node.id), ended.output);
  const failure = await brokenInvariant(run, run.plan.readersOf(plan.node.id));
  return failure === undefined ? ended : { status: 'failed', failure };
}

/** Releases the node's key when all its work is done. */
async function settled(run: Run, path: string, outcome: Promise<Outcome>): Promise<Outcome> {
  try {
    return await outcome;
  } finally {
    run.holding.get(path)?.();
  }
}

/** Undoes the effects after a node of a body, and continues the body from there. */
async function goBackTo(
  run: Run,
  scope: Scope,
  { to, failure }: Extract<Outcome, { status: 'back' }>,
): Promise<Outcome> {
  const problem = await revertAfter(run, scope, to, failure);
  if (problem === undefined) {
    scope.stopped = undefined;
    return runBody(run, scope);
  }
  return { status: 'failed', failure: problem };
}
