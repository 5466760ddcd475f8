import type { TaskNode } from '../ir/workflow.js';
import { approvalName } from './approvals.js';
import {
  callHandler,
  commit,
  concludeFailure,
  flush,
  makeAttempts,
  outputFailure,
} from './attempt.js';
import { schemaFailure } from './checks.js';
import type { EncodedValue } from './encoded-value.js';
import type { Failure } from './entries.js';
import { isPromise, type Maybe } from './host.js';
import { judgeInput } from './judge.js';
import { isThere, keyOf, obtainKey } from './keys.js';
import { isApprover } from './known-names.js';
import type { NodePlan } from './plan.js';
import { codeOf, makeFailure } from './policies.js';
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
import { isInTime } from './state.js';
import { awaitMessage, releaseSlot } from './waiting.js';

/**
 * Runs a task: waits for its approval, has its input judged, makes attempts until one succeeds or
 * its policy allows no more, and commits the output. Plain computations take a short path, which
 * returns their output synchronously if their handler does.
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

/** Whether a task is new and needs no arrangement before its handler runs. */
function isPlain({ run, task, plan, path, facts }: Step): boolean {
  return (
    task.effect === 'none' &&
    task.approval === undefined &&
    plan.policy.idempotencyKey === undefined &&
    run.faults === undefined &&
    run.slots.free > 0 &&
    run.drained === undefined &&
    !facts.outputValidator &&
    !facts.inputValidator &&
    run.state.nodes.get(path) === undefined
  );
}

function runPlain(step: Step): Maybe<Outcome> {
  const { run, path, facts } = step;
  step.unwritten.push(makeEntry(run, path, 'StartNode', { attempt: 1 }));
  // A pure handler that was killed leaves nothing behind: its start can be logged with its end.
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
  return { status: 'done', output: run.outputs.get(path) as EncodedValue };
}

async function releasing(run: Run, ended: Promise<Ended>): Promise<Ended> {
  try {
    return await ended;
  } finally {
    releaseSlot(run);
  }
}

/** Runs a task with its full policy. */
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
    const grant = await obtainKey(step, effect);
    if (grant.status === 'refused') return { status: 'failed', failure: grant.failure };
    if (grant.status === 'there') {
      // From now on it may be undone, but not once this step has it.
      if (!isThere(run, grant.from)) continue;
      return commitOther(step, grant.output, grant.from);
    }
    try {
      return await makeAttempts(step, effect);
    } catch (error) {
      // Another run was faster: nothing has begun here.
      if (codeOf(error) !== 'claimed') throw error;
      run.holding.get(path)?.();
    }
  }
}

/** Waits for the approval of a task; returns an outcome if it is not given. */
async function awaitApproval(step: Step): Promise<Outcome | undefined> {
  const { run, scope, task, plan, path, input } = step;
  const { state, host } = run;
  const name = task.approval && approvalName(task.approval, input);
  const known = state.nodes.get(path);
  // An attempt that has begun was approved.
  if (name === undefined || (known?.begun ?? 0) > 0) return undefined;
  let found = known === undefined ? decisionBefore(state, name, plan) : undefined;
  if (found === undefined) {
    const limit = plan.policy.wait?.seconds;
    const until = known?.waitUntil ?? (limit === undefined ? undefined : host.now() + limit * 1000);
    if (known === undefined) write(run, path, 'AwaitApproval', { name, until });
    const arrival = await awaitMessage(
      run,
      scope,
      () => decisionInTime(state, name, until, plan),
      until,
    );
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
  const failure = makeFailure('Denied', `${by} denied ${name}: ${reason}`, path, plan);
  return { status: 'failed', failure };
}

/** A decision about an approval: `denied` holds the refusal. */
interface Decided {
  readonly denied: { readonly by: string; readonly reason: string } | undefined;
}

/** The decision that is there when a task asks for its approval first. */
function decisionBefore(
  { approvals, denials }: Run['state'],
  name: string,
  { policy }: NodePlan,
): Decided | undefined {
  const approved = approvals.get(name);
  if (approved !== undefined && isApprover(policy, approved.by)) return { denied: undefined };
  const denied = denials.get(name);
  return denied !== undefined && isApprover(policy, denied.by) ? { denied } : undefined;
}

/** The first decision that arrived while a task waited for it, before its limit. */
function decisionInTime(
  { approvals, denials }: Run['state'],
  name: string,
  until: number | undefined,
  { policy }: NodePlan,
): Decided | undefined {
  const approved = approvals.get(name);
  const denied = denials.get(name);
  const counts = (one: Parameters<typeof isInTime>[0] & { readonly by: string }) =>
    isInTime(one, until) && isApprover(policy, one.by);
  const isDenied = denied !== undefined && counts(denied);
  const isApproved = approved !== undefined && counts(approved);
  if (isApproved && !(isDenied && denied.version < approved.version)) return { denied: undefined };
  return isDenied ? { denied } : undefined;
}

/** Has the input judged before it is delivered, and continues with the validator's result. */
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
  // An interrupted run within the step may have left its effect.
  return failure && run.state.effects.has(path) ? { ...failure, unanswered: true } : failure;
}

/** Commits the output of another step, or another run, with the same key. */
function commitOther(step: Step, output: EncodedValue, from: string): Outcome {
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
