import type { Instance } from '../../jssp/instance.js';

/**
 * Known precedences of operations on a machine. Those of one job are known from the start; others are settled one pair
 * at a time and can be undone in reverse. Operations of zero duration occupy no machine and are excluded.
 */
export interface SettledOrders {
  /** m+1 entries: machine k owns the slots `offset[k] … offset[k + 1] − 1`. */
  readonly offset: Int32Array;
  /** The operations that occupy each machine, ascending, in the slots of `offset`. */
  readonly members: Int32Array;
  /** For each machine with c slots c × c entries: 1 in row i, column j if slot i precedes slot j. */
  readonly before: readonly Uint8Array[];
  /** The number of operations that occupy a machine. */
  width(k: number): number;
  /** The number of pairs that are settled beyond those of one job. */
  count(): number;
  /** Settles that one operation precedes another of its machine. */
  settle(op: number, other: number): void;
  /** Undoes the pairs settled after the first `count`. */
  undo(count: number): void;
}

/** Creates the orders in which only operations of one job are settled. */
export function createSettledOrders(instance: Instance): SettledOrders {
  const { machines, machine, jobOf, duration, machineOperations } = instance;
  const members = machineOperations.filter((op) => duration[op] > 0);
  const offset = new Int32Array(machines + 1);
  for (const op of members) offset[machine[op] + 1]++;
  for (let k = 0; k < machines; k++) offset[k + 1] += offset[k];
  const width = (k: number): number => offset[k + 1] - offset[k];
  const before = Array.from({ length: machines }, (_, k) => new Uint8Array(width(k) ** 2));
  const settled: number[] = [];
  const slot = new Int32Array(instance.operations);
  members.forEach((op, position) => {
    slot[op] = position - offset[machine[op]];
  });

  const mark = (op: number, other: number, value: 0 | 1): void => {
    const k = machine[op];
    before[k][slot[op] * width(k) + slot[other]] = value;
  };

  for (let k = 0; k < machines; k++) {
    for (let y = offset[k]; y < offset[k + 1]; y++) {
      const op = members[y];
      for (let x = y - 1; x >= offset[k] && jobOf[members[x]] === jobOf[op]; x--) {
        mark(members[x], op, 1);
      }
    }
  }

  return {
    width,
    offset,
    members,
    before,
    count: () => settled.length >> 1,
    settle: (op, other) => {
      mark(op, other, 1);
      settled.push(op, other);
    },
    undo: (count) => {
      while (settled.length > 2 * count) {
        const other = settled.pop() as number;
        mark(settled.pop() as number, other, 0);
      }
    },
  };
}
