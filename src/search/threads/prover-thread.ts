import { parentPort, workerData } from 'node:worker_threads';
import type { ProvenBound } from '../../jssp/bounds.js';
import type { Instance } from '../../jssp/instance.js';
import { openChannel } from '../bounds/learning/clause-channel.js';
import { closeGap } from '../bounds/learning/closing.js';
import { strongLowerBound } from '../bounds/strong-lower-bound.js';
import { postDone } from './thread.js';

/** The task that the thread of a prover starts with. */
export interface ProverTask {
  readonly instance: Instance;
  /** Whether it goes on where propagation ends. */
  readonly branches: boolean;
  /** Memory for clauses of all threads, and the number of this one. */
  readonly clauses: Int32Array;
  readonly variant: number;
  /** One entry, shared: the least makespan that the search has found by now. */
  readonly found: Int32Array;
}

/** A schedule that a prover came across: starts (N entries). */
export interface ProverSchedule {
  readonly starts: Int32Array;
  readonly makespan: number;
}

/** A message of a prover. */
export interface ProverNews {
  readonly bound?: ProvenBound;
  readonly schedule?: ProverSchedule;
}

/** Proves what it can, and tells every bound, and every schedule better than all before, as soon as it stands. */
function prove({ instance, branches, clauses, variant, found }: ProverTask): void {
  const tell = (news: ProverNews) => parentPort?.postMessage(news);
  const upperBoundNow = () => Atomics.load(found, 0);
  const onBound = (value: number) => tell({ bound: { value, source: 'destructive improvement' } });
  const bound = strongLowerBound(instance, { maxNodes: 0, upperBoundNow, onBound });
  tell({ bound });
  if (!branches) return;
  closeGap(instance, {
    value: bound.value,
    upper: upperBoundNow(),
    upperBoundNow,
    isOver: () => false,
    channel: openChannel(clauses, variant),
    variant,
    onBound,
    onSchedule: (starts, makespan) => tell({ schedule: { starts: starts.slice(), makespan } }),
  });
}

prove(workerData as ProverTask);
postDone();
