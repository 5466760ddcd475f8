import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { createInstance, type Instance } from '../../jssp/instance.js';
import { machineSequences, type Schedule } from '../../jssp/schedule.js';
import { heldOperations } from '../pins/held-operations.js';
import type { RepairPolicy } from '../policy/policy.js';
import type { RepairTask } from '../task.js';
import { surroundingsOf } from './neighbourhood.js';
import { remainderOf } from './remainder.js';

/** The free part of a shop, its plan, and the limits of single operations. */
export interface EditShop {
  /** The free operations as an instance of their own: N of them, none is frozen. */
  readonly shop: Instance;
  /** N entries: the number of each in the whole instance. */
  readonly operation: Int32Array;
  /** N entries: the planned start, −1 for none. */
  readonly planned: Int32Array;
  /** N entries: the planned place among planned operations that occupy the machine; −1 for others. */
  readonly rank: Int32Array;
  /** The planned operations that occupy a machine, in that order, in the slots of `queueOffset`. */
  readonly queue: Int32Array;
  readonly queueOffset: Int32Array;
  /** N entries: the start of pinned operations, −1 for others. */
  readonly pin: Int32Array;
  /**
   * N entries: operations of one run may pass each other; all others keep the order that they have after compensation.
   * −1 for operations that occupy no machine.
   */
  readonly run: Int32Array;
  /** In the slots of `machineOffset`: the run for each place of a queue; −1 at its end. */
  readonly turns: Int32Array;
  /** N entries: 1 for operations of unplanned jobs that can wait until all others are done. */
  readonly waits: Uint8Array;
}

/** The shop in which edits are counted. O(N log N). */
export function editShopOf(
  task: RepairTask,
  compensated: Schedule,
  { limits }: RepairPolicy,
): EditShop {
  const { instance: shop, operation } = remainderOf(task.instance);
  const { operations, duration, machines, machineOffset } = shop;
  const planned = operation.map((op) => task.planned[op]);
  const pinned = heldOperations(task, limits);
  const pin = operation.map((op) => (pinned.has(op) ? compensated.start[op] : -1));
  const surroundings = surroundingsOf(task, compensated, limits);
  const movable = new Set(surroundings.within(surroundings.radius));
  const numberOf = new Int32Array(task.instance.operations).fill(-1);
  operation.forEach((op, i) => {
    numberOf[op] = i;
  });
  const run = new Int32Array(operations).fill(-1);
  const turns = new Int32Array(operations).fill(-1);
  const isFixed = new Uint8Array(machines);
  const sequences = machineSequences(compensated);
  for (let k = 0, runs = 0; k < machines; k++) {
    let slot = machineOffset[k];
    let isRun = false;
    const { machineOffset: offset } = task.instance;
    for (const whole of sequences.subarray(offset[k], offset[k + 1])) {
      const op = numberOf[whole];
      if (op < 0 || duration[op] === 0) continue;
      const mayMove = movable.has(whole);
      if (!mayMove) isFixed[k] = 1;
      if (!(isRun && mayMove)) runs++;
      isRun = mayMove;
      run[op] = runs;
      turns[slot++] = runs;
    }
  }
  const waits = waiting(shop, planned, isFixed);
  return { shop, operation, planned, ...queuesOf(shop, planned), pin, run, turns, waits };
}

/** Planned queues, by planned start and number. */
function queuesOf(
  { operations, machines, machine, duration }: Instance,
  planned: Int32Array,
): Pick<EditShop, 'rank' | 'queue' | 'queueOffset'> {
  const rank = new Int32Array(operations).fill(-1);
  const queueOffset = new Int32Array(machines + 1);
  const queue = Int32Array.from(planned.keys())
    .filter((op) => planned[op] >= 0 && duration[op] > 0)
    .sort((a, b) => machine[a] - machine[b] || planned[a] - planned[b] || a - b);
  for (const op of queue) queueOffset[machine[op] + 1]++;
  for (let k = 0; k < machines; k++) queueOffset[k + 1] += queueOffset[k];
  queue.forEach((op, slot) => {
    rank[op] = slot - queueOffset[machine[op]];
  });
  return { rank, queue, queueOffset };
}

/** New jobs can wait, unless one of their operations must keep a place. */
function waiting(shop: Instance, planned: Int32Array, isFixed: Uint8Array): Uint8Array {
  const { operations, jobOf, machine } = shop;
  const waits = new Uint8Array(operations);
  for (let op = operations - 1; op >= 0; op--) {
    const isLast = op + 1 === operations || jobOf[op + 1] !== jobOf[op];
    if (planned[op] >= 0 || !(isLast || waits[op + 1] === 1)) continue;
    waits[op] = 1;
  }
  const canWait = waits.every((one, op) => one === 0 || isFixed[machine[op]] === 0);
  return canWait ? waits : new Uint8Array(operations);
}

/**
 * The operations of one machine alone, each as early as its job allows if it never waits for another machine.
 * Operations that must be edited in this shop must also be edited in the whole shop.
 */
export function machineAlone(whole: EditShop, k: number): EditShop {
  const { shop, planned, pin, run, turns, waits } = whole;
  const head = headsOf(shop);
  const own = shop.machineOperations
    .slice(shop.machineOffset[k], shop.machineOffset[k + 1])
    .filter((op) => shop.duration[op] > 0);
  const alone = createInstance({
    name: shop.name,
    machines: shop.machines,
    jobOffset: Int32Array.from({ length: own.length + 1 }, (_, i) => i),
    machine: own.map(() => k),
    duration: own.map((op) => shop.duration[op]),
    release: own.map((op) => head[op]),
    calendar: shop.calendar,
  });
  const times = own.map((op) => planned[op]);
  return {
    shop: alone,
    operation: own,
    planned: times,
    ...queuesOf(alone, times),
    pin: own.map((op) => pin[op]),
    run: own.map((op) => run[op]),
    turns: turns.slice(shop.machineOffset[k], shop.machineOffset[k] + own.length),
    waits: Uint8Array.from(own, (op) => waits[op]),
  };
}

/** N entries: the start of each operation if its job never waited for a machine. */
export function headsOf(shop: Instance): Int32Array {
  const { operations, jobOf } = shop;
  const head = new Int32Array(operations);
  for (let op = 0, ready = 0; op < operations; op++) {
    if (op === 0 || jobOf[op - 1] !== jobOf[op]) ready = 0;
    head[op] = earliestStart(shop, op, ready);
    ready = completionTime(shop, op, head[op]);
  }
  return head;
}
