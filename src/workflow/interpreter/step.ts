import type { TaskNode } from '../ir/workflow.js';
import type { Json, NewEntry } from '../log/entry.js';
import type { Datum } from './datum.js';
import { armDeadline } from './effects.js';
import type { Failure, Payloads } from './entries.js';
import { callWithFault } from './faults.js';
import { type Answer, isPromise, type Maybe } from './host.js';
import { type EffectKey, isResource, keyOf, requestKey } from './keys.js';
import type { NodePlan } from './plan.js';
import { codeOf, failureOf, makeFailure, mayRetry, waitAfter } from './policies.js';
import { inputOf } from './references.js';
import {
  append,
  type Ended,
  makeEntry,
  nodePath,
  type Outcome,
  type Run,
  type Scope,
  type Step,
  write,
} from './run.js';
import { judgeInput, judgeOutput, logOwn, schemaFailure } from './verdicts.js';
import { awaitMessage, giveSlot, pause, takeSlot, watch } from './waiting.js';

/**
 * Runs a task: waits for its approval, has its input judged, makes attempts until one succeeds or
 * its policy allows no more, and commits the output. Plain computation takes a short way, which
 * gives its output at once if its handler does.
 */
export function runTask(run: Run, scope: Scope, plan: NodePlan): Maybe<Outcome> {
  const task = plan.node as TaskNode;
  const path = nodePath(scope, task.id);
  const name = task.handler ?? task.id;
  const facts = run.host.handlerOf(task);
  const input = inputOf(run, scope, plan);
  const step: Step = { run, scope, plan, task, path, name, facts, input, unwritten: [] };
  if (!isPlain(step)) return runWithCare(step);
  const refused = schemaFailure(run, plan, path, 'input', input);
  return refused === undefined ? runPlain(step) : { status: 'failed', failure: refused };
}

/** Whether a task is new and has nothing to it that must be arranged before its handler runs. */
function isPlain({ run, task, plan, path, facts }: Step): boolean {
  return (
    task.effect === 'none' &&
    task.approval === undefined &&
    plan.policy.idempotencyKey === undefined &&
    run.faults === undefined &&
    run.slots.free > 0 &&
    !facts.outputValidator &&
    !facts.inputValidator &&
    run.state.nodes.get(path) === undefined
  );
}

