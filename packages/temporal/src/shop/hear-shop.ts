import type { Client } from '@temporalio/client';
import { followHistory, type HistoryEvent } from '../follow-history.js';

/**
 * Follows a shop from one history to the next: calls back after every event. Adds nothing to the
 * history, and does not poll.
 *
 * @returns how the last history ended: the name of its last event, such as
 *   `workflowExecutionCompleted`
 */
export async function hearShop(
  client: Client,
  workflowId: string,
  onChange: () => void,
  signal: AbortSignal,
): Promise<string> {
  for (let runId: string | undefined; ; ) {
    let last: HistoryEvent | undefined;
    for await (const events of followHistory(client, { workflowId, runId }, signal)) {
      last = events.at(-1);
      onChange();
    }
    const next = last?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    if (!next) return nameOf(last ?? {});
    runId = next;
  }
}

/** The name of an event, by the attributes that it has. */
function nameOf(event: object): string {
  const isHeld = ([key, value]: [string, unknown]) => key.endsWith('EventAttributes') && value;
  return (
    Object.entries(event)
      .find(isHeld)?.[0]
      .replace(/EventAttributes$/, '') ?? ''
  );
}
