import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { AlasError } from 'alas-jssp';
import { type Address, formatAddress } from './address.js';
import { buildOfWorker } from './build-id.js';
import { isServerAway } from './patience.js';

/** Milliseconds between two checks of a queue. */
const LOOK = 5_000;

/**
 * Milliseconds without a poll after which a worker counts as gone: polls are kept open for a
 * minute.
 */
const GONE = 70_000;

/** Kinds of tasks on a queue, by their numbers in the protocol. */
const WORKFLOWS = 1;
const ACTIVITIES = 2;

/** A queue, and the workers needed there. */
interface Watched {
  readonly address: Address;
  readonly tasks?: string | undefined;
  readonly wanting?: (() => Promise<string | undefined>) | undefined;
}

/**
 * Watches the server and the workers of a queue during a wait, and reports in a line when they are
 * missing, or back. Ends with `signal`.
 *
 * @param tasks the queue of the build whose workers are needed; without it those of any build are
 *   enough
 * @param wanting finds what the present workers lack
 */
export async function watchQueue(
  client: Client,
  { address, tasks, wanting }: Watched,
  onNotice: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let said: string | null = null;
  let before: string | null = null;
  while (!signal.aborted) {
    const line = await lookAt(client, { address, tasks, wanting }).catch((error: unknown) => {
      if (isServerAway(error)) return `nothing answers at ${address.server}: waiting for it`;
      throw error;
    });
    // Workers or servers that have just started are invisible for a moment: a second check decides.
    if (line !== said && line === before) {
      onNotice(line ?? 'the server and workers for this run are there');
      said = line;
    }
    before = line;
    await sleep(LOOK, undefined, { signal, ref: false }).catch(() => {});
  }
}

/**
 * Requires a worker on a queue, for callers that do not wait for one.
 *
 * @throws AlasError `no_worker`, with a line on how to start one
 */
export async function requireWorker(client: Client, address: Address): Promise<void> {
  for (const isLast of [false, true]) {
    if ((await pollersOf(client, address.queue, WORKFLOWS)).length > 0) return;
    if (isLast) throw new AlasError('no_worker', `nothing was sent: ${noWorker(address)}`);
    // Workers that have just started are invisible for a moment.
    await sleep(LOOK);
  }
}

function noWorker(address: Address): string {
  return `no worker polls this queue; start one: ${workerCommand(address)}`;
}

function workerCommand(address: Address): string {
  return `alas-jssp-temporal worker --address '${formatAddress(address)}'`;
}

/** A line with the missing workers of a queue; null if none are. */
async function lookAt(
  client: Client,
  { address, tasks, wanting }: Watched,
): Promise<string | null> {
  const workers = await pollersOf(client, address.queue, WORKFLOWS);
  const command = workerCommand(address);
  if (workers.length === 0) return noWorker(address);
  const wanted = await wanting?.();
  if (wanted !== undefined) {
    return `workers here have no ${wanted}; start one with them: ${command} --handlers MODULE`;
  }
  if (tasks === undefined || (await pollersOf(client, tasks, ACTIVITIES)).length > 0) return null;
  const builds = [...new Set(workers.map((worker) => buildOfWorker(worker) ?? worker))];
  const build = tasks.slice(address.queue.length + 1);
  return `no worker of build ${build} polls this queue, only of ${builds.join(', ')}; start one: ${command}`;
}

/** The names of the workers that poll a queue. */
async function pollersOf(client: Client, name: string, kind: number): Promise<string[]> {
  const { connection, workflowService, options } = client;
  const { pollers } = await connection.withDeadline(Date.now() + LOOK, () =>
    workflowService.describeTaskQueue({
      namespace: options.namespace,
      taskQueue: { name },
      taskQueueType: kind,
    }),
  );
  const now = Date.now();
  return (pollers ?? []).flatMap(({ identity, lastAccessTime }) => {
    const last = Number(lastAccessTime?.seconds ?? 0) * 1000;
    return now - last < GONE ? [identity ?? ''] : [];
  });
}
