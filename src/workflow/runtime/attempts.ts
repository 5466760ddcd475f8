import { mayRetry, waitAfter } from './backoff.js';
import { callHandler, commit, misfit } from './call.js';
import { callWithFault } from './call-with-fault.js';
import {
  append,
  giveSlot,
  type Maybe,
  makeEntry,
  type Outcome,
  takeSlot,
  write,
} from './context.js';
import { type Datum, liveDatum } from './datum.js';
import { armDeadline } from './deadlines.js';
import type { EffectKey } from './idempotency.js';
import { judgeOutput, validatorOf } from './judge.js';
import type { Failure } from './payloads.js';
import { type Ended, flush, type Step } from './step.js';
import { pause } from './watch.js';

/** Makes attempts until one succeeds or no other is allowed. */
export async function makeAttempts(
  step: Step,
  effect: EffectKey | undefined,
  first?: Maybe<Ended>,
): Promise<Outcome> {
  const { run, scope, plan, path } = step;
  const { retry, backoff } = plan.policy;
  const known = run.state.nodes.get(path);
  const due = known?.retryAt === undefined ? 0 : known.retryAt - run.clock.now();
  const stopped = scope.stopped ?? (await pause(run.clock, due, scope.stops));
  if (stopped !== undefined) return { status: 'failed', failure: stopped };
  for (let attempt = Math.max(known?.attempt ?? 1, 1); ; attempt++) {
    const begun = first ?? makeAttempt(step, effect, attempt);
    first = undefined;
    const result = await conclude(step, await begun, attempt);
    if (result.status !== 'failed') return result;
    const { failure, again } = result;
    const more = again
      ? attempt < (retry?.maxAttempts ?? 1)
      : mayRetry(retry, failure.code, attempt);
    if (!more || scope.stopped !== undefined) return { status: 'failed', failure };
    const wait = waitAfter(backoff, run.runId, path, attempt);
    write(run, path, 'Retry', { attempt, error: failure, wait });
    const halted = await pause(run.clock, wait * 1000, scope.stops);
    if (halted !== undefined) return { status: 'failed', failure: halted };
  }
}

/** Makes one attempt: in one transaction it is begun and the undoing of its effect registered. */
async function makeAttempt(
  step: Step,
  effect: EffectKey | undefined,
  attempt: number,
): Promise<Ended> {
  const { run, scope } = step;
  await takeSlot(run);
  try {
    if (scope.stopped !== undefined) return { status: 'stopped', failure: scope.stopped };
    begin(step, effect, attempt);
    const fault = run.faults?.find(run.state, step.path, attempt);
    return await (fault === undefined
      ? callHandler(step, attempt)
      : callWithFault(step, attempt, fault));
  } finally {
    giveSlot(run);
  }
}

function begin(step: Step, effect: EffectKey | undefined, attempt: number): void {
  const { run, path, task, plan, name, handler } = step;
  if (effect === undefined) {
    write(run, path, 'StartNode', { attempt });
    return;
  }
  const { key, inputHash } = effect;
  const start = makeEntry(run, path, 'StartNode', {
    attempt,
    handler: name,
    key,
    input: inputHash,
  });
  if (task.effect === 'none' || run.state.effects.has(path)) {
    append(run, [start]);
    return;
  }
  const { compensation } = plan.policy;
  const seconds = compensation?.deadlineSeconds;
  const timed = compensation?.triggers.includes('deadline') && seconds !== undefined;
  append(run, [
    start,
    makeEntry(run, path, 'Register', {
      key,
      effect: task.effect,
      compensator: compensation?.handler ?? null,
      triggers: compensation?.triggers ?? [],
      input: handler.input?.encode(step.input.value()) ?? step.input.json(),
      ...(timed ? { deadline: run.clock.now() + seconds * 1000 } : {}),
    }),
  ]);
  armDeadline(run, path);
}

type Concluded =
  | Exclude<Outcome, { status: 'failed' }>
  /** `again`: a validator asks for another attempt, whatever the policy says of the code. */
  | { readonly status: 'failed'; readonly failure: Failure; readonly again: boolean };

/** Makes an outcome of an answer: judges and commits outputs, tells timeouts. */
async function conclude(step: Step, ended: Ended, attempt: number): Promise<Concluded> {
  const { run, path, plan } = step;
  flush(step);
  if (ended.status !== 'value') {
    const { failure } = ended;
    if (ended.status === 'stopped' && failure.nodeId === path && failure.code === 'Timeout') {
      write(run, path, 'Timeout', { attempt, seconds: plan.policy.timeout?.seconds ?? 0 });
    }
    return { status: 'failed', failure, again: false };
  }
  let output = liveDatum(ended.value, step.handler.output);
  let failure = misfit(step, output);
  const validator = validatorOf(run.registry.validators, step);
  if (failure === undefined && validator !== undefined) {
    // A validator works with JSON.
    const judged = await judgeOutput(step, validator, output, attempt);
    if ('failure' in judged) return { status: 'failed', ...judged };
    if (judged.datum !== output) failure = misfit(step, judged.datum);
    output = judged.datum;
  }
  failure ??= commit(step, output);
  if (failure !== undefined) return { status: 'failed', failure, again: false };
  return { status: 'done', output: run.outputs.get(path) as Datum };
}
