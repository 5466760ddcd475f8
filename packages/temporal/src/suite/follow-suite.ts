import { setMaxListeners } from 'node:events';
import type { Client } from '@temporalio/client';
import {
  decodeArrayFromPayloads,
  decodeOptionalFailureToOptionalError,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
import { type Execution, followHistory, type HistoryEvent } from '../follow-history.js';
import { isNotFound } from '../patience.js';
import { type SuiteEnd, type SuiteInput, sliceId } from './suite-workflow.js';
import type { TaskOutput } from './task-activities.js';

/** How a suite ended on the server. */
type SuiteStatus = 'completed' | 'cancelled' | 'failed' | 'lost';

/** The end of a suite that was followed. */
export interface SuiteFollowed {
  readonly status: SuiteStatus;
  /** The budget that kept tasks from finishing, in words; null if there was none. */
  readonly stopped: string | null;
}

/** Receives the results of the tasks of a suite. */
export interface TaskListener {
  /** A task ended. */
  onResult(index: number, output: TaskOutput): Promise<void> | void;
  /** A task was dropped: no attempt finished. */
  onLost(index: number, reason: string): Promise<void> | void;
}

/** Number of past slices that are read at a time. */
const AT_ONCE = 8;

/**
 * Reads the histories of a suite and of its slices, from their start and as they grow, until the
 * suite is closed.
 *
 * @param suite without a `runId` the newest run; the slices of earlier runs are read, too
 * @throws the reason of `signal`
 */
export async function followSuite(
  client: Client,
  suite: Execution,
  listener: TaskListener,
  signal: AbortSignal,
): Promise<SuiteFollowed> {
  const leave = new AbortController();
  const until = AbortSignal.any([signal, leave.signal]);
  // One for each followed slice.
  setMaxListeners(0, until);
  const slices: Promise<void>[] = [];
  const follow = (slice: Execution) => {
    const following = followSlice(client, slice, listener, until);
    // The error of one ends all of them.
    following.catch((error: unknown) => leave.abort(error));
    slices.push(following);
  };
  const readPast = async (input: SuiteInput) => {
    const past = Array.from({ length: input.next ?? 0 }, (_, number) => number).values();
    const read = async () => {
      for (const number of past)
        await followSlice(client, { workflowId: sliceId(input, number) }, listener, until);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, read));
  };
  let status: SuiteStatus = 'lost';
  let stopped: string | null = null;
  let run: Execution | undefined = suite;
  try {
    while (run !== undefined) {
      const { workflowId }: Execution = run;
      const isFirst: boolean = run === suite;
      let next: Execution | undefined;
      for await (const events of pagesOf(client, run, until)) {
        for (const event of events) {
          const started = event.workflowExecutionStartedEventAttributes;
          if (started != null && isFirst)
            await readPast(await only<SuiteInput>(client, started.input));
          const child = event.childWorkflowExecutionStartedEventAttributes;
          const slice = child?.workflowExecution;
          if (slice != null && child?.workflowType?.name === 'alasSlice')
            follow({ workflowId: slice.workflowId ?? '', runId: slice.runId ?? undefined });
          const renewed = event.workflowExecutionContinuedAsNewEventAttributes;
          if (renewed != null) next = { workflowId, runId: renewed.newExecutionRunId ?? undefined };
          status = statusOf(event) ?? status;
          const end = event.workflowExecutionCompletedEventAttributes;
          if (end != null) stopped = (await only<SuiteEnd>(client, end.result)).stopped;
        }
      }
      run = next;
    }
    await Promise.all(slices);
  } finally {
    leave.abort();
    await Promise.allSettled(slices);
  }
  return { status, stopped };
}

/** Reads the input of a suite: that of its newest run, or undefined if the server knows none. */
export async function readSuiteInput(
  client: Client,
  suite: Execution,
  signal?: AbortSignal,
): Promise<SuiteInput | undefined> {
  for await (const [first] of pagesOf(client, suite, signal)) {
    const { input } = first.workflowExecutionStartedEventAttributes ?? {};
    return only<SuiteInput>(client, input);
  }
  return undefined;
}

/** Reads the history of a slice: tasks by the ids of their activities, which are their numbers. */
async function followSlice(
  client: Client,
  slice: Execution,
  listener: TaskListener,
  signal: AbortSignal,
): Promise<void> {
  const tasks = new Map<string, number>();
  const cancelled = new Set<number>();
  const taskOf = (id: unknown) => tasks.get(String(id)) as number;
  for await (const events of pagesOf(client, slice, signal)) {
    for (const event of events) {
      const {
        activityTaskScheduledEventAttributes: scheduled,
        activityTaskCancelRequestedEventAttributes: asked,
        activityTaskCompletedEventAttributes: completed,
        activityTaskTimedOutEventAttributes: timedOut,
        activityTaskFailedEventAttributes: failed,
      } = event;
      if (scheduled != null) tasks.set(String(event.eventId), Number(scheduled.activityId));
      if (asked != null) cancelled.add(taskOf(asked.scheduledEventId));
      if (completed != null) {
        const output = await only<TaskOutput>(client, completed.result);
        await listener.onResult(taskOf(completed.scheduledEventId), output);
      }
      const lost = timedOut ?? failed;
      // The worker of a cancelled task may have been away.
      if (lost != null && !cancelled.has(taskOf(lost.scheduledEventId))) {
        const reason = await reasonOf(client, lost.failure, timedOut != null);
        await listener.onLost(taskOf(lost.scheduledEventId), reason);
      }
    }
  }
}

/** The pages of a history; none if the server does not have the workflow (any more). */
async function* pagesOf(
  client: Client,
  execution: Execution,
  signal: AbortSignal | undefined,
): AsyncGenerator<HistoryEvent[]> {
  try {
    yield* followHistory(client, execution, signal);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function statusOf(event: HistoryEvent): SuiteStatus | undefined {
  if (event.workflowExecutionCompletedEventAttributes != null) return 'completed';
  if (event.workflowExecutionCanceledEventAttributes != null) return 'cancelled';
  const failed =
    event.workflowExecutionFailedEventAttributes ??
    event.workflowExecutionTerminatedEventAttributes ??
    event.workflowExecutionTimedOutEventAttributes;
  return failed == null ? undefined : 'failed';
}

type Payloads = { payloads?: Parameters<typeof decodeArrayFromPayloads>[1] } | null | undefined;

/** The only value among payloads. */
async function only<T>(client: Client, given: Payloads): Promise<T> {
  const { loadedDataConverter } = client.options;
  const [value] = await decodeArrayFromPayloads(loadedDataConverter, given?.payloads);
  return value as T;
}

/** The reason why a task was dropped, in a line. */
async function reasonOf(
  client: Client,
  failure: Parameters<typeof decodeOptionalFailureToOptionalError>[1],
  isTimeout: boolean,
): Promise<string> {
  const { loadedDataConverter } = client.options;
  const error = await decodeOptionalFailureToOptionalError(loadedDataConverter, failure);
  if (isTimeout) return 'its workers were lost, one after the other';
  return (error?.message ?? 'it failed').split('\n')[0];
}
