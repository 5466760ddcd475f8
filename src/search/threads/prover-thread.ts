import { parentPort, workerData } from 'node:worker_threads';
import type { Instance } from '../../jssp/instance.js';
import { type StrongLowerBound, strongLowerBound } from '../bounds/strong-lower-bound.js';
import { postDone } from './thread.js';

/** The task that the thread of a prover starts with. */
export interface ProverTask {
  readonly instance: Instance;
  readonly maxNodes: number;
  /** One entry, shared: the least makespan that the search has found by now. */
  readonly found: Int32Array;
}

/** Proves what it can, and tells every bound as soon as it stands. */
function prove({ instance, maxNodes, found }: ProverTask): void {
  const tell = (bound: StrongLowerBound) => parentPort?.postMessage(bound);
  const last = strongLowerBound(instance, {
    maxNodes,
    upperBoundNow: () => Atomics.load(found, 0),
    onBound: (value) => tell({ value, source: 'destructive improvement' }),
  });
  tell(last);
}

prove(workerData as ProverTask);
postDone();
