import type { TaskNode } from '../ir/workflow.js';
import { makeAttempts } from './attempts.js';
import { callHandler, commit, misfit } from './call.js';
import {
  append,
  giveSlot,
  isPromise,
  type Maybe,
  makeEntry,
  type Outcome,
  type Run,
  write,
} from './context.js';
import { type Datum, liveDatum } from './datum.js';
import { makeFailure } from './failures.js';
import { unfit } from './fit.js';
import { busyKeys, claimKey, type EffectKey, holdKey, keyOf } from './idempotency.js';
import { judgeInput, validatorOf } from './judge.js';
import type { Failure } from './payloads.js';
import type { NodePlan } from './plan.js';
import { inputOf } from './references.js';
import { nodePath, type Scope } from './scope.js';
import { type Ended, flush, type Step } from './step.js';

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
  if (!isPlain(step)) return runWithCare(step);
  const refused = unfit(run, plan, path, 'input', input);
  return refused === undefined ? runPlain(step) : { status: 'failed', failure: refused };
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
  const output = liveDatum(ended.value, handler.output);
  const failure = misfit(step, output) ?? commit(step, output);
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

/** Has the input judged before it is delivered, and what a validator makes of it. */
async function deliver(step: Step): Promise<Failure | undefined> {
  const { run, path } = step;
  const validator = validatorOf(run.registry.handOvers, step);
  const refused = unfitInput(step);
  if (refused !== undefined || validator === undefined) return refused;
  const judgement = await judgeInput(step, validator, run.state.nodes.get(path)?.attempt ?? 1);
  if ('failure' in judgement) return judgement.failure;
  if (judgement.datum === step.input) return undefined;
  step.input = judgement.datum;
  return unfitInput(step);
}

function unfitInput({ run, plan, path, input }: Step): Failure | undefined {
  const failure = unfit(run, plan, path, 'input', input);
  // A run that broke off within the step may have left its effect.
  return failure && run.state.effects.has(path) ? { ...failure, acted: true } : failure;
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
      const other = unfit(run, plan, path, 'output', output);
      if (other !== undefined) return { status: 'failed', failure: other };
      run.outputs.set(path, output);
      append(run, [
        makeEntry(run, path, 'StartNode', { attempt: 1 }),
        makeEntry(run, path, 'EndNode', { output: output.json(), cached: from }),
      ]);
      return { status: 'done', output };
    }
    holdKey(run, path, busyKeys(run, plan), key);
    return makeAttempts(step, effect);
  }
}
