import { createIntList, reserve } from '@alas-jssp/core/int-list';

/** A binary min-heap of operations, ordered by a time for each, and by number for equal times. */
export interface TimeHeap {
  readonly size: () => number;
  push(time: number, op: number): void;
  /** Removes and returns the first operation of a heap that is not empty. */
  pop(): number;
  clear(): void;
}

/**
 * Creates an empty heap. Times are stored next to the operations, not in an array by operation as in `core/heaps`: in a
 * large shop every access to such an array is a cache miss.
 */
export function createTimeHeap(): TimeHeap {
  /** A time and its operation, two entries each. */
  const list = createIntList();

  const put = (at: number, time: number, op: number): void => {
    const { data } = list;
    data[2 * at] = time;
    data[2 * at + 1] = op;
  };
  const isBefore = (a: number, time: number, op: number): boolean => {
    const { data } = list;
    const own = data[2 * a];
    return own < time || (own === time && data[2 * a + 1] < op);
  };

  const sink = (time: number, op: number): void => {
    const { data, length } = list;
    const size = length / 2;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBefore(child + 1, data[2 * child], data[2 * child + 1])) child++;
      if (!isBefore(child, time, op)) break;
      put(at, data[2 * child], data[2 * child + 1]);
      at = child;
    }
    put(at, time, op);
  };

  return {
    size: () => list.length / 2,
    push: (time, op) => {
      reserve(list, 2);
      const { data } = list;
      let at = list.length / 2;
      list.length += 2;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (isBefore(parent, time, op)) break;
        put(at, data[2 * parent], data[2 * parent + 1]);
        at = parent;
      }
      put(at, time, op);
    },
    clear: () => {
      list.length = 0;
    },
    pop: () => {
      const { data } = list;
      const first = data[1];
      list.length -= 2;
      const { length } = list;
      if (length > 0) sink(data[length], data[length + 1]);
      return first;
    },
  };
}
