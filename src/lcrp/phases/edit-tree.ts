import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { type EditShop, headsOf } from './edit-shop.js';

/** The remaining steps of a search; a step is roughly the examination of one operation. */
export interface StepBudget {
  left: number;
  /** Polled periodically: whether the search must end at once. */
  readonly isOver: () => boolean;
}

/** The result of {@link searchEdits}. */
export type EditSearchResult =
  | { readonly kind: 'found'; readonly start: Int32Array; readonly edits: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

/** Steps between two checks of the clock. */
const BETWEEN = 20_000;

/**
 * Searches for a schedule that differs from the plan in at most `most` operations, or proves that none exists: depth
 * first, in the order of start times (equal ones by number). The next operation starts when planned or as early as
 * possible, since an edited operation may as well start as soon as the machine orders allow. A planned operation must
 * be edited when its planned start has passed, or when its place is taken: branches with too many of these are cut off.
 * Jobs that may wait are omitted: −1.
 *
 * @param most the limit of edits
 */
export function searchEdits(edited: EditShop, most: number, work: StepBudget): EditSearchResult {
  const { shop, planned, rank, queue, queueOffset, pin, run, turns, waits } = edited;
  const { operations, jobs, jobOffset, jobOf, machine, machines, machineOffset, duration } = shop;
  const start = new Int32Array(operations).fill(-1);
  const next = jobOffset.slice(0, jobs);
  const ready = new Int32Array(jobs);
  const free = new Int32Array(machines);
  const counted = new Int32Array(machines);
  const placed = new Int32Array(machines);
  const passed = queueOffset.slice(0, machines);
  const isDoomed = new Uint8Array(operations);
  const byPlan = Int32Array.from(planned.keys())
    .filter((op) => planned[op] >= 0)
    .sort((a, b) => planned[a] - planned[b] || a - b);
  let late = 0;
  let left = operations - waits.reduce((sum, one) => sum + one, 0);
  let doomed = 0;
  let edits = 0;
  let lastStart = -1;
  let lastOp = -1;
  let look = work.left - BETWEEN;
  /** Operations that must be edited, for backtracking. */
  const trail: number[] = [];
  const doom = (op: number) => {
    if (start[op] >= 0 || isDoomed[op] === 1 || planned[op] < 0) return;
    isDoomed[op] = 1;
    doomed++;
    trail.push(op);
  };
  headsOf(shop).forEach((head, op) => {
    if (head > planned[op] || earliestStart(shop, op, Math.max(0, planned[op])) > planned[op]) {
      doom(op);
    }
  });

  const enter = (op: number, time: number, isEdit: boolean): boolean => {
    const back = { trail: trail.length, late, lastStart, lastOp, edits, doomed };
    const job = jobOf[op];
    const k = machine[op];
    const old = [ready[job], free[k], counted[k], placed[k], passed[k]];
    if (isDoomed[op] === 1) doomed--;
    start[op] = time;
    left--;
    next[job]++;
    ready[job] = completionTime(shop, op, time);
    lastStart = time;
    lastOp = op;
    if (isEdit) edits++;
    if (duration[op] > 0) {
      free[k] = ready[job];
      placed[k]++;
      if (rank[op] >= 0) counted[k]++;
      const stop = queueOffset[k + 1];
      const isPast = (slot: number) =>
        slot - queueOffset[k] < counted[k] || planned[queue[slot]] < free[k];
      while (passed[k] < stop && isPast(passed[k])) doom(queue[passed[k]++]);
    }
    for (let op2 = op + 1, time2 = ready[job]; op2 < jobOffset[job + 1]; op2++) {
      time2 = earliestStart(shop, op2, time2);
      if (time2 <= planned[op2] || waits[op2] === 1) break;
      doom(op2);
      time2 = completionTime(shop, op2, time2);
    }
    while (late < byPlan.length && isBefore(planned[byPlan[late]], byPlan[late])) {
      doom(byPlan[late++]);
    }
    const found = edits + doomed <= most && descend();
    if (found) return true;
    while (trail.length > back.trail) isDoomed[trail.pop() as number] = 0;
    ({ late, lastStart, lastOp, edits, doomed } = back);
    [ready[job], free[k], counted[k], placed[k], passed[k]] = old;
    next[job]--;
    left++;
    start[op] = -1;
    return false;
  };
  const isBefore = (time: number, op: number) =>
    time < lastStart || (time === lastStart && op <= lastOp);

  /** Continues with every possible next operation. Returns whether that led to the end. */
  const descend = (): boolean => {
    if (left === 0) return true;
    work.left -= jobs;
    if (work.left < look) {
      look = work.left - BETWEEN;
      if (work.isOver()) work.left = 0;
    }
    if (work.left <= 0) return false;
    const options: { op: number; time: number; isEdit: boolean }[] = [];
    for (let job = 0; job < jobs; job++) {
      const op = next[job];
      if (op === jobOffset[job + 1] || waits[op] === 1) continue;
      const k = machine[op];
      const occupies = duration[op] > 0;
      if (occupies && run[op] !== turns[machineOffset[k] + placed[k]]) continue;
      const plan = planned[op];
      const isInPlace = !occupies || rank[op] < 0 || counted[k] === rank[op];
      const earliest = earliestStart(shop, op, Math.max(ready[job], occupies ? free[k] : 0));
      const fits = (time: number) => time >= earliest && earliestStart(shop, op, time) === time;
      const offer = (time: number, isEdit: boolean) => {
        if (!isBefore(time, op)) options.push({ op, time, isEdit });
      };
      if (pin[op] >= 0) {
        if (fits(pin[op])) offer(pin[op], plan >= 0 && !(isInPlace && pin[op] === plan));
        continue;
      }
      const canStay = plan >= 0 && isInPlace && fits(plan);
      if (canStay) offer(plan, false);
      if (!(canStay && plan === earliest)) offer(earliest, plan >= 0);
    }
    options.sort((a, b) => a.time - b.time || a.op - b.op);
    return options.some(({ op, time, isEdit }) => enter(op, time, isEdit));
  };
  if (doomed > most) return { kind: 'none' };
  if (work.isOver()) return { kind: 'unknown' };
  if (descend()) return { kind: 'found', start, edits };
  return work.left > 0 ? { kind: 'none' } : { kind: 'unknown' };
}
