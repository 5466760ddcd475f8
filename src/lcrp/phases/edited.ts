import { isFree } from '../../jssp/instance.js';
import type { RepairTask } from '../task.js';

/** The operations of a task that can be edited: free ones that somebody has planned. */
export interface EditCounter {
  /**
   * The operations, ascending, that start at another time than planned or have another place among
   * those that are free, planned and occupy their machine. O(N log N).
   */
  edited(start: Int32Array): Int32Array;
}

/** Counts edits as `measureRepair` does. */
export function createEditCounter({ instance, planned }: RepairTask): EditCounter {
  const { operations, machine, duration } = instance;
  const compared = Int32Array.from(planned.keys()).filter(
    (op) => planned[op] >= 0 && isFree(instance, op),
  );
  const queued = compared.filter((op) => duration[op] > 0);
  const inOrder = (start: Int32Array) =>
    queued.slice().sort((a, b) => machine[a] - machine[b] || start[a] - start[b] || a - b);
  const plan = inOrder(planned);
  return {
    edited: (start) => {
      const isEdited = new Uint8Array(operations);
      for (const op of compared) if (start[op] !== planned[op]) isEdited[op] = 1;
      const order = inOrder(start);
      for (let i = 0; i < order.length; i++) if (order[i] !== plan[i]) isEdited[order[i]] = 1;
      return compared.filter((op) => isEdited[op] === 1);
    },
  };
}
