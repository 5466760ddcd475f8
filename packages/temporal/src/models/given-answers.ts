import type { Client } from '@temporalio/client';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js';
import type { StoredAnswer } from 'alas-jssp/llm';
import { isNotFound, patiently } from '../patience.js';

/**
 * Answers that models gave to the tasks of a run: on the server, where all its workers find them.
 */
export interface GivenAnswers {
  /** @param key of the request and its replicate */
  find(key: string): Promise<StoredAnswer | null>;
  /** Stores an answer; an existing one is kept. */
  keep(key: string, given: StoredAnswer): Promise<void>;
}

/** Days that an answer is kept on the server: the run needs it until its end. */
const DAYS_KEPT = 30;

const DAY = 86_400_000;

/**
 * Opens the answers of a run. Each is the input of a workflow whose id is made from the run and the request, like that
 * of a piece of a blob, so that storing and finding it take one call each.
 *
 * @param run its id, which is unchanged when it is resumed
 */
export function openGivenAnswers(client: Client, queue: string, run: string): GivenAnswers {
  const idOf = (key: string) => `alas-answer-${run}-${key}`;
  return {
    async find(key) {
      const handle = client.workflow.getHandle(idOf(key));
      try {
        const { events } = await patiently(() => handle.fetchHistory());
        const { input } = events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
        const { loadedDataConverter } = client.options;
        const [given] = await decodeArrayFromPayloads(loadedDataConverter, input?.payloads);
        return given as StoredAnswer;
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },
    async keep(key, given) {
      await patiently(() =>
        client.workflow.start('alasBlob', {
          workflowId: idOf(key),
          taskQueue: queue,
          args: [given],
          startDelay: DAYS_KEPT * DAY,
          workflowRunTimeout: DAY,
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      );
    },
  };
}
