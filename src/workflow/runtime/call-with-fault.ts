import { callHandler } from './call.js';
import { write } from './context.js';
import { liveDatum, loggedDatum } from './datum.js';
import { failureOf, makeFailure } from './failures.js';
import type { Fault } from './inject.js';
import type { Ended, Step } from './step.js';
import { pause } from './watch.js';

/** Does what a fault asks for in place of the handler, or to its answer. */
export async function callWithFault(step: Step, attempt: number, fault: Fault): Promise<Ended> {
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
      return spoil(step, fault, ended.value);
    }
  }
}

/** Puts a wrong output in the place of the right one; the effect is there either way. */
function spoil({ path, plan, handler }: Step, fault: Fault, value: unknown): Ended {
  try {
    const spoilt = fault.spoil(liveDatum(value, handler.output).json());
    return { status: 'value', value: loggedDatum(spoilt, handler.output).value() };
  } catch (error) {
    return { status: 'error', failure: { ...failureOf(error, path, plan), acted: true } };
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
