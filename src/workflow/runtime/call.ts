import { type Attempt, createAttempt, type Purpose } from './attempt.js';
import { append, isPromise, type Maybe, makeEntry, write } from './context.js';
import { type Datum, liveDatum } from './datum.js';
import { failureOf, makeFailure } from './failures.js';
import { misfits, refuseMisfits, requireLogSchema } from './fit.js';
import { keyOf } from './idempotency.js';
import type { Failure } from './payloads.js';
import { type Ended, flush, type Step } from './step.js';
import { watchAnswer } from './watch.js';

/** Calls a handler and waits for it as long as its policy allows. */
export function callHandler(step: Step, attempt: number): Maybe<Ended> {
  const { run, scope, plan, path, task, handler } = step;
  const key = () => keyOf(step).key;
  const beforeLog: Purpose['beforeLog'] = (eventType, payload) => {
    requireLogSchema(run, task, eventType, payload);
    flush(step);
  };
  const made = createAttempt({ run, path, node: task, key, beforeLog }, attempt);
  try {
    const answer = handler.run(step.input.value(), made.context);
    if (!isPromise(answer)) return { status: 'value', value: answer };
    return watchAnswer(answer, {
      clock: run.clock,
      seconds: plan.policy.timeout?.seconds,
      stops: scope.stops,
      timeout: (seconds) => makeFailure('Timeout', `took longer than ${seconds} s`, path, plan),
      failure: (error) => thrown(step, error),
      abandon: (failure, settled) => abandon(step, made, failure, settled),
      late: (ended) => noteLate(step, attempt, ended),
    });
  } catch (error) {
    if (run.crash !== undefined) throw error;
    return { status: 'error', failure: thrown(step, error) };
  }
}

/** The failure of a handler; one whose entry was refused may have had its effect before. */
function thrown({ path, plan }: Step, error: unknown): Failure {
  const failure = failureOf(error, path, plan);
  return failure.code === 'BadLogEntry' ? { ...failure, acted: true } : failure;
}

function abandon(step: Step, attempt: Attempt, failure: Failure, settled: Promise<void>): void {
  const { run, path } = step;
  const late = { path, settled };
  run.late.add(late);
  void settled.then(() => run.late.delete(late));
  attempt.abort(failure);
}

/** A handler has answered after nobody waited for it any longer: its effect may be there now. */
function noteLate({ run, path, handler }: Step, attempt: number, ended: Ended): void {
  // That it gave up is what it was told to do.
  if (ended.status !== 'value' || run.state.end !== undefined || run.crash !== undefined) return;
  try {
    const output = liveDatum(ended.value, handler.output).json();
    const externalRef = handler.externalRef?.(ended.value);
    const late = externalRef === undefined ? { output } : { output, externalRef };
    write(run, path, 'Timeout', { attempt, late });
  } catch {
    // Either the store has failed, and the run breaks off with that error, or it is no output.
  }
}

/** Why an output cannot be committed, if it cannot: it has no form in JSON or not the right one. */
export function misfit(step: Step, output: Datum): Failure | undefined {
  const { run, path, plan } = step;
  try {
    output.json();
    const errors = misfits(run.checks, plan.node, 'output', output);
    if (errors.length === 0) return undefined;
    flush(step);
    return { ...refuseMisfits(run, plan, path, 'output', errors), acted: true };
  } catch (error) {
    if (run.crash !== undefined) throw error;
    return { ...failureOf(error, path, plan), acted: true };
  }
}

/** Writes the output, and with it all that was put off; what JSON cannot hold is a failure. */
export function commit(step: Step, datum: Datum): Failure | undefined {
  const { run, path, plan, handler, unwritten } = step;
  try {
    const output = datum.json();
    const externalRef = handler.externalRef?.(datum.value());
    const payload = externalRef === undefined ? { output } : { output, externalRef };
    const end = makeEntry(run, path, 'EndNode', payload);
    append(run, unwritten.length === 0 ? [end] : [...unwritten, end]);
    step.unwritten = [];
    run.outputs.set(path, datum);
    return undefined;
  } catch (error) {
    if (run.crash !== undefined) throw error;
    return { ...failureOf(error, path, plan), acted: true };
  }
}
