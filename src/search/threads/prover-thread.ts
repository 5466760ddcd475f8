import { parentPort, workerData } from 'node:worker_threads';
import type { ProvenBound } from '../../jssp/bounds.js';
import type { Instance } from '../../jssp/instance.js';
import { openChannel } from '../bounds/learning/clause-channel.js';
import { closeGap } from '../bounds/learning/closing.js';
import { strongLowerBound } from '../bounds/strong-lower-bound.js';
import { postDone } from './thread.js';

/** The task of a prover's thread. */
export interface ProverTask {
  readonly instance: Instance;
  /** Whether it continues with branching after propagation. */
  readonly branches: boolean;
  /** Memory for clauses of all threads, and the number of this one. */
  readonly clauses: Int32Array;
  readonly variant: number;
  /** One entry, shared: the least makespan that the search has found so far. */
  readonly found: Int32Array;
}

/** A schedule found by a prover: starts (N entries). */
export interface ProverSchedule {
  readonly starts: Int32Array;
  readonly makespan: number;
}

/** A message of a prover. */
export interface ProverMessage {
  readonly bound?: ProvenBound;
  readonly schedule?: ProverSchedule;
}

/** Proves bounds, and posts every bound, and every schedule better than all before, immediately. */
function prove({ instance, branches, clauses, variant, found }: ProverTask): void {
  const post = (message: ProverMessage) => parentPort?.postMessage(message);
  const upperBoundNow = () => Atomics.load(found, 0);
  const onBound = (value: number) => post({ bound: { value, source: 'destructive improvement' } });
  const bound = strongLowerBound(instance, { maxNodes: 0, upperBoundNow, onBound });
  post({ bound });
  if (!branches) return;
  closeGap(instance, {
    value: bound.value,
    upper: upperBoundNow(),
    upperBoundNow,
    isOver: () => false,
    channel: openChannel(clauses, variant),
    variant,
    onBound,
    onSchedule: (starts, makespan) => post({ schedule: { starts: starts.slice(), makespan } }),
  });
}

prove(workerData as ProverTask);
postDone();
