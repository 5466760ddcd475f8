import { activityInfo, CancelledFailure, Context } from '@temporalio/activity';
import { ApplicationFailure, type Client } from '@temporalio/client';
import { InputError } from 'alas-jssp';
import {
  askingPlanner,
  createTaskRunner,
  type RunBundle,
  type TaskResult,
} from 'alas-jssp/harness';
import { type BlobRef, getBlob, putBlob } from '../blobs/blob.js';
import type { SentModels } from '../models/sent-models.js';
import { openTaskModels } from '../models/task-models.js';
import { patiently } from '../patience.js';

/**
 * A run as its workers receive it: its bundle, and where the starter's own instances and files are.
 */
export interface SentBundle {
  readonly bundle: RunBundle;
  /** By the SHA-256 of their content. */
  readonly contents: Readonly<Record<string, BlobRef>>;
  /** Null if it asks none. */
  readonly models: SentModels | null;
}

/** A task of a run. */
export interface TaskInput {
  readonly bundle: BlobRef;
  readonly index: number;
}

/** The result of a task in the history of its slice: whole, or as a blob if it is large. */
export interface TaskOutput {
  readonly stopped: string | null;
  readonly result: TaskResult | BlobRef;
  /** Keys of the models' answers, which are on the server. */
  readonly answers?: readonly string[];
}

/** The activities of suites, by the names that histories have. */
export interface TaskActivities {
  performTask(input: TaskInput): Promise<TaskOutput>;
}

/** Heartbeat interval of a task: several fit into the time before it is given to another worker. */
const HEARTBEAT = 2_000;

/** Maximum bytes of a result in a history, which holds those of all tasks of a slice. */
const LARGE = 32_000;

/** The activities of suites, and the function that ends their threads. */
export function createTaskActivities({
  client,
  queue,
  slots,
  asking,
}: {
  readonly client: Client;
  readonly queue: string;
  readonly slots: number;
  /** Maximum number of concurrent tasks that ask models. */
  readonly asking: number;
}): { readonly activities: TaskActivities; close(): Promise<void> } {
  const runner = createTaskRunner({ slots, asking });
  const models = openTaskModels(client, queue);
  const bundles = new Map<string, Promise<SentBundle>>();
  const get = (ref: BlobRef) => patiently(() => getBlob(client, ref));
  const bundleOf = (ref: BlobRef): Promise<SentBundle> => {
    const known = bundles.get(ref.sha256);
    if (known !== undefined) return known;
    const reading = get(ref).then((bytes): SentBundle => JSON.parse(Buffer.from(bytes).toString()));
    // Of runs that take turns on a queue, a few.
    for (const [oldest] of bundles) if (bundles.size >= 4) bundles.delete(oldest);
    bundles.set(ref.sha256, reading);
    reading.catch(() => bundles.delete(ref.sha256));
    return reading;
  };
  return {
    activities: {
      async performTask({ bundle: ref, index }) {
        const context = Context.current();
        const signal = context.cancellationSignal;
        const beat = setInterval(() => context.heartbeat(), HEARTBEAT);
        try {
          const { bundle, contents, models: sent } = await bundleOf(ref);
          const planner = askingPlanner(bundle, index);
          const asked =
            sent === null || planner === null ? null : await models.begin(sent, planner, signal);
          const performing = runner.perform(bundle, index, {
            fetchContent: (sha256) => get(contents[sha256]),
            signal,
            models: asked?.models,
          });
          const result = await performing.catch(refusalOf);
          requireWanted(signal, result);
          const bytes = Buffer.from(JSON.stringify(result));
          const isLarge = bytes.length > LARGE;
          return {
            stopped: result.stopped,
            result: isLarge ? await patiently(() => putBlob(client, queue, bytes)) : result,
            ...(asked && { answers: asked.answers() }),
          };
        } finally {
          clearInterval(beat);
        }
      },
    },
    async close() {
      models.close();
      await runner.close();
    },
  };
}

/**
 * Ends the run of a task that this machine rejects because its files differ from those of the run's
 * start: all other tasks would be rejected here, too, and the starter would only learn it after the
 * last attempt.
 */
function refusalOf(error: unknown): TaskResult {
  if (!(error instanceof InputError)) throw error;
  return { records: [], files: [], answers: [], stopped: error.message };
}

/**
 * Discards results of a cancelled run that contain nothing, and interrupted ones if this worker is
 * shutting down: another one repeats the task from its start.
 */
function requireWanted(signal: AbortSignal, { records }: TaskResult): void {
  if (!signal.aborted) return;
  const { reason } = signal;
  const isCancelled = reason instanceof CancelledFailure && reason.message === 'CANCELLED';
  if (isCancelled && records.length > 0) return;
  if (isCancelled) throw reason;
  const { attempt } = activityInfo();
  throw ApplicationFailure.retryable(
    `its worker was stopped in attempt ${attempt}`,
    'worker_stopped',
  );
}
