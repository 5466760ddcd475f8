import type { Client } from '@temporalio/client';
import {
  askingPlanner,
  type ModelBundle,
  modelBundleOf,
  type RunBundle,
  type RunJob,
  storedAnswers,
} from 'alas-jssp/harness';
import { type BlobRef, putBlob } from '../blobs/blob.js';
import { patiently } from '../patience.js';

/** The models of a run as its workers receive them. */
export interface SentModels extends ModelBundle {
  /** Identifies the run, and the answers of its models. */
  readonly run: string;
  /** Id of its ledger. */
  readonly ledger: string;
  /** Seconds, see `alasLedger`. */
  readonly lease?: number | undefined;
  /** Existing answers, as `SentAnswers`: those of a resumed run, or of `--record`. */
  readonly answers: BlobRef | null;
  /** Answers that planners replay. */
  readonly replays: Readonly<Record<string, BlobRef>>;
}

/** Texts of answers by the keys of their requests: the JSON of their blob. */
export type SentAnswers = Readonly<Record<string, string>>;

/**
 * Stores existing answers on the server, for all workers.
 *
 * @returns null for a run without models
 */
export async function sendModels(
  client: Client,
  queue: string,
  job: RunJob,
  names: Pick<SentModels, 'run' | 'ledger' | 'lease'>,
  signal: AbortSignal,
): Promise<SentModels | null> {
  const bundle = modelBundleOf(job);
  if (bundle === null) return null;
  let answers: BlobRef | null = null;
  const replays: Record<string, BlobRef> = {};
  for (const { planner, texts } of storedAnswers(job)) {
    if (planner === null && Object.keys(texts).length === 0) continue;
    const bytes = Buffer.from(JSON.stringify(texts satisfies SentAnswers));
    const ref = await patiently(() => putBlob(client, queue, bytes), signal);
    if (planner === null) answers = ref;
    else replays[planner] = ref;
  }
  return { ...bundle, ...names, answers, replays };
}

/** Splits the tasks of a run: those that compute, and those that ask models. */
export function partTasks(
  bundle: RunBundle,
  tasks: Iterable<number>,
): { readonly computing: number[]; readonly asking: number[] } {
  const computing: number[] = [];
  const asking: number[] = [];
  for (const index of tasks)
    (askingPlanner(bundle, index) === null ? computing : asking).push(index);
  return { computing, asking };
}
