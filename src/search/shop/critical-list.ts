import type { Random } from '@alas-jssp/core/random';
import type { ShopTimer } from '../../jssp/shop-timing/timer.js';

/** A path of operations each of which delays the next one, backwards from the last. */
export interface CriticalPath {
  /** The operations; `length` of them count. */
  readonly op: Int32Array;
  /** For each, the operation that it waits for where that is not the one before it in its job; −1 otherwise. */
  readonly waitsFor: Int32Array;
  length: number;
}

/** An empty path in a shop of so many operations. */
export function createCriticalPath(operations: number): CriticalPath {
  return { op: new Int32Array(operations), waitsFor: new Int32Array(operations), length: 0 };
}

/** Follows the operations that delay one another back from an operation, in the list that was timed last. */
export function traceBack(
  path: CriticalPath,
  timer: ShopTimer,
  mode: Int32Array,
  last: number,
  random: Random,
): void {
  const { table, start, setupFrom, before } = timer;
  path.length = 0;
  for (let op = last; op >= 0 && path.length < path.op.length; ) {
    const i = path.length++;
    path.op[i] = op;
    path.waitsFor[i] = -1;
    if (table.frozen[op] >= 0) return;
    const inJob = delayingInJob(timer, mode, op);
    const onMachine = before[op];
    const ready = onMachine < 0 ? -1 : timer.end[onMachine];
    const isDelayed =
      onMachine >= 0 && table.modeDuration[mode[op]] > 0 && ready >= setupFrom[op] && ready > 0;
    if (isDelayed && (inJob < 0 || random.next() < 0.7)) {
      path.waitsFor[i] = onMachine;
      op = onMachine;
    } else if (inJob >= 0) op = inJob;
    else if (start[op] > table.release[op]) {
      op = endingBefore(timer, op);
      path.waitsFor[i] = op;
    } else return;
  }
}

/** The predecessor in the job that arrives when the operation starts; −1 for none. */
function delayingInJob({ table, start, end }: ShopTimer, mode: Int32Array, op: number): number {
  const { edgeOffset, edgeFrom, minLag, transport, modeMachine, machines } = table;
  for (let edge = edgeOffset[op]; edge < edgeOffset[op + 1]; edge++) {
    const from = edgeFrom[edge];
    let arrival = end[from] + minLag[edge];
    if (transport !== null) {
      arrival += transport[modeMachine[mode[from]] * machines + modeMachine[mode[op]]];
    }
    if (arrival >= start[op]) return from;
  }
  return -1;
}

/** The operation that ends last before another one begins: the one that may have had its resources. */
function endingBefore({ table, end, start, setupFrom }: ShopTimer, op: number): number {
  let last = -1;
  for (let other = 0; other < table.operations; other++) {
    if (end[other] > start[op] || other === op) continue;
    if (end[other] < setupFrom[op]) continue;
    if (last < 0 || end[other] > end[last]) last = other;
  }
  return last >= 0 && start[last] < start[op] ? last : -1;
}
