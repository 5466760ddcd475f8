import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { isServerAway } from '../patience.js';

/** Events that the server gives at a time: most answers are about a handful. */
const PAGE = 200;

/** Wait before the server is asked again after it did not answer, in milliseconds. */
const AGAIN = 1000;

/** The end of a workflow, as its history has it: the type of its last event, such as `WorkflowExecutionCompleted`. */
export type LastEvent = string;

/**
 * Follows the histories of a workflow, from one to the next where it goes on in a new one, and says whenever
 * something has happened. Nothing is written for it, and nobody polls.
 *
 * @returns how the last history ended; undefined if `signal` was aborted
 */
export async function hearShop(
  client: Client,
  workflowId: string,
  onNews: () => void,
  signal: AbortSignal,
): Promise<LastEvent | undefined> {
  const { namespace } = client.options;
  let runId: string | undefined;
  let nextPageToken: Uint8Array | undefined;
  while (!signal.aborted) {
    try {
      const answer = await client.connection.withDeadline(Date.now() + 90_000, () =>
        client.workflowService.getWorkflowExecutionHistory({
          namespace,
          execution: { workflowId, runId: runId ?? null },
          waitNewEvent: true,
          maximumPageSize: PAGE,
          nextPageToken: nextPageToken ?? null,
        }),
      );
      const events = answer.history?.events ?? [];
      if (events.length > 0) onNews();
      const last = events.at(-1);
      const next = last?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
      if (next) {
        runId = next;
        nextPageToken = undefined;
        continue;
      }
      const first = events[0]?.workflowExecutionStartedEventAttributes;
      runId ??= first?.originalExecutionRunId ?? undefined;
      nextPageToken = answer.nextPageToken?.length ? answer.nextPageToken : undefined;
      if (nextPageToken === undefined && last !== undefined) return nameOf(last);
    } catch (error) {
      if (!isServerAway(error) || signal.aborted) throw error;
      await sleep(AGAIN);
    }
  }
  return undefined;
}

/** The name of an event, by the attributes that it has: `workflowExecutionCompleted`. */
function nameOf(event: object): string {
  const held = Object.entries(event).find(
    ([key, value]) => key.endsWith('EventAttributes') && value,
  );
  return held?.[0].replace(/EventAttributes$/, '') ?? '';
}
