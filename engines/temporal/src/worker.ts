import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { pid } from 'node:process';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { Address } from './address.js';
import { buildId } from './build-id.js';

/** Settings of a worker. */
export interface WorkerSettings {
  readonly address: Address;
  /** Tasks of suites at the same time, each in a thread. */
  readonly slots: number;
  /** ES module that exports the handlers of workflows. */
  readonly handlers?: string | undefined;
}

/** A worker that polls its queues. */
export interface TemporalWorker {
  /** Resolves when it was stopped; rejects when it broke off. */
  readonly ended: Promise<void>;
  /** Takes nothing new, gives back the tasks that it has, ends its steps, and leaves. */
  stop(): Promise<void>;
}

/** The workflows as they were bundled when this package was built. */
const BUNDLE = fileURLToPath(new URL('../dist/workflow-bundle.js', import.meta.url));

/** How often a worker tells the server of an activity at most: so soon it learns that somebody cancelled it. */
const HEARTBEATS = '2 seconds';

/**
 * Starts a worker in this process: it takes workflows and their steps from the queue of the address, and tasks of
 * suites from the queue of its own build.
 */
export async function startWorker(settings: WorkerSettings): Promise<TemporalWorker> {
  installRuntime();
  const { server, namespace, queue } = settings.address;
  const connection = await NativeConnection.connect({ address: server });
  const common = {
    connection,
    namespace,
    identity: workerIdentity(),
    maxHeartbeatThrottleInterval: HEARTBEATS,
  };
  const forAll = await Worker.create({
    ...common,
    taskQueue: queue,
    workflowBundle: { code: readFileSync(BUNDLE, 'utf8') },
    // The activities of each part that runs on any build: a line for each.
    activities: {},
  });
  const workers = [forAll];
  const stop = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  // One that breaks off takes the other with it: half a worker would only look like one.
  const running = workers.map((worker) => worker.run().finally(stop));
  const ended = Promise.allSettled(running).then(async (ends) => {
    await connection.close();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  });
  return {
    ended,
    stop() {
      stop();
      return ended;
    },
  };
}

let isInstalled = false;

/** Sets up what all workers of a process share, once. */
function installRuntime(): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: [] });
}

/** How a worker calls itself: which builds are on a queue can be read from the names of its workers. */
function workerIdentity(): string {
  return `${pid}@${hostname()} ${buildId()}`;
}

/** The build in the name of a worker, if it is one of ours. */
export function buildOfWorker(identity: string): string | undefined {
  return / (\S+)$/.exec(identity)?.[1];
}
