/** A growing list of 32-bit integers, in memory that the garbage collector does not scan. */
export interface IntList {
  /** At least `length` entries; replaced when the list outgrows it. */
  data: Int32Array;
  length: number;
}

const FIRST_ENTRIES = 16;

/** An empty list. */
export function createIntList(): IntList {
  return { data: new Int32Array(FIRST_ENTRIES), length: 0 };
}

/** Appends an integer. */
export function appendInt(list: IntList, value: number): void {
  if (list.length === list.data.length) reserve(list, 1);
  list.data[list.length++] = value;
}

/** A view of the entries, valid until the list changes. */
export function entries({ data, length }: IntList): Int32Array {
  return data.subarray(0, length);
}

/** Makes room for `count` more entries, which the caller then writes. */
export function reserve(list: IntList, count: number): void {
  const needed = list.length + count;
  if (needed <= list.data.length) return;
  const grown = new Int32Array(Math.max(needed, 2 * list.data.length));
  grown.set(list.data.subarray(0, list.length));
  list.data = grown;
}
