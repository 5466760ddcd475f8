import { setTimeout } from 'node:timers/promises';
import { once } from '@alas-jssp/core/once';
import { type LowerBound, lowerBound, type ProvenBound, simpleBound } from '../../jssp/bounds.js';
import type { Instance } from '../../jssp/instance.js';
import { shareInstance } from '../../jssp/share-instance.js';
import { isClassic } from '../../jssp/shop-parts.js';
import { tardinessBound } from '../../jssp/tardiness-bounds.js';
import { knowsResources } from '../bounds/flexible/resource-places.js';
import { createChannelBuffer, PROVERS } from '../bounds/learning/clause-channel.js';
import { strongLowerBound } from '../bounds/strong-lower-bound.js';
import type { Problem } from '../problem.js';
import type { ProverFunctions, ProverSchedule, ProverTask } from './prover-thread.js';
import { hasThreads, startWork, type ThreadWork } from './thread.js';

/** Proves lower bounds for a search. */
export interface Prover {
  /** The best bound so far. */
  readonly bound: ProvenBound;
  /** Sets the best value of the search, which no bound exceeds; Infinity has no effect. */
  reportMakespan(value: number): void;
  /**
   * Gives it all resources to close the gap; returns false if it cannot close it, so that the search should continue.
   */
  press(): boolean;
  /** Makes it yield most of its time to others, or stops that. */
  rest(isResting: boolean): void;
  /** The best schedule that the prover found, as a solution of the problem, or null. */
  readonly solution: Int32Array | null;
  /** The error of its thread if that died, which leaves the bound unchanged; otherwise null. */
  readonly failure: unknown;
  /** Ends its thread, without waiting for it. */
  close(): void;
}

/** The size up to which the bounds of `jssp/bounds.ts` take milliseconds. */
const MAX_AT_ONCE = 5000;
/** The size up to which propagation takes milliseconds. */
const MAX_PROPAGATED_HERE = 150;
/** The size up to which the search is slowed down for branching, and that up to which it gets a share of a core. */
const MAX_BRANCHED = 225;
const MAX_SHARED = 600;
/** That share: some of these instances are closed within seconds, most of them never. */
const SHARE = 0.1;
/** The same for shops with alternatives and the like, which have more to decide, but are closed by more propagation. */
const MAX_BRANCHED_SHOP = 250;
/** Up to this size they are tried for a while beside the search, which is not slowed down for them. */
const MAX_TRIED_SHOP = 300;
/** The contradictions of such trials, some seconds. */
const TRIED_CONFLICTS = 10_000;
/** Milliseconds between two checks of a thread. */
const TURN = 5;

/**
 * The best bound on the makespan that takes milliseconds, with downtimes and frozen starts. O(N log N): 1 ms at 2,500
 * operations on 50 machines with three downtimes each; 4 ms at 10,000.
 */
export function quickBound(instance: Instance): LowerBound {
  return instance.operations <= MAX_AT_ONCE ? lowerBound(instance) : simpleBound(instance);
}

/**
 * Proves in parallel to the search: it computes the simple bounds immediately. If the first schedule does not meet
 * them, one thread (two after `press`) proves better bounds. On small instances it closes the gap, and may find
 * schedules, too; on larger ones it works for a share of the time, or ends after propagation.
 *
 * @param known a bound from elsewhere
 * @param threads the number of threads that the search may use
 */
export function proveInParallel(
  problem: Problem,
  known: ProvenBound | undefined,
  threads = 1,
): Prover {
  const { given: instance, objective } = problem;
  if (objective !== 'makespan') return proveTardiness(instance, known);
  const first = strongerBound(quickBound(instance), known);
  const effort = effortFor(instance);
  const mayClose = effort.conflicts === Infinity && effort.share === 1 && isClosable(instance);
  const provers: ProverThread[] = [];
  const clauses = once(createChannelBuffer);
  let upperBound = Number.POSITIVE_INFINITY;
  let schedule: ProverSchedule | null = null;
  const start = () => {
    const part = { ...effort, clauses: clauses(), variant: provers.length };
    provers.push(
      startProving(instance, part, (found) => {
        // Proofs of the classic shop ignore calendars.
        if (isClassic(instance) && instance.calendar !== null) return;
        if (schedule === null || found.makespan < schedule.makespan) schedule = found;
      }),
    );
  };
  const current = () =>
    provers.reduce((best, { bound }) => strongerBound(best, bound ?? undefined), first);
  return {
    get bound() {
      return current();
    },
    reportMakespan: (makespan) => {
      if (makespan <= current().value || makespan === Number.POSITIVE_INFINITY) return;
      upperBound = makespan;
      if (provers.length === 0) start();
      for (const prover of provers) prover.reportMakespan(makespan);
    },
    press: () => {
      if (!mayClose || provers.length === 0 || provers[0].ended) return false;
      if (provers.length < Math.min(PROVERS, threads)) {
        start();
        provers[provers.length - 1].reportMakespan(upperBound);
      }
      return true;
    },
    rest: (isResting) => {
      for (const prover of provers) prover.rest(isResting);
    },
    get solution() {
      return schedule?.solution ?? null;
    },
    get failure() {
      return provers.find(({ failure }) => failure !== null)?.failure ?? null;
    },
    close: () => {
      for (const prover of provers) prover.close();
    },
  };
}

