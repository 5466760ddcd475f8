import { setTimeout } from 'node:timers/promises';
import { type LowerBound, lowerBound, type ProvenBound, simpleBound } from '../../jssp/bounds.js';
import type { Instance } from '../../jssp/instance.js';
import { tardinessBound } from '../../jssp/objectives.js';
import { shareInstance } from '../../jssp/share-instance.js';
import { strongLowerBound } from '../bounds/strong-lower-bound.js';
import type { Problem } from '../problem.js';
import type { ProverNews, ProverTask } from './prover-thread.js';
import { startThread, type Thread } from './thread.js';

/** Proves lower bounds for a search. */
export interface Prover {
  /** The best bound so far. */
  readonly bound: ProvenBound;
  /** Tells it the best value of the search, which no bound exceeds; Infinity says nothing. */
  tell(value: number): void;
  /** The starts (N entries) of the last schedule better than all told before that it came across itself; or null. */
  readonly schedule: Int32Array | null;
  /** The reason why its thread died, which leaves the bound where it was; else null. */
  readonly failure: unknown;
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
 * The best bound on the makespan that takes milliseconds, downtimes and frozen starts respected. O(N log N):
 * 1 ms at 2,500 operations on 50 machines that are down three times each; 4 ms at 10,000.
 */
export function quickBound(instance: Instance): LowerBound {
  return instance.operations <= MOST_AT_ONCE ? lowerBound(instance) : simpleBound(instance);
}

/**
 * Proves in parallel to the search: the simple bounds at once and, as soon as there is a schedule that they
 * do not meet, more in a thread of its own. That branches for as long as it may on small instances, where it comes across schedules, too,
 * and ends after propagation on others.
 *
 * @param known a bound from elsewhere
 */
export function proveInParallel(problem: Problem, known: ProvenBound | undefined): Prover {
  const { given: instance, objective } = problem;
  if (objective !== 'makespan') return proveTardiness(instance, known);
  const first = strongerBound(quickBound(instance), known);
  const branches = instance.operations <= MOST_BRANCHED;
  let thread: ProverThread | null = null;
  const current = () => strongerBound(thread?.bound ?? first, first);
  return {
    get bound() {
      return current();
    },
    tell: (makespan) => {
      if (makespan <= current().value || makespan === Number.POSITIVE_INFINITY) return;
      thread ??= startProving(instance, branches);
      thread.tell(makespan);
    },
    get schedule() {
      // Proofs leave calendars out.
      return instance.calendar === null ? (thread?.schedule ?? null) : null;
    },
    get failure() {
      return thread?.failure ?? null;
    },
    close: () => thread?.close(),
  };
}

/**
 * Proves by propagation before the search begins, and nothing more: the bound depends on the
 * instance alone.
 *
 * @param known a bound from elsewhere
 * @param isOver asked every few milliseconds: if true, the bound is what is proven until then
 */
export async function proveBeforehand(
  { given: instance, objective }: Problem,
  known: ProvenBound | undefined,
  isOver: () => boolean,
): Promise<Prover> {
  if (objective !== 'makespan') return proveTardiness(instance, known);
  const isSmall = instance.operations <= MOST_PROPAGATED_HERE;
  const own = isSmall
    ? strongLowerBound(instance, { maxNodes: 0 })
    : await propagateInThread(instance, isOver);
  return proven(strongerBound(own, known));
}

/** All that is known of tardiness is what jobs miss that run alone in the shop. */
function proveTardiness(instance: Instance, known: ProvenBound | undefined): Prover {
  const own = tardinessBound(instance);
  return proven(strongerBound(own, known));
}

/** A prover that has done all that it can. */
function proven(bound: ProvenBound): Prover {
  return { bound, tell: () => {}, schedule: null, failure: null, close: () => {} };
}

/** The calling thread stays free to hear that it is to stop. */
async function propagateInThread(instance: Instance, isOver: () => boolean): Promise<ProvenBound> {
  const thread = startProving(instance, false);
  try {
    while (!thread.ended && !isOver()) await setTimeout(TURN);
    // Without it, the bound would not depend on the instance alone.
    if (thread.failure !== null) throw thread.failure;
    return thread.bound ?? simpleBound(instance);
  } finally {
    thread.close();
  }
}

/** A thread that proves. */
interface ProverThread extends Thread {
  /** The best bound so far; null before there is one. */
  readonly bound: ProvenBound | null;
  /** The last schedule that it came across; null before there is one. */
  readonly schedule: Int32Array | null;
  tell(makespan: number): void;
}

function startProving(instance: Instance, branches: boolean): ProverThread {
  const found = new Int32Array(new SharedArrayBuffer(4)).fill(2 ** 31 - 1);
  const task: ProverTask = { instance: shareInstance(instance), branches, found };
  let bound: ProvenBound | null = null;
  let schedule: Int32Array | null = null;
  const thread = startThread('#search-prover', task, (message) => {
    const news = message as ProverNews;
    if (news.bound !== undefined && news.bound.value > (bound?.value ?? -1)) bound = news.bound;
    schedule = news.starts ?? schedule;
  });
  return {
    get bound() {
      return bound;
    },
    get schedule() {
      return schedule;
    },
    get ended() {
      return thread.ended;
    },
    get failure() {
      return thread.failure;
    },
    tell: (makespan) => void Atomics.store(found, 0, makespan),
    close: thread.close,
  };
}

/** The larger bound; of equal ones the first. */
function strongerBound(one: ProvenBound, other: ProvenBound | undefined): ProvenBound {
  return other !== undefined && other.value > one.value ? other : one;
}
