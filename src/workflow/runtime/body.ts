import { AlasError } from '../../core/errors.js';
import { append, isPromise, type Maybe, makeEntry, type Outcome, type Run } from './context.js';
import { stopFailure } from './failures.js';
import { runNode } from './node.js';
import type { Failure } from './payloads.js';
import { bodyOutput } from './references.js';
import { openProgress, type Progress, settle } from './schedule.js';
import { nodePath, type Scope, stopScope } from './scope.js';
import { decisiveFailure } from './together.js';

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
    const outcome = runNode(run, scope, nodes[index], runBody);
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
  const conclude = (): Outcome => {
    if (broken !== undefined) throw broken.error;
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
