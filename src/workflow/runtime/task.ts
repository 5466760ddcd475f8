import type { TaskNode } from '../ir/workflow.js';
import { createAttempt, type Attempt } from './attempt.js';
import { mayRetry, waitAfter } from './backoff.js';
import {
  append,
  giveSlot,
  isPromise,
  type Maybe,
  makeEntry,
  type Outcome,
  type Run,
  takeSlot,
  write,
} from './context.js';
import { type Datum, liveDatum, loggedDatum } from './datum.js';
import { armDeadline } from './deadlines.js';
import { failureOf, makeFailure } from './failures.js';
import { busyKeys, claimKey, type EffectKey, keyOf } from './idempotency.js';
import type { Fault } from './inject.js';
import { judgeInput, judgeOutput, validatorOf } from './judge.js';
import type { Failure, Late } from './payloads.js';
import type { NodePlan } from './plan.js';
import { inputOf } from './references.js';
import type { Handler } from './registry.js';
import { nodePath, type Scope } from './scope.js';
import { type Ended, flush, type Step } from './step.js';
import { pause, watchAnswer } from './watch.js';

/**
 * Runs a task: waits for its approval, has its input judged, makes attempts until one succeeds or
 * its policy allows no more, and commits the output. What is plain computation takes a short way.
 */
export function runTask(run: Run, scope: Scope, plan: NodePlan): Maybe<Outcome> {
  const task = plan.node as TaskNode;
  const path = nodePath(scope, task.id);
  const name = task.handler ?? task.id;
  const handler = run.registry.handlers[name];
  const input = inputOf(run, scope, plan);
  const step: Step = { run, scope, plan, task, path, name, handler, input, unwritten: [] };
  return isPlain(step) ? runPlain(step) : runWithCare(step);
}

/** Tells whether a task is new and has nothing to it that must be arranged before its handler runs. */
function isPlain(step: Step): boolean {
  const { run, task, plan } = step;
  return (
    task.effect === 'none' &&
    task.approval === undefined &&
    plan.policy.idempotencyKey === undefined &&
    run.faults === undefined &&
    run.slots.free > 0 &&
    validatorOf(run.registry.validators, step) === undefined &&
    validatorOf(run.registry.handOvers, step) === undefined &&
    run.state.nodes.get(step.path) === undefined
  );
}

/** Runs a plain task; if its handler gives its output at once, nothing has to wait for anything. */
function runPlain(step: Step): Maybe<Outcome> {
  const { run, path, handler } = step;
  step.unwritten.push(makeEntry(run, path, 'StartNode', { attempt: 1 }));
  // A pure handler that was killed leaves nothing behind: its start can be told with its end.
  if (handler.kind !== 'pure') flush(step);
  const ended = callHandler(step, 1);
  if (isPromise(ended)) {
    flush(step);
    run.slots.free--;
    return runWithCare(step, releasing(run, ended));
  }
  if (ended.status !== 'value') return runWithCare(step, ended);
  const failure = commit(step, ended.value);
  if (failure !== undefined) return runWithCare(step, { status: 'error', failure });
  return { status: 'done', output: run.outputs.get(path) as Datum };
}

async function releasing(run: Run, ended: Promise<Ended>): Promise<Ended> {
  try {
    return await ended;
  } finally {
    giveSlot(run);
  }
}

/** Runs a task with all that its policy asks for. */
async function runWithCare(step: Step, first?: Maybe<Ended>): Promise<Outcome> {
  const { run, task, plan, path } = step;
  if (first !== undefined) return makeAttempts(step, undefined, first);
  if (task.approval !== undefined && !run.state.approvals.has(task.approval)) {
    const known = run.state.nodes.get(path);
    if (known === undefined) write(run, path, 'AwaitApproval', { name: task.approval });
    return { status: 'waiting' };
  }
  const refused = await deliver(step);
  if (refused !== undefined) return { status: 'failed', failure: refused };
  if (task.effect === 'none' && plan.policy.idempotencyKey === undefined) {
    return makeAttempts(step, undefined);
  }
  return runWithKey(step, keyOf(step));
}

