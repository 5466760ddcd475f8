import type { Client } from '@temporalio/client';
import { patiently } from './patience.js';

type Page = Awaited<ReturnType<Client['workflowService']['getWorkflowExecutionHistory']>>;

/** An event of a history, as the server returns it. */
export type HistoryEvent = NonNullable<NonNullable<Page['history']>['events']>[number];

/** A workflow, or one run of it: without a `runId` the newest. */
export interface Execution {
  readonly workflowId: string;
  readonly runId?: string | undefined;
}

/** Milliseconds after which a long poll is repeated. */
const LONG_POLL = 40_000;

/**
 * Follows the history of a run of a workflow: its events, in pages, as they arrive, up to the closing one. Waits while
 * the server is unavailable; returns no event twice.
 *
 * @param signal ends it, with its reason
 * @throws WorkflowNotFoundError, as the error of gRPC, if there is no such run (any more)
 */
export async function* followHistory(
  client: Client,
  { workflowId, runId = '' }: Execution,
  signal?: AbortSignal,
): AsyncGenerator<HistoryEvent[]> {
  const { connection, options, workflowService } = client;
  let token: Uint8Array = new Uint8Array();
  let last = 0;
  const ask = () =>
    connection.withDeadline(Date.now() + LONG_POLL, () =>
      abortable(client, signal, () =>
        workflowService.getWorkflowExecutionHistory({
          namespace: options.namespace,
          execution: { workflowId, runId },
          nextPageToken: token,
          waitNewEvent: true,
        }),
      ),
    );
  for (;;) {
    const { history, nextPageToken } = await patiently(ask, signal);
    const events = (history?.events ?? []).filter(({ eventId }) => Number(eventId) > last);
    last = Number(events.at(-1)?.eventId ?? last);
    if (events.length > 0) yield events;
    if (nextPageToken == null || nextPageToken.length === 0) return;
    token = nextPageToken;
  }
}

/**
 * Makes a call that a signal aborts. The client never removes its listeners from a signal, so each
 * call gets one of its own.
 */
async function abortable<T>(
  { connection }: Client,
  signal: AbortSignal | undefined,
  ask: () => Promise<T>,
): Promise<T> {
  const call = new AbortController();
  const end = () => call.abort();
  signal?.addEventListener('abort', end);
  try {
    return await connection.withAbortSignal(call.signal, ask);
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