/** The work that branching is worth: Infinity to go on while the search does, 0 contradictions for none. */
type Effort = Pick<ProverTask, 'conflicts' | 'share'>;

/** The effort for an instance. */
function effortFor(instance: Instance): Effort {
  const { operations } = instance;
  if (isClassic(instance)) {
    if (operations <= MAX_BRANCHED) return { conflicts: Infinity, share: 1 };
    const isWorth = operations <= MAX_SHARED && isClosable(instance);
    return { conflicts: isWorth ? Infinity : 0, share: SHARE };
  }
  if (operations <= MAX_BRANCHED_SHOP) return { conflicts: Infinity, share: 1 };
  return { conflicts: operations <= MAX_TRIED_SHOP ? TRIED_CONFLICTS : 0, share: 1 };
}

/**
 * Whether proofs consider all constraints of an instance. Those of the classic shop ignore downtimes and deadlines; those
 * of other shops know them, but not every use of resources.
 */
function isClosable(instance: Instance): boolean {
  if (!isClassic(instance)) return knowsResources(instance);
  return instance.calendar === null && instance.deadline === null;
}

/**
 * Proves by propagation before the search begins, and nothing more: the bound depends on the instance alone.
 *
 * @param known a bound from elsewhere
 * @param isOver polled every few milliseconds: if true, the bound is the one proven until then
 */
export async function proveBeforehand(
  { given: instance, objective }: Problem,
  known: ProvenBound | undefined,
  isOver: () => boolean,
): Promise<Prover> {
  if (objective !== 'makespan') return proveTardiness(instance, known);
  const isHere = instance.operations <= MAX_PROPAGATED_HERE || !hasThreads;
  const own = isHere
    ? strongLowerBound(instance, { maxNodes: 0 })
    : await propagateInThread(instance, isOver);
  return proven(strongerBound(own, known));
}

/** All bounds of the tardiness are computed immediately. */
function proveTardiness(instance: Instance, known: ProvenBound | undefined): Prover {
  const own = tardinessBound(instance);
  return proven(strongerBound(own, known));
}

/** A prover that has finished. */
function proven(bound: ProvenBound): Prover {
  return {
    bound,
    reportMakespan: () => {},
    press: () => false,
    rest: () => {},
    solution: null,
    failure: null,
    close: () => {},
  };
}

/** The calling thread stays free to receive a request to stop. */
async function propagateInThread(instance: Instance, isOver: () => boolean): Promise<ProvenBound> {
  const thread = startProving(instance, onlyPropagating);
  try {
    while (!thread.ended && !isOver()) await setTimeout(TURN);
    // If the thread died, the bound would not depend on the instance alone.
    if (thread.failure !== null) throw thread.failure;
    return thread.bound ?? simpleBound(instance);
  } finally {
    thread.close();
  }
}

/** A thread that proves. */
interface ProverThread extends ThreadWork {
  /** The best bound so far; null before the first one. */
  readonly bound: ProvenBound | null;
  reportMakespan(makespan: number): void;
  rest(isResting: boolean): void;
}

const onlyPropagating = { conflicts: 0, share: 1, clauses: new Int32Array(), variant: 0 };

function startProving(
  instance: Instance,
  part: Pick<ProverTask, 'conflicts' | 'share' | 'clauses' | 'variant'>,
  onSchedule: (found: ProverSchedule) => void = () => {},
): ProverThread {
  const found = new Int32Array(new SharedArrayBuffer(4)).fill(2 ** 31 - 1);
  const resting = new Int32Array(new SharedArrayBuffer(4));
  const task: ProverTask = { instance: shareInstance(instance), ...part, found, resting };
  let bound: ProvenBound | null = null;
  const onBound = (proven: ProvenBound) => {
    if (bound === null || proven.value > bound.value) bound = proven;
  };
  const thread = startWork<ProverFunctions>('#search-prover', ({ prove }) =>
    prove(task, { onBound, onSchedule }),
  );
  return {
    get bound() {
      return bound;
    },
    get ended() {
      return thread.ended;
    },
    get failure() {
      return thread.failure;
    },
    reportMakespan: (makespan) => void Atomics.store(found, 0, makespan),
    rest: (isResting) => void Atomics.store(resting, 0, isResting ? 1 : 0),
    close: thread.close,
  };
}

/** The larger bound; the first one of equal bounds. */
function strongerBound(one: ProvenBound, other: ProvenBound | undefined): ProvenBound {
  return other !== undefined && other.value > one.value ? other : one;
}
