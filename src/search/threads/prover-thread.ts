import { serveCalls } from '@alas-jssp/core/thread-calls';
import type { ProvenBound } from '../../jssp/bounds.js';
import type { Instance } from '../../jssp/instance.js';
import { openChannel } from '../bounds/learning/clause-channel.js';
import { closeGap } from '../bounds/learning/closing.js';
import { strongLowerBound } from '../bounds/strong-lower-bound.js';

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

/** Listeners for what a prover finds. */
interface ProverListeners {
  onBound(bound: ProvenBound): void;
  onSchedule(found: ProverSchedule): void;
}

/** Proves bounds, and reports every bound, and every schedule better than all before, immediately. */
function prove(
  { instance, branches, clauses, variant, found }: ProverTask,
  listeners: ProverListeners,
): void {
  const upperBoundNow = () => Atomics.load(found, 0);
  const onBound = (value: number) =>
    listeners.onBound({ value, source: 'destructive improvement' });
  const bound = strongLowerBound(instance, { maxNodes: 0, upperBoundNow, onBound });
  listeners.onBound(bound);
  if (!branches) return;
  closeGap(instance, {
    value: bound.value,
    upper: upperBoundNow(),
    upperBoundNow,
    isOver: () => false,
    channel: openChannel(clauses, variant),
    variant,
    onBound,
    onSchedule: (starts, makespan) => listeners.onSchedule({ starts: starts.slice(), makespan }),
  });
}

const functions = { prove };
/** The functions of a prover's thread. */
export type ProverFunctions = typeof functions;
serveCalls(functions);
