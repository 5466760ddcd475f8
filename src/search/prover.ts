import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { lowerBound, simpleBound } from '../jssp/bounds.js';
import { type Instance, shareInstance } from '../jssp/instance.js';
import { tardinessLowerBound } from '../jssp/objectives.js';
import { strongLowerBound } from './bounds/strong-lower-bound.js';
import type { Problem } from './problem.js';
import type { ProverTask } from './prover-thread.js';

/** A lower bound on the objective, and the argument or the authority that proves it. */
export interface ProvenBound {
  readonly value: number;
  readonly source: string;
}

/** Proves lower bounds for a search. */
export interface Prover {
  /** The best bound so far. */
  readonly bound: ProvenBound;
  /** Tells it the best value of the search, which no bound exceeds; Infinity says nothing. */
  tell(value: number): void;
  /** Ends its thread, without waiting for it. */
  close(): void;
}

/** Up to so many operations the bounds of `jssp/bounds.ts` take milliseconds. */
const MOST_AT_ONCE = 5000;
/** Up to so many operations propagation takes milliseconds. */
const MOST_PROPAGATED_HERE = 150;
/** Up to so many operations branching has hope; without any it only takes time from the search. */
const MOST_BRANCHED = 225;
/** Milliseconds between two looks at a thread. */
const TURN = 5;

/**
 * Proves beside the search: the simple bounds at once and, as soon as there is a schedule that they
 * do not meet, more in a thread of its own. That branches for as long as it may on small instances,
 * and ends after propagation on others.
 *
 * @param known a bound from elsewhere
 */
export function proveBeside(problem: Problem, known: ProvenBound | undefined): Prover {
  const { given: instance, objective } = problem;
  if (objective !== 'makespan') return proveTardiness(instance, known);
  const isSmall = instance.operations <= MOST_AT_ONCE;
  const first = stronger(isSmall ? lowerBound(instance) : simpleBound(instance), known);
  const maxNodes = instance.operations <= MOST_BRANCHED ? Number.POSITIVE_INFINITY : 0;
  let thread: ProverThread | null = null;
  const current = () => stronger(thread?.bound() ?? first, first);
  return {
    get bound() {
      return current();
    },
    tell: (makespan) => {
      if (makespan <= current().value || makespan === Number.POSITIVE_INFINITY) return;
      thread ??= startThread(instance, maxNodes);
      thread.tell(makespan);
    },
    close: () => thread?.close(),
  };
}

/**
 * Proves by propagation before the search begins, and nothing more: the bound depends on the
 * instance alone.
 *
 * @param known a bound from elsewhere
 * @param signal when aborted, the bound is what is proven until then
 */
export async function proveBefore(
  { given: instance, objective }: Problem,
  known: ProvenBound | undefined,
  signal: AbortSignal | undefined,
): Promise<Prover> {
  if (objective !== 'makespan') return proveTardiness(instance, known);
  const isSmall = instance.operations <= MOST_PROPAGATED_HERE;
  const own = isSmall
    ? strongLowerBound(instance, { maxNodes: 0 })
    : await propagateInThread(instance, signal);
  return { bound: stronger(own, known), tell: () => {}, close: () => {} };
}

/** What every job misses that runs alone in the shop is all that is known of tardiness. */
function proveTardiness(instance: Instance, known: ProvenBound | undefined): Prover {
  const own = { value: tardinessLowerBound(instance), source: 'jobs alone in the shop' };
  return { bound: stronger(own, known), tell: () => {}, close: () => {} };
}

/** The calling thread stays free to hear that it is to stop. */
async function propagateInThread(
  instance: Instance,
  signal: AbortSignal | undefined,
): Promise<ProvenBound> {
  const thread = startThread(instance, 0);
  try {
    while (!thread.ended() && !signal?.aborted) await setTimeout(TURN);
    return thread.bound() ?? simpleBound(instance);
  } finally {
    thread.close();
  }
}

/** A thread that proves; what throws in there is thrown by `bound` and `ended`. */
interface ProverThread {
  /** Null before there is one. */
  bound(): ProvenBound | null;
  ended(): boolean;
  tell(makespan: number): void;
  close(): void;
}

function startThread(instance: Instance, maxNodes: number): ProverThread {
  const found = new Int32Array(new SharedArrayBuffer(4)).fill(2 ** 31 - 1);
  const task: ProverTask = { instance: shareInstance(instance), maxNodes, found };
  const file = createRequire(import.meta.url).resolve('#search-prover');
  let bound: ProvenBound | null = null;
  let hasEnded = false;
  let failure: unknown = null;
  const worker = new Worker(file, { workerData: task })
    .on('message', (proven: ProvenBound) => {
      if (proven.value > (bound?.value ?? -1)) bound = proven;
    })
    .on('exit', () => {
      hasEnded = true;
    })
    .on('error', (error) => {
      failure = error;
    });
  const orThrow = <T>(value: T): T => {
    if (failure !== null) throw failure;
    return value;
  };
  return {
    bound: () => orThrow(bound),
    ended: () => orThrow(hasEnded),
    tell: (makespan) => void Atomics.store(found, 0, makespan),
    close: () => void worker.terminate(),
  };
}

/** The larger bound; of equal ones the first. */
function stronger(one: ProvenBound, other: ProvenBound | undefined): ProvenBound {
  return other !== undefined && other.value > one.value ? other : one;
}