function runPlain(step: Step): Maybe<Outcome> {
  const { run, path, facts } = step;
  step.unwritten.push(makeEntry(run, path, 'StartNode', { attempt: 1 }));
  // A pure handler that was killed leaves nothing behind: its start can be told with its end.
  if (!facts.pure) flush(step);
  const ended = callHandler(step, 1);
  if (isPromise(ended)) {
    flush(step);
    run.slots.free--;
    return makeAttempts(step, undefined, releasing(run, ended));
  }
  if (ended.status !== 'value') return makeAttempts(step, undefined, ended);
  const failure = outputFailure(step, ended.value) ?? commit(step, ended.value, ended);
  if (failure !== undefined) return concludeFailure(step, undefined, failure, 1, false);
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
async function runWithCare(step: Step): Promise<Outcome> {
  const { run, task, plan, path } = step;
  const approval = await awaitApproval(step);
  if (approval !== undefined) return approval;
  const refused = await deliver(step);
  if (refused !== undefined) return { status: 'failed', failure: refused };
  if (task.effect === 'none' && plan.policy.idempotencyKey === undefined) {
    return makeAttempts(step, undefined);
  }
  const effect = keyOf(step);
  for (;;) {
    const grant = await requestKey(step, effect);
    if (grant.status === 'refused') return { status: 'failed', failure: grant.failure };
    if (grant.status === 'there') return commitOther(step, grant.output, grant.from);
    try {
      return await makeAttempts(step, effect);
    } catch (error) {
      // Another run was faster: nothing has begun here.
      if (codeOf(error) !== 'claimed') throw error;
      run.holding.get(path)?.();
    }
  }
}

/** Waits for the approval of a task; gives an outcome if it does not come. */
async function awaitApproval({ run, scope, task, plan, path }: Step): Promise<Outcome | undefined> {
  const { state, host } = run;
  const { approval } = task;
  const find = () => {
    if (approval === undefined || state.approvals.has(approval)) return { denied: undefined };
    const denied = state.denials.get(approval);
    return denied && { denied };
  };
  let found = find();
  if (found === undefined) {
    const known = state.nodes.get(path);
    const limit = plan.policy.wait?.seconds;
    const until = known?.waitUntil ?? (limit === undefined ? undefined : host.now() + limit * 1000);
    const name = approval as string;
    if (known === undefined) write(run, path, 'AwaitApproval', { name, until });
    const arrival = await awaitMessage(run, scope, find, until);
    if (arrival.status === 'left') return { status: 'waiting' };
    if (arrival.status === 'stopped') return { status: 'failed', failure: arrival.failure };
    if (arrival.status === 'late') {
      const failure = makeFailure('WaitTimeout', `${name} was not approved in time`, path, plan);
      return { status: 'failed', failure };
    }
    found = arrival.value;
  }
  if (found.denied === undefined) return undefined;
  const { by, reason } = found.denied;
  const failure = makeFailure('Denied', `${by} denied ${approval}: ${reason}`, path, plan);
  return { status: 'failed', failure };
}

/** Has the input judged before it is delivered, and goes on with what a validator makes of it. */
async function deliver(step: Step): Promise<Failure | undefined> {
  const { run, plan, path, facts } = step;
  const checkInput = () => schemaFailure(run, plan, path, 'input', step.input);
  let failure = checkInput();
  if (failure === undefined && facts.inputValidator) {
    const judged = await judgeInput(step, run.state.nodes.get(path)?.attempt ?? 1);
    if ('failure' in judged) failure = judged.failure;
    else if (judged.datum !== step.input) {
      step.input = judged.datum;
      failure = checkInput();
    }
  }
  // A run that broke off within the step may have left its effect.
  return failure && run.state.effects.has(path) ? { ...failure, unanswered: true } : failure;
}

/** Commits the output of another step, or another run, with the same key. */
function commitOther(step: Step, output: Datum, from: string): Outcome {
  const { run, plan, path } = step;
  const failure = schemaFailure(run, plan, path, 'output', output);
  if (failure !== undefined) return { status: 'failed', failure };
  run.outputs.set(path, output);
  append(run, [
    makeEntry(run, path, 'StartNode', { attempt: 1 }),
    makeEntry(run, path, 'EndNode', { output: output.json(), cached: from }),
  ]);
  return { status: 'done', output };
}

/** Makes attempts until one succeeds or no other is allowed. */
async function makeAttempts(
  step: Step,
  effect: EffectKey | undefined,
  first?: Maybe<Ended>,
): Promise<Outcome> {
  const { run, scope, plan, path } = step;
  if (first !== undefined) return conclude(step, effect, await first, 1);
  const known = run.state.nodes.get(path);
  const stopped = scope.stopped ?? (await pause(run, known?.retryAt ?? 0, scope.stops));
  if (stopped !== undefined) return { status: 'failed', failure: stopped };
  const attempt = Math.max(known?.attempt ?? 1, 1);
  // Of a step with an effect it counts, whether it broke off before or after that.
  const broken = run.state.effects.has(path) && known?.begun === attempt;
  if (!broken) return makeAttempt(step, effect, attempt);
  const answered = lateAnswer(step);
  if (answered !== undefined) return conclude(step, effect, answered, attempt);
  if (mayRepeat(step, attempt)) return makeAttempt(step, effect, attempt + 1);
  const message = `attempt ${attempt} broke off with its process, and it is not to be repeated`;
  const failure = makeFailure('Interrupted', message, path, plan);
  return { status: 'failed', failure: { ...failure, unanswered: true } };
}

/** The answer of the attempt that broke off, if it reached the log all the same. */
function lateAnswer({ run, task, path }: Step): Ended | undefined {
  const effect = run.state.effects.get(path);
  if (effect?.confirmed !== true || effect.open.length > 0) return undefined;
  const { externalRef } = effect;
  const value = run.host.decode(task, 'output', effect.output);
  return { status: 'value', value, externalRef: () => externalRef };
}

/**
 * Whether an attempt that broke off with its process may be followed by another. What can be undone
 * is repeated under its key, as often as its policy allows; what cannot, only if the policy says so
 * of the code `Interrupted`.
 */
function mayRepeat({ task, plan }: Step, attempt: number): boolean {
  const { retry } = plan.policy;
  if (task.effect === 'irreversible') return mayRetry(retry, 'Interrupted', attempt);
  return attempt < (retry?.maxAttempts ?? Number.POSITIVE_INFINITY);
}

/** Makes one attempt: in one transaction it is begun and the undoing of its effect registered. */
async function makeAttempt(
  step: Step,
  effect: EffectKey | undefined,
  attempt: number,
): Promise<Outcome> {
  const { run, scope, path } = step;
  await takeSlot(run);
  let ended: Ended;
  try {
    if (scope.stopped !== undefined) return { status: 'failed', failure: scope.stopped };
    begin(step, effect, attempt);
    const fault = run.faults?.find(run.state, path, attempt);
    const call = () => callHandler(step, attempt);
    ended = await (fault === undefined ? call() : callWithFault(step, attempt, fault, call));
  } finally {
    giveSlot(run);
  }
  return conclude(step, effect, ended, attempt);
}

function begin(step: Step, effect: EffectKey | undefined, attempt: number): void {
  const { run, path, task, name } = step;
  if (effect === undefined) {
    write(run, path, 'StartNode', { attempt });
    return;
  }
  const { key, inputHash } = effect;
  const details = { attempt, handler: name, key, input: inputHash };
  const entries = [makeEntry(run, path, 'StartNode', details)];
  const claim = isResource(step) ? { key, nodeId: path, handler: name, inputHash } : undefined;
  const registered = task.effect === 'none' || run.state.effects.has(path);
  if (task.effect !== 'none' && !registered) entries.push(registration(step, task.effect, key));
  append(run, entries, claim && { claim });
  if (task.effect === 'none') return;
  run.inputs.set(path, step.input);
  if (!registered) armDeadline(run, path);
}

function registration(
  { run, path, task, plan, input }: Step,
  effect: Payloads['Register']['effect'],
  key: string,
): NewEntry {
  const { compensation } = plan.policy;
  const seconds = compensation?.deadlineSeconds;
  const timed = compensation?.triggers.includes('deadline') && seconds !== undefined;
  return makeEntry(run, path, 'Register', {
    key,
    effect,
    compensator: compensation?.handler ?? null,
    triggers: compensation?.triggers ?? [],
    input: run.host.encodeInput(task, input),
    ...(timed ? { deadline: run.host.now() + seconds * 1000 } : {}),
  });
}

/** Calls the handler and waits for it as long as its policy allows. */
function callHandler(step: Step, attempt: number): Maybe<Ended> {
  const { run, scope, plan, path, task, input } = step;
  const { seed, nodes } = run.state;
  const calling = run.host.call({
    kind: 'handler',
    ...{ task, path, attempt, input, seed },
    feedback: nodes.get(path)?.feedback ?? [],
    key: () => keyOf(step).key,
    log: (...entry) => logOwn(run, task, path, entry, () => flush(step)),
  });
  return watch(run, calling, {
    seconds: plan.policy.timeout?.seconds,
    stops: scope.stops,
    timeout: (seconds) => makeFailure('Timeout', `took longer than ${seconds} s`, path, plan),
    late: (answer) => noteLate(step, attempt, answer),
  });
}

/**
 * Tells of the answer of a handler for whom nobody waited any longer: its effect may be there now.
 * If somebody else has the run, or nobody, it is sent to the run.
 */
function noteLate({ run, task, path }: Step, attempt: number, answer: Answer): void {
  if (task.effect === 'none') return;
  const payload = answerPayload(attempt, answer);
  if (run.over || run.broken !== undefined) {
    run.host.post('answer', { nodeId: path, ...payload } as Json);
    return;
  }
  try {
    write(run, path, 'Answer', payload);
  } catch {
    // The run breaks off with that error.
    run.host.post('answer', { nodeId: path, ...payload } as Json);
  }
  for (const listen of [...run.listeners]) listen();
}

function answerPayload(attempt: number, answer: Answer): Payloads['Answer'] {
  if (answer.status === 'error') return { attempt, failed: codeOf(answer.error) };
  try {
    const output = answer.value.json();
    const externalRef = answer.externalRef?.();
    return externalRef === undefined ? { attempt, output } : { attempt, output, externalRef };
  } catch {
    // It is no output, but the handler has come to its end.
    return { attempt, output: null };
  }
}

/** Makes an outcome of an answer: judges and commits outputs, tells timeouts, tries again. */
async function conclude(
  step: Step,
  effect: EffectKey | undefined,
  ended: Ended,
  attempt: number,
): Promise<Outcome> {
  const { run, path, plan, facts, task } = step;
  try {
    flush(step);
    if (ended.status === 'error') {
      return concludeFailure(step, effect, thrownFailure(step, ended.error), attempt, false);
    }
    if (ended.status === 'stopped') {
      const { failure } = ended;
      if (failure.nodeId === path && failure.code === 'Timeout') {
        write(run, path, 'Timeout', { attempt, seconds: plan.policy.timeout?.seconds ?? 0 });
      }
      return concludeFailure(step, effect, failure, attempt, false);
    }
    let output = ended.value;
    let failure = outputFailure(step, output);
    if (failure === undefined && facts.outputValidator) {
      const judged = await judgeOutput(step, output, attempt);
      if ('failure' in judged) {
        return concludeFailure(step, effect, judged.failure, attempt, judged.again);
      }
      if (judged.datum !== output) failure = outputFailure(step, judged.datum);
      output = judged.datum;
    }
    failure ??= commit(step, output, ended);
    if (failure !== undefined) return concludeFailure(step, effect, failure, attempt, false);
    return { status: 'done', output: run.outputs.get(path) as Datum };
  } catch (error) {
    // The run broke off, perhaps because it has a new owner: that one must hear of the answer.
    if (run.broken !== undefined && ended.status !== 'stopped' && task.effect !== 'none') {
      const payload = answerPayload(attempt, ended);
      run.host.post('answer', { nodeId: path, ...payload } as Json);
    }
    throw error;
  }
}

/** The failure of a handler; one whose entry was refused may have had its effect before. */
function thrownFailure({ path, plan }: Step, error: unknown): Failure {
  const failure = failureOf(error, path, plan);
  return failure.code === 'BadLogEntry' ? { ...failure, acted: true } : failure;
}

/** Tries again after a failure if the policy allows it, or a validator asks for it. */
async function concludeFailure(
  step: Step,
  effect: EffectKey | undefined,
  failure: Failure,
  attempt: number,
  again: boolean,
): Promise<Outcome> {
  const { run, scope, path, plan } = step;
  const { retry, backoff } = plan.policy;
  flush(step);
  const most = retry?.maxAttempts ?? 1;
  const more = again ? attempt < most : mayRetry(retry, failure.code, attempt);
  if (!more || scope.stopped !== undefined) return { status: 'failed', failure };
  const wait = waitAfter(run.host.digest, backoff, run.state.runId, path, attempt);
  write(run, path, 'Retry', { attempt, error: failure, wait });
  const stopped = await pause(run, run.host.now() + wait * 1000, scope.stops);
  if (stopped !== undefined) return { status: 'failed', failure: stopped };
  return makeAttempt(step, effect, attempt + 1);
}

/** Why an output cannot be committed: it has no form in JSON or violates its schema. */
function outputFailure(step: Step, output: Datum): Failure | undefined {
  const { run, path, plan } = step;
  try {
    output.json();
  } catch (error) {
    return { ...failureOf(error, path, plan), acted: true };
  }
  const failure = schemaFailure(run, plan, path, 'output', output, () => flush(step));
  return failure && { ...failure, acted: true };
}

/** Writes the output, and with it all that was put off; what JSON cannot hold is a failure. */
function commit(
  step: Step,
  datum: Datum,
  { externalRef }: Pick<Extract<Answer, { status: 'value' }>, 'externalRef'>,
): Failure | undefined {
  const { run, path, plan, unwritten } = step;
  try {
    const output = datum.json();
    const reference = externalRef?.();
    const payload = reference === undefined ? { output } : { output, externalRef: reference };
    const end = makeEntry(run, path, 'EndNode', payload);
    append(run, unwritten.length === 0 ? [end] : [...unwritten, end]);
    step.unwritten = [];
    run.outputs.set(path, datum);
    return undefined;
  } catch (error) {
    if (run.broken !== undefined) throw error;
    return { ...failureOf(error, path, plan), acted: true };
  }
}

/** Writes what was put off. */
function flush(step: Step): void {
  if (step.unwritten.length === 0) return;
  const entries = step.unwritten;
  step.unwritten = [];
  append(step.run, entries);
}
