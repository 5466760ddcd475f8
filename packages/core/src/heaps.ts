/**
 * An array of binary min-heaps that share flat arrays. Heap h owns the slots `offset[h] … offset[h + 1] − 1`. An item
 * is in at most one heap, so the heaps share its key and its position. Items are ordered by key, equal keys by item
 * number.
 */
export interface Heaps {
  /** The number of items in each heap. */
  readonly size: Int32Array;
  push(heap: number, item: number): void;
  /** The first item of a heap that is not empty. */
  top(heap: number): number;
  /** Removes and returns the first item of a heap that is not empty. */
  pop(heap: number): number;
  /** Removes an item that is in this heap. */
  remove(heap: number, item: number): void;
}

/**
 * Creates empty heaps.
 *
 * @param offset one entry per heap and one more: where its slots begin
 * @param key one entry per item, read when heaps move it: change it only while the item is in no heap
 */
export function createHeaps(offset: Int32Array, key: Float64Array): Heaps {
  const slots = new Int32Array(offset[offset.length - 1]);
  const place = new Int32Array(key.length);
  const size = new Int32Array(offset.length - 1);

  /** Moves an item from slot `at` (relative to `base`) towards the root, as far as necessary. */
  const rise = (base: number, at: number, item: number): void => {
    const itemKey = key[item];
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const other = slots[base + parent];
      if (key[other] < itemKey || (key[other] === itemKey && other < item)) break;
      slots[base + at] = other;
      place[other] = at;
      at = parent;
    }
    slots[base + at] = item;
    place[item] = at;
  };

  /** Fills the hole at slot `at` with its smaller child, and so on down to a leaf. */
  const sink = (base: number, at: number, count: number): number => {
    for (let child = 2 * at + 1; child < count; child = 2 * at + 1) {
      let item = slots[base + child];
      if (child + 1 < count) {
        const right = slots[base + child + 1];
        if (key[right] < key[item] || (key[right] === key[item] && right < item)) {
          item = right;
          child++;
        }
      }
      slots[base + at] = item;
      place[item] = at;
      at = child;
    }
    return at;
  };

  const removeAt = (heap: number, at: number): void => {
    const base = offset[heap];
    const count = --size[heap];
    if (at === count) return;
    const last = slots[base + count];
    rise(base, sink(base, at, count), last);
  };

  return {
    size,
    push: (heap, item) => rise(offset[heap], size[heap]++, item),
    top: (heap) => slots[offset[heap]],
    pop: (heap) => {
      const item = slots[offset[heap]];
      removeAt(heap, 0);
      return item;
    },
    remove: (heap, item) => removeAt(heap, place[item]),
  };
}
