import type { Compensation, TaskNode } from '../ir/workflow.js';
import { createAttempt } from './attempt.js';
import { mayRetry, waitAfter } from './backoff.js';
import { isPromise, type Run, write } from './context.js';
import { loggedDatum } from './datum.js';
import { failureOf, stopFailure } from './failures.js';
import { awaitLate } from './late.js';
import type { Failure, TriggerKind } from './payloads.js';
import type { NodePlan } from './plan.js';
import { nextToUndo, nodeAt, type Within } from './saga.js';
import type { Effect } from './state.js';
import type { Ended } from './step.js';
import { pause, watchAnswer } from './watch.js';

/**
 * Undoes effects, one after the other, until none is left that can be undone. Runs outside of every
 * scope: a run that was cancelled finishes it all the same.
 */
export async function undo(
  run: Run,
  kind: TriggerKind,
  failure: Failure,
  within: Within,
): Promise<void> {
  for (;;) {
    const effect = nextToUndo(run, kind, failure, within);
    if (effect === undefined) return;
    await awaitLate(run, (path) => path === effect.nodeId);
    await undoOnce(run, effect);
  }
}

/** Calls the compensator of an effect once; if it fails and may be called again, it stays held. */
async function undoOnce(run: Run, effect: Effect): Promise<void> {
  const { nodeId, key, externalRef, compensator, status } = effect;
  const { plan, compensation } = registrationOf(run, effect);
  const attempt = Math.max(1, effect.compensations + (status === 'undoing' ? 0 : 1));
  if (status === 'undoing' && compensation?.safeReinvoke !== true) {
    const error = 'it was called before the run broke off, and must not be called again';
    return write(run, nodeId, 'CompensateFail', { attempt, code: 'NotReinvocable', error });
  }
  await pause(run.clock, (effect.compensateAt ?? 0) - run.clock.now(), new Set());
  const called = { attempt, compensator: compensator ?? '', key };
  write(run, nodeId, 'Compensate', externalRef === undefined ? called : { ...called, externalRef });
  const ended = await callCompensator(run, plan, effect, compensation, attempt);
  if (ended.status === 'value') {
    const remaining = (ended.value as { remaining?: string } | undefined)?.remaining;
    return write(run, nodeId, 'Compensated', remaining === undefined ? {} : { remaining });
  }
  const { code, message: error } = ended.failure;
  const more = compensation?.safeReinvoke && mayRetry(compensation.retry, code, attempt);
  const wait = waitAfter(compensation?.backoff, run.runId, `${nodeId}|undo`, attempt);
  write(run, nodeId, 'CompensateFail', { attempt, code, error, ...(more ? { wait } : {}) });
}

function registrationOf(
  { plan }: Run,
  { nodeId }: Effect,
): { plan: NodePlan; compensation: Compensation | undefined } {
  const node = nodeAt(plan, nodeId);
  if (node === undefined) throw new Error(`the workflow has no node ${nodeId}`);
  return { plan: node, compensation: node.policy.compensation };
}

async function callCompensator(
  run: Run,
  plan: NodePlan,
  effect: Effect,
  compensation: Compensation | undefined,
  number: number,
): Promise<Ended> {
  const { nodeId: path, key, externalRef } = effect;
  const attempt = createAttempt({ run, path, node: plan.node, key: () => key }, number);
  const failure = (error: unknown) => failureOf(error, path, plan);
  try {
    const compensator = run.registry.compensators?.[effect.compensator ?? ''];
    if (compensator === undefined) throw new Error(`there is no compensator ${effect.compensator}`);
    const { name, handler } = handlerOf(run, plan.node as TaskNode);
    const input = loggedDatum(effect.input, handler?.input).value();
    const output =
      effect.output === null ? null : loggedDatum(effect.output, handler?.output).value();
    const answer = compensator.run(
      { idempotencyKey: key, input, output, externalRef },
      attempt.context,
    );
    if (!isPromise(answer)) return { status: 'value', value: answer };
    return await watchAnswer(answer, {
      clock: run.clock,
      seconds: compensation?.timeout?.seconds,
      stops: new Set(),
      timeout: (seconds) => stopFailure('Timeout', `${name} undone took longer than ${seconds} s`),
      failure,
      abandon: (reason) => attempt.abort(reason),
      late: () => {},
    });
  } catch (error) {
    if (run.crash !== undefined) throw error;
    return { status: 'error', failure: failure(error) };
  }
}

function handlerOf({ registry }: Run, { handler, id }: TaskNode) {
  const name = handler ?? id;
  return { name, handler: registry.handlers[name] };
}
