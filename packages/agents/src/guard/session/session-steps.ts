import { AlasError, errorLine, InputError } from '@alas-jssp/core/errors';
import {
  type CaughtFailure,
  type DoneEffect,
  type Handler,
  type Json,
  LOST,
  type LogStore,
  type Registry,
  type StepContext,
} from '@alas-jssp/workflow';
import type { Compensation, GuardedCall, ObservedEffect } from '../compensation.js';
import { packJson, unpackJson } from '../packed-json.js';
import { errorTextOf, LostAnswerError, type ToolAnswer, valueOfAnswer } from '../servers/server.js';
import {
  CALL_CODES,
  type CallCommand,
  type GuardCommand,
  type GuardOutcome,
  type PerformedCall,
  type PreparedCall,
} from './commands.js';
import { type GuardWorld, guardedCall, keyOfCall, serverOf, toolOf } from './guarded-call.js';
import { endUnanswered, trackChange } from './unanswered-calls.js';
import { hasNotActed, isRepeatable, isSaidToExist, wasUndone } from './undo-log.js';
import type { CallValidators } from './validators.js';

/** The world of the steps of sessions, and the log in which they are. */
export interface StepWorld extends GuardWorld {
  readonly store: LogStore;
  readonly validators: CallValidators;
}

/** The handlers of the workflow of sessions. */
export function sessionRegistry(world: StepWorld): Registry {
  const external = <I, O>(run: Handler<I, O>['run']): Handler<I, O> => ({ kind: 'external', run });
  const pure = <I, O>(run: Handler<I, O>['run']): Handler<I, O> => ({ kind: 'pure', run });
  return {
    handlers: {
      begin: pure(() => ({ over: false })),
      prepare: external((command: CallCommand, step) => prepare(world, command, step)),
      perform: external((call: PreparedCall, step) =>
        trackChange(serverOf(world, toolOf(world, call)), perform(world, call, step)),
      ),
      judge: external((input: JudgedCall, step) => judge(world, input, step)),
      failed: pure(({ error, input }: CaughtFailure<PreparedCall>) => outcomeOf(error, input)),
      refused: pure(({ error, input }: CaughtFailure<CallCommand>) => ({
        over: false,
        call: input.call,
        status: 'refused',
        message: `refused: ${error.message}`,
      })),
      commit: external((_: GuardCommand, { runId }) => commit(world, runId)),
      settle: pure(({ command, outcome }: SettledCommand) => settle(command, outcome)),
    },
    compensators: {
      takeBack: { run: (effect, step) => takeBack(world, effect, step) },
    },
  };
}

interface JudgedCall {
  readonly command: PreparedCall;
  /** Absent for a node that the workflow does not have. */
  readonly performed?: PerformedCall;
}

interface SettledCommand {
  readonly command: GuardCommand;
  readonly outcome?: GuardOutcome;
}

/**
 * Asks the validators of calls, and reads what an undo will need.
 *
 * @throws AlasError `Refused`: nothing was called
 */
async function prepare(
  world: StepWorld,
  command: CallCommand,
  step: StepContext,
): Promise<PreparedCall> {
  const tool = toolOf(world, command);
  try {
    const { runId, signal } = step;
    const mayEnd = world.policy.servers[tool.server]?.restart !== false;
    await endUnanswered(serverOf(world, tool), mayEnd);
    const call = await guardedCall(world, command, { runId, signal });
    await world.validators.before(step.runId, command, call.input);
    const prepared = (await tool.compensation?.prepare(call)) ?? null;
    return { ...command, prepared: await packJson(world.blobs, prepared) };
  } catch (error) {
    const isOurs = error instanceof InputError;
    const reason = isOurs ? error.message : `it could not be prepared: ${errorLine(error)}`;
    throw new AlasError(CALL_CODES.refused, error instanceof AlasError ? error.message : reason);
  }
}

