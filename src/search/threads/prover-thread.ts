import { monotonicSeconds } from '@alas-jssp/core/clock';
import { serveCalls } from '@alas-jssp/core/thread-calls';
import { lowerBound, type ProvenBound } from '../../jssp/bounds.js';
import type { Instance } from '../../jssp/instance.js';
import { isClassic } from '../../jssp/shop-parts.js';
import { orderByStart } from '../../jssp/shop-timing/lists.js';
import { closeShopGap } from '../bounds/flexible/shop-closing.js';
import { openChannel } from '../bounds/learning/clause-channel.js';
import { closeGap } from '../bounds/learning/closing.js';
import { strongLowerBound } from '../bounds/strong-lower-bound.js';
import { orderByTime } from '../evolution/solution.js';
import { solutionOfList } from '../solutions.js';

/** The task of a prover's thread. */
export interface ProverTask {
  readonly instance: Instance;
  /** The contradictions after which it ends; 0: it does not branch after propagation. */
  readonly conflicts: number;
  /** The share of the time in which it branches, above 0; 1 for all of it. */
  readonly share: number;
  /** Memory for clauses of all threads, and the number of this one. */
  readonly clauses: Int32Array;
  readonly variant: number;
  /** One entry, shared: the least makespan that the search has found so far. */
  readonly found: Int32Array;
  /** One entry, shared: 1 while it yields most of its time to others. */
  readonly resting: Int32Array;
}

/** A schedule found by a prover, as a solution of the problem. */
export interface ProverSchedule {
  readonly solution: Int32Array;
  readonly makespan: number;
}

/** Listeners for what a prover finds. */
interface ProverListeners {
  onBound(bound: ProvenBound): void;
  onSchedule(found: ProverSchedule): void;
}

/** Milliseconds of work between two rests, … */
const WORK = 5;
/** … and of rest, for each of them. */
const REST = 3;

/** Rests, when called often enough, for most of the time while the entry is 1. */
function createRests(resting: Int32Array): () => void {
  let began = monotonicSeconds();
  return () => {
    if (Atomics.load(resting, 0) === 0) return;
    if (1000 * (monotonicSeconds() - began) < WORK) return;
    Atomics.wait(resting, 0, 1, REST * WORK);
    began = monotonicSeconds();
  };
}

/** Milliseconds of work before a share of the time is all that there is, and between two rests from then on. */
const HEAD_START = 500;
const SHARED_WORK = 20;

/** Rests, when called often enough, so that the thread works for a share of the time. */
function createPace(share: number): () => void {
  if (share >= 1) return () => {};
  const bed = new Int32Array(new SharedArrayBuffer(4));
  let began = monotonicSeconds();
  let most = HEAD_START;
  return () => {
    if (1000 * (monotonicSeconds() - began) < most) return;
    most = SHARED_WORK;
    Atomics.wait(bed, 0, 0, (SHARED_WORK * (1 - share)) / share);
    began = monotonicSeconds();
  };
}

/** Proves bounds, and reports every bound, and every schedule better than all before, immediately. */
function prove(task: ProverTask, listeners: ProverListeners): void {
  const { instance, conflicts, share, clauses, variant, found } = task;
  const upperBoundNow = () => Atomics.load(found, 0);
  const onBound = (value: number) =>
    listeners.onBound({ value, source: 'destructive improvement' });
  const isShop = !isClassic(instance);
  const bound = isShop
    ? lowerBound(instance)
    : strongLowerBound(instance, { maxNodes: 0, upperBoundNow, onBound });
  listeners.onBound(bound);
  if (conflicts === 0) return;
  const rest = createRests(task.resting);
  let polls = 0;
  const pace = createPace(share);
  const gap = {
    value: bound.value,
    upper: upperBoundNow(),
    upperBoundNow,
    // Polled at each contradiction.
    isOver: () => {
      rest();
      pace();
      return ++polls > conflicts;
    },
    channel: openChannel(clauses, variant),
    variant,
    onBound,
  };
  if (isShop) {
    closeShopGap(instance, {
      ...gap,
      onSchedule: (starts, chosen, makespan) => {
        const list = { order: orderByStart(instance, starts), modes: chosen };
        listeners.onSchedule({ solution: solutionOfList(list), makespan });
      },
    });
    return;
  }
  closeGap(instance, {
    ...gap,
    fromBelow: share < 1,
    onSchedule: (starts, makespan) =>
      listeners.onSchedule({ solution: orderByTime(starts), makespan }),
  });
}

const functions = { prove };
/** The functions of a prover's thread. */
export type ProverFunctions = typeof functions;
serveCalls(functions);
