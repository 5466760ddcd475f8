import { AlasError } from '@alas-jssp/core/errors';
import type { Compensation, TaskNode } from '../ir/workflow.js';
import { logOwn } from './checks.js';
import type { Failure, TriggerKind } from './entries.js';
import { type NodePlan, nodeAt } from './plan.js';
import {
  DEFAULT_SECONDS,
  deadlineFailure,
  failureOf,
  mayRetry,
  stopFailure,
  waitAfter,
} from './policies.js';
import { type Ended, type Run, stopScope, write } from './run.js';
import { effectsToUndo, failedEffects, isBlocked, isGivenUp, type Within } from './saga.js';
import { type Effect, firstDeadline, isInDoubt } from './state.js';
import { pause, watch } from './waiting.js';

/** Effects that are undone before other work gets a turn. */
const TURN = 100;

/**
 * Undoes effects one after the other, the latest first, until none is left that can be undone. Runs
 * outside of every scope: a cancelled run finishes it too.
 */
export async function undo(
  run: Run,
  kind: TriggerKind,
  failure: Failure,
  within: Within,
): Promise<void> {
  const { state, host } = run;
  for (let count = 0; ; ) {
    const effects = effectsToUndo(run, kind, failure, within);
    const failed = failedEffects(state);
    let progress = false;
    for (const effect of effects) {
      if (!isHeld(effect) || isBlocked(run, effect, failed)) continue;
      await awaitAnswers(run, [effect]);
      // Meanwhile another step may have received its output.
      while (isHeld(effect) && isGivenUp(run, effect, within)) await undoOnce(run, effect, within);
      if ((effect.status as Effect['status']) === 'failed') failed.push(effect);
      progress = true;
      if (++count % TURN === 0) await new Promise<void>((resolve) => host.at(host.now(), resolve));
    }
    // A person may have stated that an effect, which could not be undone, does not exist.
    const isFreed = failed.some(({ status }) => status !== 'failed');
    // Meanwhile late answers may have confirmed other effects.
    if (!progress && !isFreed) return;
  }
}

function isHeld({ status }: Effect): boolean {
  return status === 'held' || status === 'undoing';
}

/**
 * Waits for overdue answers of attempts at effects, each as long as its policy allows since it
 * became overdue.
 *
 * @returns whether an answer arrived
 */
async function awaitAnswers(run: Run, effects: readonly Effect[]): Promise<boolean> {
  let heard = false;
  for (const effect of effects) {
    const { open, overdueSince } = effect;
    if (open.length === 0 || overdueSince === undefined) continue;
    const { policy } = planOf(run, effect);
    const seconds = policy.lateAnswer?.seconds ?? DEFAULT_SECONDS.lateAnswer;
    const before = open.length;
    await pause(run, overdueSince + seconds * 1000, undefined, () => effect.open.length === 0);
    if (run.broken !== undefined) throw run.broken.error;
    if (effect.open.length < before) heard = true;
  }
  return heard;
}

/**
 * Undoes effects, and those that overdue answers then confirm; effects without an answer stay in
 * doubt.
 */
export async function undoAll(
  run: Run,
  kind: TriggerKind,
  failure: Failure,
  within: Within,
): Promise<void> {
  do await undo(run, kind, failure, within);
  while (await awaitAnswers(run, [...run.state.effects.values()].filter(isInDoubt)));
}

/**
 * Calls the compensator of an effect once; if it fails and may be called again, the effect stays
 * held.
 */
