/** A binary heap of integers ordered by `before`; its root comes before all others. */
export interface Heap {
  readonly size: number;
  push(item: number): void;
  /** The root, or −1 if the heap is empty. */
  peek(): number;
  /** Takes the root away and returns it; −1 if the heap is empty. */
  pop(): number;
}

/** Creates a heap that holds at most `capacity` items. */
export function createHeap(capacity: number, before: (a: number, b: number) => boolean): Heap {
  const items = new Int32Array(capacity);
  let size = 0;

  function siftUp(item: number, hole: number): void {
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (!before(item, items[parent])) break;
      items[hole] = items[parent];
      hole = parent;
    }
    items[hole] = item;
  }

  function siftDown(item: number): void {
    let hole = 0;
    for (let child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && before(items[child + 1], items[child])) child++;
      if (!before(items[child], item)) break;
      items[hole] = items[child];
      hole = child;
    }
    items[hole] = item;
  }

  return {
    get size() {
      return size;
    },
    push: (item) => siftUp(item, size++),
    peek: () => (size > 0 ? items[0] : -1),
    pop: () => {
      if (size === 0) return -1;
      const root = items[0];
      size--;
      if (size > 0) siftDown(items[size]);
      return root;
    },
  };
}
