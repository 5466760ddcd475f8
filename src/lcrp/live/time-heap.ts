/** A binary min-heap of operations by a time each, equal times by number. */
export interface TimeHeap {
  readonly size: () => number;
  push(time: number, op: number): void;
  /** Takes out the first operation of a heap that is not empty. */
  pop(): number;
}

/**
 * Creates an empty heap. Times stand beside the operations, not in an array by operation as in
 * `core/heaps`: in a large shop every look at such an array is a miss of the cache.
 */
export function createTimeHeap(): TimeHeap {
  const times: number[] = [];
  const ops: number[] = [];

  const isBefore = (a: number, time: number, op: number): boolean =>
    times[a] < time || (times[a] === time && ops[a] < op);

  const sink = (time: number, op: number): void => {
    const { length } = ops;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && isBefore(child + 1, times[child], ops[child])) child++;
      if (!isBefore(child, time, op)) break;
      times[at] = times[child];
      ops[at] = ops[child];
      at = child;
    }
    times[at] = time;
    ops[at] = op;
  };

  return {
    size: () => ops.length,
    push: (time, op) => {
      let at = ops.length;
      times.push(time);
      ops.push(op);
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (isBefore(parent, time, op)) break;
        times[at] = times[parent];
        ops[at] = ops[parent];
        at = parent;
      }
      times[at] = time;
      ops[at] = op;
    },
    pop: () => {
      const first = ops[0];
      const time = times.pop() as number;
      const op = ops.pop() as number;
      if (ops.length > 0) sink(time, op);
      return first;
    },
  };
}
