import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '@alas-jssp/workflow/interpreter';
import type { Client } from '@temporalio/client';
import { bundleContents, type RunBundle, type RunJob, type RunWork } from 'alas-jssp/harness';
import type { Usage } from 'alas-jssp/llm';
import type { Address } from '../address.js';
import { type BlobRef, putBlob } from '../blobs/blob.js';
import { taskQueue } from '../build-id.js';
import { partTasks, type SentModels, sendModels } from '../models/sent-models.js';
import { patiently } from '../patience.js';
import { formatRanges } from './ranges.js';
import type { alasSuite, SuiteInput } from './suite-workflow.js';
import type { SentBundle } from './task-activities.js';

/** A run to perform on a server. */
export interface Suite {
  readonly client: Client;
  readonly place: Address;
  readonly job: RunJob;
  readonly bundle: RunBundle;
  readonly work: RunWork;
  readonly slice: number;
  readonly window: number;
  readonly lease: number | undefined;
  /** Spending of the run on models since it was begun or resumed here; null for none. */
  spent: Usage | null;
}

/** The id of the workflow of a run. */
export function suiteId({ work }: Suite): string {
  return `alas-suite-${work.id}`;
}

/** Starts the workflow of a run, replacing an existing one of that name. */
export async function startSuite(
  suite: Suite,
  open: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { client, place, job, window, slice: size } = suite;
  const workflowId = suiteId(suite);
  const slices = `${workflowId}/${randomBytes(3).toString('hex')}`;
  const names = { run: suite.work.id, ledger: `${slices}/ledger`, lease: suite.lease };
  const models = await sendModels(client, place.queue, job, names, signal);
  const { computing, asking } = partTasks(suite.bundle, open);
  const input: SuiteInput = {
    run: checksumOf(suite.bundle),
    bundle: await putBundle(suite, models, signal),
    tasks: taskQueue(place.queue),
    open: formatRanges(computing),
    size,
    window,
    slices,
    ...(models && { asking: formatRanges(asking), ledger: ledgerOf(models, suite.spent) }),
  };
  await patiently(
    () =>
      client.workflow.start<typeof alasSuite>('alasSuite', {
        workflowId,
        taskQueue: place.queue,
        args: [input],
        workflowIdConflictPolicy: 'TERMINATE_EXISTING',
        staticSummary: `${open.size} tasks of ${job.spec.suite ?? 'instances of its own'}`,
        staticDetails: `planners: ${job.spec.planners.join(', ')}`,
      }),
    signal,
  );
  // No client was there to receive an earlier end.
  if (job.signal?.aborted) await patiently(() => client.workflow.getHandle(workflowId).cancel());
  return models?.ledger;
}

function ledgerOf(
  { ledger: workflowId, budget, limits, lease }: SentModels,
  before: Usage | null,
): NonNullable<SuiteInput['ledger']> {
  const input = { budget, limits, ...(lease && { lease }), ...(before && { before }) };
  return { workflowId, input };
}

/**
 * A name that distinguishes two runs. The number of the starter's threads does not matter, nor the order in which a
 * specification states its settings.
 */
export function checksumOf(bundle: RunBundle): string {
  const stated = JSON.parse(JSON.stringify({ ...bundle, spec: { ...bundle.spec, workers: 1 } }));
  return createHash('sha256').update(canonicalJson(stated)).digest('hex');
}

/** Stores all data that the tasks of a run need on the server. */
async function putBundle(
  suite: Suite,
  models: SentModels | null,
  signal: AbortSignal,
): Promise<BlobRef> {
  const { client, place, job, bundle } = suite;
  const put = (bytes: Uint8Array) => patiently(() => putBlob(client, place.queue, bytes), signal);
  const contents: Record<string, BlobRef> = {};
  for (const { sha256, read } of bundleContents(job, bundle)) contents[sha256] = await put(read());
  return put(Buffer.from(JSON.stringify({ bundle, contents, models } satisfies SentBundle)));
}