/** Calls a tool, and finds out what the call has done. */
async function perform(
  world: StepWorld,
  command: PreparedCall,
  step: StepContext,
): Promise<PerformedCall> {
  const tool = toolOf(world, command);
  const server = serverOf(world, tool);
  // Nor do reads after an answer end with the step, which may be late: each has its own limit.
  const { signal } = new AbortController();
  const call = await guardedCall(world, command, { runId: step.runId, signal });
  const key = keyOfCall(step.runId, command);
  const prepared = await unpackJson(world.blobs, command.prepared);
  const observe = (output: Json | undefined) => observed(tool.compensation, call, prepared, output);
  // Not with the signal of the step: a call that was sent is awaited, however late its answer is.
  const send = () => server.call(tool.listed.name, call.input, { key, sendBefore: step.signal });
  let answer: ToolAnswer;
  try {
    answer = await send().catch(async (error: unknown) => {
      if (!isGone(error) || !tool.rules?.idempotent) throw error;
      // What has acted is not sent again: the second call could act after later changes, even of other sessions.
      const { state } = await observe(undefined);
      if (state !== 'not-done' && state !== 'unknown') throw error;
      return send().catch((again: unknown) => {
        // The second one was not sent; the first one may have acted.
        throw again instanceof LostAnswerError ? again : error;
      });
    });
  } catch (error) {
    if (!(error instanceof LostAnswerError)) {
      throw new AlasError(CALL_CODES.notDone, `it was not called: ${errorLine(error)}`);
    }
    if (!error.gone) throw unanswered(error.message);
    const found = await observe(undefined);
    if (found.state === 'done') return performed(world, command, undefined, found);
    throw failureOf(found, error.message);
  }
  if (!answer.isError) {
    const found = await observe(valueOfAnswer(answer));
    if (found.state === 'done') return performed(world, command, answer, found);
    // A tool may lie, or hide its failure in an ordinary answer: the state decides.
    throw failureOf(found, `the state is not what the tool answers: ${errorTextOf(answer)}`);
  }
  const text = `the tool failed: ${errorTextOf(answer)}`;
  if (tool.rules?.errors === 'change-nothing') throw new AlasError(CALL_CODES.notDone, text);
  throw failureOf(await observe(undefined), text);
}

function isGone(error: unknown): boolean {
  return error instanceof LostAnswerError && error.gone;
}

/** An error after which the server may still act. */
function unanswered(message: string): AlasError {
  return Object.assign(new AlasError(CALL_CODES.inDoubt, message), { unanswered: true });
}

/** The failure of a call that is over, by what it has left. */
function failureOf({ state }: ObservedEffect, message: string): AlasError {
  if (state === 'not-done') return new AlasError(CALL_CODES.notDone, message);
  if (state === 'unknown') return LOST;
  return new AlasError(CALL_CODES.failed, message);
}

async function observed(
  compensation: Compensation | undefined,
  call: GuardedCall,
  prepared: Json,
  output: Json | undefined,
): Promise<ObservedEffect> {
  const unknown = { state: 'unknown', after: null } as const;
  if (compensation === undefined)
    return output === undefined ? unknown : { ...unknown, state: 'done' };
  return compensation.observe(call, prepared, output).catch(() => unknown);
}

async function performed(
  { blobs }: StepWorld,
  { call }: PreparedCall,
  answer: ToolAnswer | undefined,
  { state, after }: ObservedEffect,
): Promise<PerformedCall> {
  const value = answer === undefined ? null : valueOfAnswer(answer);
  return {
    call,
    answer: await packJson(blobs, (answer ?? null) as unknown as Json),
    value: await packJson(blobs, value),
    after: await packJson(blobs, after),
    observed: state,
  };
}

/**
 * Takes a call back. It looks at the state first: the call may have done nothing, or may have been
 * taken back before.
 *
 * @throws AlasError `Conflict`, `UndoFailed`; `InDoubt` if it cannot find out whether the call has acted
 */
