import type { EffectiveEvent } from '../../disruption/event.js';
import { affectedByEach } from '../../disruption/index.js';
import { kindOf } from '../../disruption/kind-of.js';
import { earliestStart } from '../../jssp/calendar.js';
import { isFree } from '../../jssp/instance.js';
import { machineSequences } from '../../jssp/schedule.js';
import { eachPredecessor, setupTime, transportTime } from '../../jssp/shop-parts.js';
import { machineNeighbours } from '../../jssp/timing.js';
import { heldOperations, holdsStarts } from '../pins/held-operations.js';
import type { RepairResult } from '../repair-result.js';
import { reassignedIn } from '../task.js';
import { nearestAffected } from './edit-radius.js';
import { sequenceDeviation } from './sequence-deviation.js';
import { startDeviation } from './start-deviation.js';

/**
 * The cause of an edit:
 *
 * - `event`: an event hit the operation, so that it cannot start when planned, independent of the others
 * - `job`, `machine`: it waits for the preceding operation in its job, or on its machine
 * - `reassigned`: the method gave it to another machine, or another mode, for a gain
 * - `place`: the method gave it another place in the queue of its machine, for a gain
 * - `earlier`: in its old place, the method lets it start earlier, for a gain
 * - `limit`: compensation moves it to keep pins and the frozen horizon; or it should have kept its own start, could
 *   not, and stays where compensation put it
 * - `later`: the method moved it with all others, as right-shift does
 */
export type Cause =
  | 'event'
  | 'job'
  | 'machine'
  | 'reassigned'
  | 'place'
  | 'earlier'
  | 'limit'
  | 'later';

/** An operation that differs from the plan, and the cause. */
export interface Edit {
  readonly operation: number;
  readonly cause: Cause;
  /** The operation that it waits for, if that is the cause: edited itself, or hit by an event. */
  readonly waitsFor: number | null;
  /**
   * The end of the chain of causes: the event (its index in `applied.events`) that hit the first of the operations that
   * wait for one another; for a choice of the method, the event that hit the nearest operation. Null if no event hit
   * anything within reach.
   */
  readonly event: number | null;
}

/**
 * Determines for every edited operation (see `measureRepair`) exactly one cause. The chains of `waitsFor` go back in
 * time, so each of them ends. O(N log N).
 *
 * @param result as `repair` and the engine return it
 * @returns the edits by start
 */
export function explainRepair(result: RepairResult): readonly Edit[] {
  const { task, schedule, policy } = result;
  const { planned } = task;
  // The machines and durations of the result.
  const { instance } = schedule;
  const isElsewhere = reassignedIn(task, schedule);
  const isCompared = (op: number) => isFree(instance, op);
  const isAtHome = (op: number) => isCompared(op) && !isElsewhere(op);
  const { changed } = startDeviation(result.before, schedule, isCompared);
  const { moved } = sequenceDeviation(instance, result.before, schedule, isAtHome);
  const elsewhere = Array.from(planned.keys()).filter(
    (op) => planned[op] >= 0 && isCompared(op) && isElsewhere(op),
  );
  if (changed.length + moved.length + elsewhere.length === 0) return [];
  const { start } = schedule;
  const hasMoved = new Set(moved);
  const waitsFor = waits(result);
  const hitBy = mainEvents(result);
  const nearest = nearestAffected(task);
  const pinned = heldOperations(task, policy.limits);
  const forPins = movedForPins(result);
  const endOfChain = new Map<number, number>();
  const explain = (op: number): Edit => {
    const chosen = (cause: Cause) =>
      createEdit(op, cause, null, nearest[op] < 0 ? -1 : hitBy[nearest[op]]);
    if (isElsewhere(op)) return chosen('reassigned');
    if (hasMoved.has(op)) return chosen(forPins.moved.has(op) ? 'limit' : 'place');
    if (start[op] < planned[op]) return chosen(forPins.early.has(op) ? 'limit' : 'earlier');
    const isHit = hitBy[op] >= 0;
    if (isHit && earliestStart(instance, op, planned[op]) === start[op]) {
      return createEdit(op, 'event', null, hitBy[op]);
    }
    const other = waitsFor(op);
    if (other < 0) return chosen(pinned.has(op) ? 'limit' : 'later');
    const event = endOfChain.get(other) ?? hitBy[other];
    // An operation that had no duration and now has one blocks others that are as planned.
    if (event < 0 && isHit) return createEdit(op, 'event', null, hitBy[op]);
    const isOfJob = instance.jobOf[other] === instance.jobOf[op];
    return createEdit(op, isOfJob ? 'job' : 'machine', other, event);
  };
  const edited = [...new Set([...changed, ...moved, ...elsewhere])].sort(
    (a, b) => start[a] - start[b] || a - b,
  );
  return edited.map((op) => {
    const edit = explain(op);
    endOfChain.set(op, edit.event ?? -1);
    return edit;
  });
}

/** The operations that compensation gave another place in a queue or an earlier start, which it does only for pins. */
function movedForPins({ task, before, compensated, policy }: RepairResult) {
  if (compensated === null || !holdsStarts(policy.limits)) {
    return { moved: new Set<number>(), early: new Set<number>() };
  }
  const { instance, planned } = task;
  const isCompared = (op: number) => isFree(instance, op);
  const { moved } = sequenceDeviation(instance, before, compensated, isCompared);
  const early = Array.from(planned.keys()).filter((op) => compensated.start[op] < planned[op]);
  return { moved: new Set(moved), early: new Set(early) };
}

function createEdit(operation: number, cause: Cause, waitsFor: number | null, event: number): Edit {
  return { operation, cause, waitsFor, event: event < 0 ? null : event };
}

/**
 * Finds the operation that another one waits for: its predecessor in the job or on the machine, if the operation starts
 * as soon as that one is done, and later than planned; −1 for none.
 */
function waits({ task, schedule }: RepairResult): (op: number) => number {
  const { planned } = task;
  const { start, end, instance } = schedule;
  const { predecessor } = machineNeighbours(instance, machineSequences(schedule));
  const isHeldUpUntil = (op: number, ready: number) =>
    ready > planned[op] && earliestStart(instance, op, ready) === start[op];
  return (op) => {
    let step = -1;
    eachPredecessor(instance, op, (from, minLag) => {
      const ready = end[from] + transportTime(instance, from, op) + minLag;
      if (isHeldUpUntil(op, ready)) step = from;
    });
    const other = predecessor[op];
    if (step >= 0 || other < 0) return step;
    const ready = end[other] + setupTime(instance, instance.machine[op], other, op);
    return isHeldUpUntil(op, ready) ? other : -1;
  };
}

/** N entries: the event that may delay the operation longest, of those that hit it; −1 for none. */
function mainEvents({ previous, applied }: RepairResult): Int32Array {
  const { events, instance } = applied;
  const main = new Int32Array(instance.operations).fill(-1);
  affectedByEach(previous, applied).forEach((operations, i) => {
    for (const op of operations) {
      if (main[op] < 0 || holdsUntil(events[i]) > holdsUntil(events[main[op]])) main[op] = i;
    }
  });
  return main;
}

/** The time until which an event alone may delay the operations that it hits; −1 if it delays none. */
function holdsUntil(event: EffectiveEvent): number {
  return kindOf(event).holdsUntil?.(event) ?? event.at;
}