/** Has the input judged before it is delivered. */
async function deliver(step: Step): Promise<Failure | undefined> {
  const { run, path } = step;
  const validator = validatorOf(run.registry.handOvers, step);
  if (validator === undefined) return undefined;
  const judgement = await judgeInput(step, validator, run.state.nodes.get(path)?.attempt ?? 1);
  if ('failure' in judgement) return judgement.failure;
  step.input = judgement.datum;
  return undefined;
}

/** Runs a task under its key: at once, after others with the same key, or not at all. */
async function runWithKey(step: Step, effect: EffectKey): Promise<Outcome> {
  const { run, path, plan } = step;
  const { key } = effect;
  for (;;) {
    const claim = claimKey(step, key);
    if (claim.status === 'pending') {
      await claim.wait;
      continue;
    }
    if (claim.status === 'collision') {
      const message = `its key ${key} stands for the effect of ${claim.with}`;
      const failure = makeFailure('IdempotencyCollision', message, path, plan);
      return { status: 'failed', failure };
    }
    if (claim.status === 'success') {
      const { output, from } = claim;
      run.outputs.set(path, output);
      append(run, [
        makeEntry(run, path, 'StartNode', { attempt: 1 }),
        makeEntry(run, path, 'EndNode', { output: output.json(), cached: from }),
      ]);
      return { status: 'done', output };
    }
    const busy = busyKeys(step);
    const work = makeAttempts(step, effect);
    const settled = work.then(
      () => {},
      () => {},
    );
    busy.set(key, settled);
    try {
      return await work;
    } finally {
      busy.delete(key);
    }
  }
}

