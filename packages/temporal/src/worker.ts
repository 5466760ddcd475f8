import type { Registry } from '@alas-jssp/workflow';
import { Worker } from '@temporalio/worker';
import type { Address } from './address.js';
import { taskQueue, workerIdentity } from './build-id.js';
import { connectWorker } from './connection.js';
import { loadRegistry } from './load-registry.js';
import { createStepActivities } from './run/step-activities.js';
import { registerAttributes } from './shop/search-attributes.js';
import { createShopActivities } from './shop/shop-activities.js';
import { askingQueue } from './suite/asking-queue.js';
import { createTaskActivities } from './suite/task-activities.js';
import { tracingPlugin } from './telemetry/tracing.js';
import { workflowCode } from './workflow-code.js';

/** Settings of a worker. */
export interface WorkerSettings {
  readonly address: Address;
  /** Concurrent tasks of suites, each in a thread. */
  readonly slots: number;
  /**
   * Concurrent tasks that ask models, most of which wait. Default: the slots and {@link ASKING}
   * more.
   */
  readonly asking?: number | undefined;
  /** ES module that exports the handlers of workflows, or the folder of a draft. */
  readonly handlers?: string | undefined;
  /** The handlers themselves, instead of a module. */
  readonly registry?: Registry | undefined;
}

/** A worker that polls its queues. */
export interface TemporalWorker {
  /** Resolves when it was stopped; rejects when it failed. */
  readonly ended: Promise<void>;
  /** Takes no new tasks, returns its tasks, ends its steps, and stops. */
  stop(): Promise<void>;
}

/** Tasks that ask models that a worker takes beyond its slots. */
const ASKING = 4;

/** Maximum heartbeat interval of activities: the delay after which they learn of a cancellation. */
const HEARTBEATS = '2 seconds';

/** The same for steps of workflows, whose effects others wait to undo. */
const STEP_HEARTBEATS = '1 second';

/**
 * How long the sandbox may run one workflow without a pause. Temporal's five seconds pass with a
 * value of 20 MB or on a crowded machine, and Node does not survive the interruption of the
 * sandbox: one workflow would kill worker after worker.
 */
const IN_SANDBOX = { isolateExecutionTimeout: '2 minutes' } as const;

/**
 * Starts a worker in this process: it takes workflows and their steps from the queue of the
 * address, and tasks of suites from the queue of its own build.
 */
export async function startWorker(settings: WorkerSettings): Promise<TemporalWorker> {
  const { address, slots, asking = slots + ASKING, handlers } = settings;
  const { registry = await loadRegistry(handlers) } = settings;
  const { namespace, queue } = address;
  const { connection, client, dataConverter } = await connectWorker(address);
  const common = {
    connection,
    namespace,
    dataConverter,
    identity: workerIdentity(),
    maxHeartbeatThrottleInterval: HEARTBEATS,
  };
  const searchable = await registerAttributes(client);
  const forAll = await Worker.create({
    ...common,
    maxHeartbeatThrottleInterval: STEP_HEARTBEATS,
    ...IN_SANDBOX,
    taskQueue: queue,
    ...(await workflowCode()),
    // The activities of each part that runs on any build: a line for each.
    activities: {
      ...createStepActivities({ registry, client, queue }),
      ...createShopActivities({ client, queue, searchable }),
    },
  });
  const tasks = createTaskActivities({ client, queue, slots, asking });
  const plugins = [await tracingPlugin()].filter((plugin) => plugin !== undefined);
  const forTasks = await Worker.create({
    ...common,
    taskQueue: taskQueue(queue),
    activities: tasks.activities,
    plugins,
    maxConcurrentActivityTaskExecutions: slots,
  });
  const forAsking = await Worker.create({
    ...common,
    taskQueue: askingQueue(taskQueue(queue)),
    activities: tasks.activities,
    maxConcurrentActivityTaskExecutions: asking,
  });
  const workers = [forAll, forTasks, forAsking];
  const stop = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  // The failure of one ends the other, too: half a worker would only look like one.
  const running = workers.map((worker) => worker.run().finally(stop));
  const ended = Promise.allSettled(running).then(async (ends) => {
    await tasks.close();
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