async function undoOnce(run: Run, effect: Effect, within: Within): Promise<void> {
  const { nodeId, key, externalRef, compensator, status } = effect;
  const { policy } = planOf(run, effect);
  const { compensation } = policy;
  const attempt = Math.max(1, effect.compensations + (status === 'undoing' ? 0 : 1));
  const isSecond = status === 'undoing' || (effect.lateSuccess && !effect.confirmed);
  if (isSecond && compensation?.safeReinvoke !== true) {
    const error = 'it was called before, and must not be called again';
    return write(run, nodeId, 'CompensateFail', { attempt, code: 'NotReinvocable', error });
  }
  await pause(run, effect.compensateAt ?? 0, undefined);
  if (!isGivenUp(run, effect, within)) return;
  const isShared = policy.idempotencyKey?.scope === 'resource';
  const [user] = (isShared && run.host.usersOf?.(key, nodeId)) || [];
  if (user !== undefined) {
    const error = `${user} of another run has it, too: undo that first`;
    return write(run, nodeId, 'CompensateFail', { attempt, code: 'InUse', error });
  }
  const called = { attempt, compensator: compensator ?? '', key };
  const payload = externalRef === undefined ? called : { ...called, externalRef };
  // From here on no other run receives its output.
  const own = isShared ? run.state.keys.get(key) : undefined;
  const claim = own && { key, nodeId, handler: own.handler, inputHash: own.input };
  write(run, nodeId, 'Compensate', payload, claim && { claim });
  const ended = await callCompensator(run, effect, compensation, attempt);
  if (ended.status === 'value') {
    const result = ended.value.value() as { remaining?: string } | null | undefined;
    // While an attempt may still be answered, no other step may use its key.
    const isFree = isShared && effect.open.length === 0;
    const dropClaims = isFree ? { dropClaims: [key] } : {};
    const { remaining: left } = (result ?? {}) as { remaining?: unknown };
    const remaining = left === undefined || left === null ? undefined : String(left);
    return write(
      run,
      nodeId,
      'Compensated',
      remaining === undefined ? {} : { remaining },
      dropClaims,
    );
  }
  const isLost = ended.status === 'lost';
  const { code, message: error } = isLost
    ? stopFailure('Interrupted', 'the process that undid it has ended without an answer')
    : ended.status === 'stopped'
      ? ended.failure
      : failureOf(ended.error, nodeId, planOf(run, effect));
  const again = isLost || mayRetry(compensation?.retry, code, attempt);
  const more = compensation?.safeReinvoke && again;
  const wait = waitAfter(
    run.host.digest,
    isLost ? undefined : compensation?.backoff,
    run.state.runId,
    `${nodeId}|undo`,
    attempt,
  );
  write(run, nodeId, 'CompensateFail', { attempt, code, error, ...(more ? { wait } : {}) });
}

async function callCompensator(
  run: Run,
  effect: Effect,
  compensation: Compensation | undefined,
  attempt: number,
): Promise<Ended> {
  const { host, inputs, outputs, state } = run;
  const { nodeId: path, key, externalRef, compensator } = effect;
  const task = planOf(run, effect).node as TaskNode;
  const isDone = state.nodes.get(path)?.status === 'done';
  const known = isDone ? outputs.get(path) : undefined;
  const logged = effect.output === null ? undefined : host.decode(task, 'output', effect.output);
  const calling = host.call({
    kind: 'compensator',
    name: compensator ?? '',
    task,
    path,
    attempt,
    key,
    externalRef,
    seed: state.seed,
    input: inputs.get(path) ?? host.decode(task, 'input', effect.input),
    output: known ?? logged,
    log: (...entry) => logOwn(run, task, path, entry),
  });
  return watch(run, calling, {
    seconds: compensation?.timeout?.seconds ?? DEFAULT_SECONDS.compensation,
    stops: new Set(),
    timeout: (seconds) => {
      const message = `${task.handler ?? task.id}: its undo took longer than ${seconds} s`;
      return stopFailure('Timeout', message, path);
    },
  });
}

function planOf({ plan }: Run, { nodeId }: Effect): NodePlan {
  const node = nodeAt(plan, nodeId);
  if (node === undefined) {
    throw new AlasError(
      'damaged_log',
      `the log names the node ${nodeId}, which its workflow does not have`,
      nodeId,
    );
  }
  return node;
}

/**
 * Watches the deadline of an effect: when it passes while the effect is held, the run is undone.
 */
export function armDeadline(run: Run, path: string): void {
  const { host, state, deadlines } = run;
  const deadline = state.effects.get(path)?.deadline;
  if (deadline === undefined) return;
  run.nextDeadline = Math.min(run.nextDeadline, deadline);
  deadlines.push(host.at(deadline, () => checkDeadlines(run)));
}

/**
 * Stops the run if the deadline of a held effect has passed. A timer may fire late, in a process
 * that was paused or that resumes a run: so this is checked before a step begins, too.
 */
export function checkDeadlines(run: Run): void {
  const { host, state } = run;
  if (run.nextDeadline === Number.POSITIVE_INFINITY || run.nextDeadline > host.now()) return;
  if (run.over || run.broken !== undefined || state.stop !== undefined) return;
  if (state.end !== undefined) return;
  const first = firstDeadline(state.effects.values());
  run.nextDeadline = first?.deadline ?? Number.POSITIVE_INFINITY;
  if (first === undefined || first.deadline > host.now()) return;
  const error = deadlineFailure(first.nodeId);
  try {
    write(run, first.nodeId, 'Trigger', { kind: 'deadline', error });
  } catch {
    // This error interrupts the run.
  }
  stopScope(run.root, error);
}