async function takeBack(
  world: StepWorld,
  { input, output }: DoneEffect,
  step: StepContext,
): Promise<void> {
  const command = input as PreparedCall;
  if (hasNotActed(world.store, step)) return;
  const { compensation, rules } = toolOf(world, command);
  if (compensation === undefined || rules?.access === 'irreversible') {
    const isThere = output !== null || isSaidToExist(world.store, step);
    if (isThere) throw new AlasError('NoUndo', 'its tool has no undo');
    throw new AlasError(CALL_CODES.inDoubt, 'it is unknown whether the call has acted');
  }
  const call = await guardedCall(world, command, step);
  if (!isRepeatable(rules) && wasUndone(world.store, step)) return;
  const prepared = await unpackJson(world.blobs, command.prepared);
  const after = await stateAfter(
    world,
    compensation,
    call,
    prepared,
    output as PerformedCall | null,
    step,
  );
  if (after === undefined) return;
  const { state, message } = await compensation.undo(call, prepared, after).catch((error) => {
    throw error instanceof AlasError ? error : new AlasError('UndoFailed', errorLine(error));
  });
  if (state === 'conflict') throw new AlasError('Conflict', message);
  if (state === 'failed') throw new AlasError('UndoFailed', message);
}

/** The state after a call, as its undo needs it; undefined if the call has done nothing. */
async function stateAfter(
  { blobs, store }: StepWorld,
  compensation: Compensation,
  call: GuardedCall,
  prepared: Json,
  done: PerformedCall | null,
  step: StepContext,
): Promise<Json | undefined> {
  if (done !== null && done.observed !== 'unknown') return unpackJson(blobs, done.after);
  const isAnswered = done !== null && done.answer !== null;
  const value = isAnswered ? await unpackJson(blobs, done.value) : undefined;
  const { state, after } = await compensation.observe(call, prepared, value);
  if (state === 'not-done') return undefined;
  if (state !== 'unknown') return after;
  // An inverse tool needs no state to compare the present one with.
  if (compensation.name === 'inverse' && isSaidToExist(store, step)) return after;
  throw new AlasError(CALL_CODES.inDoubt, 'it is unknown whether the call has acted');
}

/** Has the validators judge the answer of a call. */
async function judge(
  { validators, blobs }: StepWorld,
  { command, performed: done }: JudgedCall,
  { runId }: StepContext,
): Promise<GuardOutcome> {
  if (done === undefined) {
    throw new AlasError(CALL_CODES.refused, `the session does not have the tool ${command.tool}`);
  }
  const input = await unpackJson(blobs, command.input);
  await validators.after(runId, command, input, await unpackJson(blobs, done.value));
  const isLost = done.answer === null;
  return {
    over: false,
    call: command.call,
    status: 'done',
    message: isLost ? 'done; the answer was lost, and the effect was found' : 'done',
    answer: done.answer,
  };
}

/** The outcome of a call that failed; rethrows a failure of the whole session. */
function outcomeOf({ code, message }: CaughtFailure<unknown>['error'], { call }: PreparedCall) {
  const told = (status: GuardOutcome['status'], text: string): GuardOutcome => {
    return { over: false, call, status, message: text };
  };
  switch (code) {
    case CALL_CODES.notDone:
    case CALL_CODES.refused:
    case 'Denied':
      return told('refused', `refused: ${message}; nothing has changed`);
    case CALL_CODES.failed:
      return told('undone', `${message}; what it had changed was taken back`);
    case CALL_CODES.rejected:
      return told('undone', `${message}; the call was taken back`);
    case CALL_CODES.rejectedSession:
      throw new AlasError(code, message);
  }
  return told('in-doubt', `in doubt: do not repeat it, ask guard_status; ${message}`);
}

/** Asks the validators of the whole session. @throws AlasError `SessionRejected` */
async function commit({ validators }: StepWorld, runId: string): Promise<GuardOutcome> {
  await validators.commit(runId);
  return { over: true, call: null, status: 'committed', message: 'all changes are kept' };
}

function settle(command: GuardCommand, outcome: GuardOutcome | undefined): GuardOutcome {
  if (outcome !== undefined) return outcome;
  const call = command.kind === 'commit' ? null : command.call;
  return { over: false, call, status: 'waiting-for-approval', message: 'it waits for an approval' };
}
