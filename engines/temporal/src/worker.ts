import { readFileSync } from 'node:fs';
import { stderr } from 'node:process';
import { fileURLToPath } from 'node:url';
import {
  DefaultLogger,
  type LogEntry,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import type { Address } from './address.js';
import { taskQueue, workerIdentity } from './build-id.js';
import { connect } from './connection.js';
import { createTaskActivities } from './suite/task-activities.js';

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
  const { address, slots } = settings;
  const { server, namespace, queue } = address;
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
  const client = await connect(address);
  const tasks = createTaskActivities({ client, queue, slots });
  const forTasks = await Worker.create({
    ...common,
    taskQueue: taskQueue(queue),
    activities: tasks.activities,
    maxConcurrentActivityTaskExecutions: slots,
  });
  const workers = [forAll, forTasks];
  const stop = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  // One that breaks off takes the other with it: half a worker would only look like one.
  const running = workers.map((worker) => worker.run().finally(stop));
  const ended = Promise.allSettled(running).then(async (ends) => {
    await tasks.close();
    await Promise.all([connection.close(), client.connection.close()]);
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
  Runtime.install({ logger: new DefaultLogger('WARN', log), shutdownSignals: [] });
}

/** Writes a line for people; that a queue has workflows or activities alone is as it should be. */
function log({ level, message, meta }: LogEntry): void {
  if (/^No (activities|workflows) registered/.test(message)) return;
  const { error, workflowId = '', activityId = '' } = meta ?? {};
  const reason = error instanceof Error ? `: ${error.message}` : '';
  const line = [level.toLowerCase(), workflowId, activityId, `${message}${reason}`.split('\n')[0]];
  stderr.write(`${line.filter((part) => part !== '').join(' ')}\n`);
}
