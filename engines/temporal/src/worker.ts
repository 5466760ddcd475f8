import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { Address } from './address.js';

/** Settings of a worker. */
export interface WorkerSettings {
  readonly address: Address;
  /** Tasks at the same time, each in a thread. */
  readonly slots: number;
}

/** A worker that polls its queues. */
export interface TemporalWorker {
  /** Resolves when it was stopped; rejects when it broke off. */
  readonly ended: Promise<void>;
  /** Takes nothing new, ends what it has, and leaves. */
  stop(): Promise<void>;
}

/** The workflows as they were bundled when this package was built. */
const BUNDLE = fileURLToPath(new URL('../dist/workflow-bundle.js', import.meta.url));

/** Starts a worker in this process. */
export async function startWorker({ address }: WorkerSettings): Promise<TemporalWorker> {
  Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: [] });
  const { server, namespace, queue } = address;
  const connection = await NativeConnection.connect({ address: server });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: queue,
    workflowBundle: { code: readFileSync(BUNDLE, 'utf8') },
    activities: {},
  });
  const ended = worker.run().finally(() => connection.close());
  return {
    ended,
    stop() {
      worker.shutdown();
      return ended;
    },
  };
}
