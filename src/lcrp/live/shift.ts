import { appendInt, entries } from '@alas-jssp/core/int-list';
import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { MAX_TIME } from '../../jssp/instance.js';
import { DURATION, END, FROZEN, type LiveShop, START, writeEntry } from './shop.js';

/** The result of a right shift. */
interface RightShift {
  /** The operations that were examined, each once, in the order of their planned starts. */
  readonly touched: Int32Array;
  /** The operations that start later than planned, in the same order. */
  readonly moved: Int32Array;
  /** The number of operations pushed to or popped from the heap. */
  readonly heapOperations: number;
}

/**
 * Phase 1 in place: the same schedule as `compensate` makes, computed from the changes of the events.
 *
 * Operations are examined in the order of their planned starts, a topological order of the job and machine orders; a
 * heap holds those whose predecessors conflict with them. When an operation is popped, everything before it is final,
 * so each operation is examined once. If it ends before its successors start, it propagates nothing. With c operations
 * examined: O(c log c), not counting downtimes.
 *
 * The lists in the result belong to the shop, so that large cascades produce no garbage; they are valid until the next
 * right shift.
 *
 * @param concerned operations whose own duration, release or downtimes may have changed; all others satisfy theirs
 * @param mayMove whether an operation may leave its planned start
 * @returns null if times become too large, or an operation would move although it must not
 */
export function shiftRight(
  shop: LiveShop,
  concerned: readonly number[],
  mayMove: (op: number, planned: number) => boolean = () => true,
): RightShift | null {
  const { origin, fields, predecessor, successor, waits, lists } = shop;
  const { facts } = shop.draft;
  const { jobOf, operations } = origin;
  const start = fields[START];
  const end = fields[END];
  const duration = fields[DURATION];
  const frozen = fields[FROZEN];
  const { heap, touched, moved } = lists;
  touched.length = 0;
  moved.length = 0;
  let heapOperations = 0;
  const abort = (): null => {
    waits.fill(0);
    heap.clear();
    return null;
  };
  const wait = (op: number): void => {
    if (waits[op] === 1) return;
    waits[op] = 1;
    heap.push(start[op], op);
    heapOperations++;
  };
  for (const op of concerned) if (!fits(shop, op)) wait(op);
  while (heap.size() > 0) {
    const op = heap.pop();
    heapOperations++;
    waits[op] = 0;
    appendInt(touched, op);
    if (frozen[op] < 0) {
      let ready = start[op];
      if (op > 0 && jobOf[op - 1] === jobOf[op]) ready = Math.max(ready, end[op - 1]);
      if (predecessor[op] >= 0) ready = Math.max(ready, end[predecessor[op]]);
      const time = earliestStart(facts, op, ready);
      if (time > start[op]) {
        if (!mayMove(op, start[op])) return abort();
        writeEntry(shop, START, op, time);
        appendInt(moved, op);
      }
    }
    const done = completionTime(facts, op, start[op]);
    if (done === end[op]) continue;
    if (done > MAX_TIME) return abort();
    writeEntry(shop, END, op, done);
    const next = op + 1;
    if (next < operations && jobOf[next] === jobOf[op] && start[next] < done) wait(next);
    if (duration[op] > 0 && successor[op] >= 0 && start[successor[op]] < done) wait(successor[op]);
  }
  return { touched: entries(touched), moved: entries(moved), heapOperations };
}

/** Whether the times of an operation satisfy its own duration, release and downtimes. */
function fits({ draft: { facts }, fields }: LiveShop, op: number): boolean {
  const start = fields[START][op];
  if (completionTime(facts, op, start) !== fields[END][op]) return false;
  return fields[FROZEN][op] >= 0 || earliestStart(facts, op, start) === start;
}
