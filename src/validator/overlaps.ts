import type { Instance } from '../jssp/instance.js';
import { wordsOf } from '../jssp/words.js';
import { describeSetup } from './describe-parts.js';
import { countOverlaps, createMachineOrders, listByStart } from './machine-orders.js';
import { inspectSetups, type SetupTimes } from './setups.js';
import type { ViolationTally } from './tally.js';
import type { ViolationOf } from './violation.js';
import { operationScope } from './violation.js';

/**
 * Reports every pair of operations of positive duration that occupy a machine at the same time: counts all in linear
 * time, lists them machine by machine until the tally is full.
 */
export function reportOverlaps(
  instance: Instance,
  starts: Int32Array,
  ends: Int32Array,
  tally: ViolationTally,
): void {
  const orders = createMachineOrders(instance);
  let hasRoom = true;
  for (let k = 0; k < instance.machines; k++) {
    const count = countOverlaps(orders, k, starts, ends);
    tally.count('machine_overlap', count);
    if (count === 0 || !hasRoom) continue;
    const operations = orders.order
      .slice(orders.first[k], orders.stop[k])
      .filter((op) => ends[op] >= 0);
    hasRoom = listOverlaps(instance, operations, starts, ends, tally);
  }
}

/**
 * Places the setups of all machines, and reports those for which there is too little time.
 *
 * @param times the place for them
 */
export function reportSetups(
  instance: Instance,
  starts: Int32Array,
  ends: Int32Array,
  times: SetupTimes,
  tally: ViolationTally,
): void {
  const orders = createMachineOrders(instance);
  const report = (op: number, before: number): void =>
    tally.add('setup', () => describeSetup(instance, op, before, { starts, ends }, times));
  for (let k = 0; k < instance.machines; k++) {
    const count = listByStart(orders, k, starts, ends);
    const { items } = orders.space;
    inspectSetups(instance, k, items, 0, count, starts, ends, times, report);
  }
}

/**
 * Sweeps over the operations of a machine in order of start, end and id, and lists each with the earlier ones that are
 * still running. Returns false when the tally is full.
 */
function listOverlaps(
  instance: Instance,
  operations: Int32Array,
  starts: Int32Array,
  ends: Int32Array,
  tally: ViolationTally,
): boolean {
  operations.sort((a, b) => starts[a] - starts[b] || ends[a] - ends[b] || a - b);
  let running: number[] = [];
  for (const op of operations) {
    running = running.filter((other) => ends[other] > starts[op]);
    for (const other of running) {
      if (!tally.list(describeOverlap(instance, op, other, starts, ends))) return false;
    }
    running.push(op);
  }
  return true;
}

function describeOverlap(
  instance: Instance,
  op: number,
  other: number,
  starts: Int32Array,
  ends: Int32Array,
): ViolationOf<'machine_overlap'> {
  const start = starts[op];
  const end = ends[op];
  const otherEnd = ends[other];
  const words = wordsOf(instance);
  return {
    code: 'machine_overlap',
    message: `${words.operation(op)} starts on ${words.machine(instance.machine[op])} at ${words.time(start)}, before ${words.operation(other)} leaves it at ${words.time(otherEnd)}`,
    scope: operationScope(instance, op),
    start,
    end,
    other,
    otherStart: starts[other],
    otherEnd,
    overlap: Math.min(end, otherEnd) - start,
  };
}
