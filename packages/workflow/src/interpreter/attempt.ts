import type { Json } from '../log/entry.js';
import { begin, encodeInput } from './begin.js';
import { logOwn, schemaFailure } from './checks.js';
import { checkDeadlines } from './effects.js';
import type { EncodedValue } from './encoded-value.js';
import type { Failure } from './entries.js';
import { callWithFault } from './faults.js';
import { type CallAnswer, isPromise, type Maybe } from './host.js';
import { judgeOutput } from './judge.js';
import { type EffectKey, keyOf } from './keys.js';
import { answerPayload, LOST_CODE, noteLate } from './late.js';
import { repairAt } from './plan.js';
import { failureOf, makeFailure, mayRetry, waitAfter } from './policies.js';
import { append, type Ended, makeEntry, type Outcome, type Step, write } from './run.js';
import { acquireSlot, pause, releaseSlot, watch } from './waiting.js';

/** Makes attempts until one succeeds or the policy allows no more. */
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
  // A step with an effect counts attempts, whether one was interrupted before or after the effect.
  const broken = run.state.effects.has(path) && known?.begun === attempt;
  if (!broken) return makeAttempt(step, effect, attempt);
  const answered = lateAnswer(step);
  if (answered !== undefined) return conclude(step, effect, answered, attempt);
  if (mayRepeat(step, attempt)) return makeAttempt(step, effect, attempt + 1);
  return interrupted(step, attempt);
}

function interrupted({ path, plan }: Step, attempt: number): Outcome {
  const message = `attempt ${attempt} was interrupted with its process, and may not be repeated`;
  const failure = makeFailure('Interrupted', message, path, plan);
  return { status: 'failed', failure: { ...failure, unanswered: true } };
}

/** The answer of the interrupted attempt, if it reached the log. */
function lateAnswer({ run, task, path }: Step): Ended | undefined {
  const effect = run.state.effects.get(path);
  if (effect?.confirmed !== true || effect.open.length > 0) return undefined;
  const { externalRef } = effect;
  const value = run.host.decode(task, 'output', effect.output);
  return { status: 'value', value, externalRef: () => externalRef };
}

/**
 * Whether an interrupted attempt may be followed by another. Steps that can be undone are repeated
 * under their key as often as their policy allows; others only if the policy lists the code
 * `Interrupted`.
 */
function mayRepeat({ task, plan }: Step, attempt: number): boolean {
  const { retry } = plan.policy;
  if (task.effect === 'irreversible') return mayRetry(retry, 'Interrupted', attempt);
  return attempt < (retry?.maxAttempts ?? Number.POSITIVE_INFINITY);
}

/** Makes one attempt: one transaction logs its start and registers the undo of its effect. */
async function makeAttempt(
  step: Step,
  effect: EffectKey | undefined,
  attempt: number,
): Promise<Outcome> {
  const { run, scope, path } = step;
  await acquireSlot(run);
  let ended: Ended;
  try {
    if (scope.stopped !== undefined) return { status: 'failed', failure: scope.stopped };
    const encoded = encodeInput(step, effect);
    const input = isPromise(encoded) ? await encoded : encoded;
    checkDeadlines(run);
    if (scope.stopped !== undefined) return { status: 'failed', failure: scope.stopped };
    const refused = input?.failure ?? begin(step, effect, attempt, input?.json);
    if (refused !== undefined) return { status: 'failed', failure: refused };
    const fault = run.faults?.find(run.state, path, attempt);
    const call = () => callHandler(step, attempt);
    ended = await (fault === undefined ? call() : callWithFault(step, attempt, fault, call));
  } finally {
    releaseSlot(run);
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
 * Continues after an attempt whose process has ended without an answer, or is unreachable: with
 * another attempt, as often as the policy allows. Attempts that may still act stay open, as after
 * the end of a lease.
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

/** Makes an outcome of an answer: judges and commits outputs, logs timeouts, retries. */
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
    return { status: 'done', output: run.outputs.get(path) as EncodedValue };
  } catch (error) {
    // The run was interrupted, perhaps by a new owner, who must receive the answer.
    const mayAct = ended.status === 'stopped' || (ended.status === 'lost' && !ended.gone);
    if (run.broken !== undefined && !mayAct && task.effect !== 'none') {
      const payload = answerPayload(attempt, ended as CallAnswer);
      run.host.post('answer', { nodeId: path, ...payload } as Json);
    }
    throw error;
  }
}

/** The failure of a handler; one whose log entry was rejected may have had its effect before. */
function thrownFailure({ path, plan }: Step, error: unknown): Failure {
  const failure = failureOf(error, path, plan);
  return failure.code === 'BadLogEntry' ? { ...failure, acted: true } : failure;
}

/** Retries after a failure if the policy allows it, or a validator asks for it. */
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

/** The reason why an output cannot be committed: it is not JSON or violates its schema. */
export function outputFailure(step: Step, output: EncodedValue): Failure | undefined {
  const { run, path, plan } = step;
  try {
    output.json();
  } catch (error) {
    return { ...failureOf(error, path, plan), acted: true };
  }
  const failure = schemaFailure(run, plan, path, 'output', output, () => flush(step));
  return failure && { ...failure, acted: true };
}

/** Logs the output together with all deferred entries; an output that is not JSON is a failure. */
export function commit(
  step: Step,
  datum: EncodedValue,
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

/** Writes the deferred entries. */
export function flush(step: Step): void {
  if (step.unwritten.length === 0) return;
  const entries = step.unwritten;
  step.unwritten = [];
  append(step.run, entries);
}
