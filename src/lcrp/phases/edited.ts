import { isFree } from '../../jssp/instance.js';
import { orderByTime } from '../../search/evolution/solution.js';
import type { RepairTask } from '../task.js';

/** The operations of a task that can be edited: free and planned ones. */
export interface EditCounter {
  /**
   * The operations, ascending, that start at another time than planned or have another place among those that are free,
   * planned and occupy their machine. O(N log N).
   */
  edited(start: Int32Array): Int32Array;
}

/** Counts edits as `measureRepair` does. */
export function createEditCounter({ instance, planned }: RepairTask): EditCounter {
  const { operations, machine, machineOffset, duration } = instance;
  const compared = Int32Array.from(planned.keys()).filter(
    (op) => planned[op] >= 0 && isFree(instance, op),
  );
  const queued = new Uint8Array(operations);
  for (const op of compared) if (duration[op] > 0) queued[op] = 1;
  /** The queues to compare, in the slots of `machineOffset`; −1 at their ends. */
  const inOrder = (start: Int32Array) => {
    const slot = machineOffset.slice();
    const queues = new Int32Array(operations).fill(-1);
    for (const op of orderByTime(start.map((time) => Math.max(0, time)))) {
      if (queued[op] === 1) queues[slot[machine[op]]++] = op;
    }
    return queues;
  };
  const plan = inOrder(planned);
  return {
    edited: (start) => {
      const isEdited = new Uint8Array(operations);
      for (const op of compared) if (start[op] !== planned[op]) isEdited[op] = 1;
      const order = inOrder(start);
      order.forEach((op, i) => {
        if (op >= 0 && op !== plan[i]) isEdited[op] = 1;
      });
      return compared.filter((op) => isEdited[op] === 1);
    },
  };
}
