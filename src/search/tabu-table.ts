import type { Instance } from '../jssp/instance.js';

/** Entries of the table of forbidden arcs; pairs share entries beyond that. */
const MOST_ENTRIES = 1 << 24;

/** Where the kernel keeps until when an arc is forbidden: a → b at `row[a] + column[b]`. */
export interface TabuTable {
  /** N entries each. */
  readonly row: Int32Array;
  readonly column: Int32Array;
  readonly size: number;
}

/** Gives every ordered pair of operations of one machine an entry. */
export function layOutTabuTable(instance: Instance): TabuTable {
  const { operations, machines, machineOffset, machineOperations } = instance;
  const row = new Int32Array(operations);
  const column = new Int32Array(operations);
  let size = 0;
  let widest = 0;
  for (let k = 0; k < machines; k++) {
    const width = machineOffset[k + 1] - machineOffset[k];
    for (let slot = 0; slot < width; slot++) {
      const op = machineOperations[machineOffset[k] + slot];
      column[op] = slot;
      row[op] = (size + slot * width) % MOST_ENTRIES;
    }
    size += width * width;
    widest = Math.max(widest, width);
  }
  return { row, column, size: Math.min(size, MOST_ENTRIES + widest) };
}
