/** A binary heap of items by their keys; of equal keys the item that was pushed first comes first. */
export interface LabelHeap<T> {
  readonly size: number;
  push(item: T, key: number): void;
  /** The smallest key; infinity if the heap is empty. */
  leastKey(): number;
  /** Removes the item with the smallest key. */
  pop(): T | undefined;
}

interface HeapSlot<T> {
  readonly item: T;
  readonly key: number;
  readonly order: number;
}

/** Creates an empty heap. */
export function createLabelHeap<T>(): LabelHeap<T> {
  const slots: HeapSlot<T>[] = [];
  let pushed = 0;
  const isBefore = (a: HeapSlot<T>, b: HeapSlot<T>) =>
    a.key < b.key || (a.key === b.key && a.order < b.order);
  const swap = (i: number, k: number) => {
    [slots[i], slots[k]] = [slots[k], slots[i]];
  };
  return {
    get size() {
      return slots.length;
    },
    push(item, key) {
      slots.push({ item, key, order: pushed++ });
      for (let at = slots.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!isBefore(slots[at], slots[parent])) break;
        swap(at, parent);
        at = parent;
      }
    },
    leastKey: () => slots[0]?.key ?? Number.POSITIVE_INFINITY,
    pop() {
      const top = slots[0];
      const last = slots.pop();
      if (top === undefined || last === undefined) return undefined;
      if (slots.length === 0) return top.item;
      slots[0] = last;
      for (let at = 0; ; ) {
        let least = at;
        for (const child of [2 * at + 1, 2 * at + 2]) {
          if (child < slots.length && isBefore(slots[child], slots[least])) least = child;
        }
        if (least === at) return top.item;
        swap(at, least);
        at = least;
      }
    },
  };
}