/** Makes attempts until one succeeds or no other is allowed. */
async function makeAttempts(
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
  if (effect === undefined) return write(run, path, 'StartNode', { attempt });
  const { key, inputHash } = effect;
  const start = makeEntry(run, path, 'StartNode', { attempt, handler: name, key, input: inputHash });
  if (task.effect === 'none' || run.state.effects.has(path)) return append(run, [start]);
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

/** Calls a handler and waits for it as long as its policy allows. */
function callHandler(step: Step, attempt: number): Maybe<Ended> {
  const { run, scope, plan, path, task, handler } = step;
  const key = () => keyOf(step).key;
  const made = createAttempt(
    { run, path, node: task, key, beforeLog: () => flush(step) },
    attempt,
  );
  try {
    const answer = handler.run(step.input.value(), made.context);
    if (!isPromise(answer)) return { status: 'value', value: answer };
    return watchAnswer(answer, {
      clock: run.clock,
      seconds: plan.policy.timeout?.seconds,
      stops: scope.stops,
      timeout: (seconds) => makeFailure('Timeout', `took longer than ${seconds} s`, path, plan),
      failure: (error) => failureOf(error, path, plan),
      abandon: (failure, settled) => abandon(step, made, failure, settled),
      late: (ended) => noteLate(step, attempt, ended),
    });
  } catch (error) {
    if (run.crash !== undefined) throw error;
    return { status: 'error', failure: failureOf(error, path, plan) };
  }
}

function abandon(step: Step, attempt: Attempt, failure: Failure, settled: Promise<void>): void {
  const { run, path } = step;
  run.late.set(path, settled);
  attempt.abort(failure);
}

/** A handler has answered after nobody waited for it any longer: its effect may be there now. */
function noteLate({ run, path, handler }: Step, attempt: number, ended: Ended): void {
  run.late.delete(path);
  if (run.state.end !== undefined || run.crash !== undefined) return;
  try {
    write(run, path, 'Timeout', { attempt, late: lateAnswer(handler, ended) });
  } catch {
    // The store has failed: the run breaks off with that error.
  }
}

function lateAnswer(handler: Handler, ended: Ended): Late {
  if (ended.status !== 'value') return { error: ended.failure.message };
  const output = liveDatum(ended.value, handler.output).json();
  const externalRef = handler.externalRef?.(ended.value);
  return externalRef === undefined ? { output } : { output, externalRef };
}

/** Does what a fault asks for in place of the handler, or to its answer. */
async function callWithFault(step: Step, attempt: number, fault: Fault): Promise<Ended> {
  const { run, scope, plan, path } = step;
  const { rule } = fault;
  write(run, path, 'Inject', { label: rule.label, kind: rule.kind, attempt });
  switch (rule.kind) {
    case 'failure': {
      const message = `injected by ${rule.label}`;
      return { status: 'error', failure: makeFailure(rule.code, message, path, plan) };
    }
    case 'timeout': {
      const seconds = plan.policy.timeout?.seconds ?? 0;
      const stopped = await pause(run.clock, seconds * 1000, scope.stops);
      const failure = makeFailure('Timeout', `injected by ${rule.label}`, path, plan);
      return { status: 'stopped', failure: stopped ?? failure };
    }
    case 'slow':
      return callSlowly(step, attempt, rule.seconds);
    case 'crash': {
      if (rule.when === 'after') await callHandler(step, attempt);
      run.crash = { error: fault.crash() };
      throw run.crash.error;
    }
    default: {
      const ended = await callHandler(step, attempt);
      if (ended.status !== 'value') return ended;
      const spoilt = fault.spoil(liveDatum(ended.value, step.handler.output).json(), run.registry);
      return { status: 'value', value: loggedDatum(spoilt, step.handler.output).value() };
    }
  }
}

/** Answers late: within the time that the task has, or not. */
async function callSlowly(step: Step, attempt: number, seconds: number): Promise<Ended> {
  const { run, scope, plan, path } = step;
  const limit = plan.policy.timeout?.seconds ?? Number.POSITIVE_INFINITY;
  const stopped = await pause(run.clock, Math.min(seconds, limit) * 1000, scope.stops);
  if (stopped !== undefined) return { status: 'stopped', failure: stopped };
  if (seconds < limit) return callHandler(step, attempt);
  const failure = makeFailure('Timeout', `took longer than ${limit} s`, path, plan);
  return { status: 'stopped', failure };
}

type Concluded = Outcome | { status: 'failed'; failure: Failure; again: boolean };

/** Makes an outcome of an answer: judges and commits outputs, tells timeouts. */
async function conclude(
  step: Step,
  ended: Ended,
  attempt: number,
): Promise<Exclude<Concluded, { status: 'failed' }> | Extract<Concluded, { again: boolean }>> {
  const { run, path, plan } = step;
  flush(step);
  if (ended.status !== 'value') {
    const { failure } = ended;
    if (ended.status === 'stopped' && failure.nodeId === path && failure.code === 'Timeout') {
      write(run, path, 'Timeout', { attempt, seconds: plan.policy.timeout?.seconds ?? 0 });
    }
    return { status: 'failed', failure, again: false };
  }
  let { value } = ended;
  const validator = validatorOf(run.registry.validators, step);
  if (validator !== undefined) {
    const judged = await judgeOutput(
      step,
      validator,
      liveDatum(value, step.handler.output),
      attempt,
    );
    if ('failure' in judged) return { status: 'failed', ...judged };
    value = judged.datum.value();
  }
  const failure = commit(step, value);
  if (failure !== undefined) return { status: 'failed', failure, again: false };
  return { status: 'done', output: run.outputs.get(path) as Datum };
}

/** Writes the output, and with it all that was put off; what JSON cannot hold is a failure. */
function commit(step: Step, value: unknown): Failure | undefined {
  const { run, path, plan, handler, unwritten } = step;
  try {
    const datum = liveDatum(value, handler.output);
    const output = datum.json();
    const externalRef = handler.externalRef?.(value);
    const payload = externalRef === undefined ? { output } : { output, externalRef };
    const end = makeEntry(run, path, 'EndNode', payload);
    append(run, unwritten.length === 0 ? [end] : [...unwritten, end]);
    step.unwritten = [];
    run.outputs.set(path, datum);
    return undefined;
  } catch (error) {
    if (run.crash !== undefined) throw error;
    return failureOf(error, path, plan);
  }
}
