import { setTimeout as sleep } from 'node:timers/promises';
import type { RunResult } from '@alas-jssp/workflow';
import { type Client, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, TerminatedFailure, TimeoutFailure } from '@temporalio/common';
import { AlasError } from 'alas-jssp';
import type { Address } from '../address.js';
import { patiently } from '../patience.js';
import { watchQueue } from '../watch-queue.js';
import { NOT_HERE, RESTS, type RunMessage, type RunOutcome } from './protocol.js';

/** Milliseconds between two checks of whether a run waits: at first, and at most. */
const LOOK = { first: 50, most: 2000 } as const;

/** Options of following a run. */
interface Following {
  /** Cancels the run. */
  readonly signal?: AbortSignal | undefined;
  /** Whether to wait until the run has ended, even if only a message can continue it. */
  readonly stay?: boolean | undefined;
  /** Receives, as a line, what is missing during the wait. */
  readonly onNotice?: ((line: string) => void) | undefined;
  readonly address: Address;
  readonly client: Client;
}

/**
 * Waits until a run has ended, or waits for a message.
 *
 * @param asked receives all requests to the server meanwhile
 */
export async function followRun(
  handle: WorkflowHandle,
  options: Following,
  asked: Set<Promise<unknown>>,
): Promise<RunResult> {
  const { address, client, signal, stay = false, onNotice } = options;
  const over = new AbortController();
  const send = () => {
    const data = { reason: textOf(signal?.reason), by: 'client' };
    const ask = () => handle.signal<[RunMessage]>('message', { kind: 'cancel', data });
    // It may be over.
    patiently(ask, over.signal).catch(() => {});
  };
  signal?.addEventListener('abort', send, { once: true });
  if (signal?.aborted) send();
  try {
    const ended = endOf(handle, over.signal);
    const rest = restOf(handle, stay, over.signal);
    const watching =
      onNotice && watchQueue(client, { address, wanting: wantsOf(handle) }, onNotice, over.signal);
    for (const one of [ended, rest, watching]) asked.add(Promise.resolve(one).catch(() => {}));
    return resultOf(await Promise.race([ended, rest]));
  } finally {
    over.abort();
    signal?.removeEventListener('abort', send);
  }
}

/**
 * Limit of attempts by workers without the handlers: if there are others, one of these gets the
 * step.
 */
const TRIES = 2;

/** Finds a step that workers take without having its handler. */
function wantsOf(handle: WorkflowHandle): () => Promise<string | undefined> {
  return async () => {
    const { raw } = await handle.describe();
    const lacking = raw.pendingActivities?.some(
      ({ attempt, lastFailure }) =>
        (attempt ?? 0) > TRIES && lastFailure?.applicationFailureInfo?.type === NOT_HERE,
    );
    return lacking ? 'handlers for this workflow' : undefined;
  };
}

/** The end of the workflow itself. */
async function endOf(handle: WorkflowHandle, signal: AbortSignal): Promise<RunOutcome> {
  try {
    const ask = () => untilAborted(handle, signal, () => handle.result());
    return (await patiently(ask, signal)) as RunOutcome;
  } catch (error) {
    const cause = error instanceof WorkflowFailedError ? error.cause : undefined;
    if (cause instanceof TerminatedFailure || cause instanceof TimeoutFailure) {
      const { workflowId } = handle;
      const message = `the run ${workflowId} was ended on the server, and nothing was undone: ${cause.message}`;
      throw new AlasError('run_terminated', message, workflowId);
    }
    if (!(cause instanceof ApplicationFailure)) throw error;
    const [outcome] = cause.details ?? [];
    if (outcome !== undefined) return outcome as RunOutcome;
    throw refusalOf(cause);
  }
}

/** The reason why a run did not begin. */
function refusalOf({ type, message }: ApplicationFailure): Error {
  return new AlasError(type ?? 'run_failed', message);
}

/**
 * The outcome of a run that has ended and stays open, or that waits; undefined if the wait was
 * cancelled.
 */
async function restOf(
  handle: WorkflowHandle,
  stay: boolean,
  signal: AbortSignal,
): Promise<RunOutcome> {
  // The server answers by itself: a worker is asked only when the run is at rest, and by an update,
  // since a query may be answered before earlier events are handled, which a replay would not
  // reproduce.
  const look = async () => {
    const { memo } = await handle.describe();
    const status = memo?.[RESTS] ?? undefined;
    if (status === undefined || (status === 'WAITING' && stay)) return undefined;
    return handle.executeUpdate<RunOutcome | undefined, []>('rest');
  };
  for (let wait: number = LOOK.first; ; wait = Math.min(LOOK.most, wait * 1.5)) {
    await sleep(wait, undefined, { signal });
    try {
      const outcome = await untilAborted(handle, signal, look);
      if (outcome !== undefined && (outcome.status !== 'WAITING' || !stay)) return outcome;
    } catch {
      // Server or workers are away for a while; the end itself is awaited as well.
    }
  }
}

/** Calls the server, and aborts with a signal. */
function untilAborted<T>(
  { client }: WorkflowHandle,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T> {
  // The client never removes its listeners from a signal.
  return client.withAbortSignal(AbortSignal.any([signal]), ask);
}

function resultOf(outcome: RunOutcome): RunResult {
  const { outputs, carried: _, ...result } = outcome;
  return { ...result, outputOf: (nodeId) => outputs[nodeId] };
}

function textOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
