import type { Json } from '../log/entry.js';
import { begin, encodeInput } from './begin.js';
import { logOwn, schemaFailure } from './checks.js';
import type { Datum } from './datum.js';
import { passDeadlines } from './effects.js';
import type { Failure } from './entries.js';
import { callWithFault } from './faults.js';
import { type CallAnswer, isPromise, type Maybe } from './host.js';
import { judgeOutput } from './judge.js';
import { type EffectKey, keyOf } from './keys.js';
import { answerPayload, LOST_CODE, noteLate } from './late.js';
import { repairAt } from './plan.js';
import { failureOf, makeFailure, mayRetry, waitAfter } from './policies.js';
import { append, type Ended, makeEntry, type Outcome, type Step, write } from './run.js';
import { giveSlot, pause, takeSlot, watch } from './waiting.js';

/** Makes attempts until one succeeds or no other is allowed. */
export async function makeAttempts(
  step: Step,
  effect: EffectKey | undefined,
  first?: Maybe<Ended>,
): Promise<Outcome> {
  const { run, scope, path } = step;
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
  return interrupted(step, attempt);
}

function interrupted({ path, plan }: Step, attempt: number): Outcome {
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
    const encoded = encodeInput(step, effect);
    const input = isPromise(encoded) ? await encoded : encoded;
    passDeadlines(run);
    if (scope.stopped !== undefined) return { status: 'failed', failure: scope.stopped };
    const refused = input?.failure ?? begin(step, effect, attempt, input?.json);
    if (refused !== undefined) return { status: 'failed', failure: refused };
    const fault = run.faults?.find(run.state, path, attempt);
    const call = () => callHandler(step, attempt);
    ended = await (fault === undefined ? call() : callWithFault(step, attempt, fault, call));
  } finally {
    giveSlot(run);
  }
  return conclude(step, effect, ended, attempt);
}

/** Calls the handler and waits for it as long as its policy allows. */
export function callHandler(step: Step, attempt: number): Maybe<Ended> {
  const { run, scope, plan, path, task, input } = step;
  const { seed, nodes } = run.state;
  const calling = run.host.call({
    kind: 'handler',
    task,
    path,
    attempt,
    input,
    seed,
    feedback: nodes.get(path)?.feedback ?? [],
    repair: task.repair && repairAt(run.plan, path),
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
 * Goes on after an attempt whose maker has ended without an answer, or cannot be found: with another
 * one, as often as the policy allows. What may still act stays open, as after the end of a lease.
 */
async function concludeLost(
  step: Step,
  effect: EffectKey | undefined,
  attempt: number,
  gone: boolean,
): Promise<Outcome> {
  const { run, scope, path } = step;
  if (gone && run.state.effects.has(path))
    write(run, path, 'Answer', { attempt, failed: LOST_CODE });
  if (scope.stopped !== undefined) return { status: 'failed', failure: scope.stopped };
  return mayRepeat(step, attempt)
    ? makeAttempt(step, effect, attempt + 1)
    : interrupted(step, attempt);
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
    if (ended.status === 'lost') return concludeLost(step, effect, attempt, ended.gone);
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
    const mayAct = ended.status === 'stopped' || (ended.status === 'lost' && !ended.gone);
    if (run.broken !== undefined && !mayAct && task.effect !== 'none') {
      const payload = answerPayload(attempt, ended as CallAnswer);
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
export async function concludeFailure(
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
export function outputFailure(step: Step, output: Datum): Failure | undefined {
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
export function commit(
  step: Step,
  datum: Datum,
  { externalRef }: Pick<Extract<CallAnswer, { status: 'value' }>, 'externalRef'>,
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
export function flush(step: Step): void {
  if (step.unwritten.length === 0) return;
  const entries = step.unwritten;
  step.unwritten = [];
  append(step.run, entries);
}
