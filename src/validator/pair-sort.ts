/** The maximum width of a digit: more slots would not fit the L1 cache. */
export const MAX_BITS = 11;

/** Buffers to sort up to a fixed number of (key, item) pairs without allocating. */
export interface PairSpace {
  /** Keys, at least 0, in the first `count` entries. */
  keys: Int32Array;
  /** The item of each key. */
  items: Int32Array;
  spareKeys: Int32Array;
  spareItems: Int32Array;
  /** 2^MAX_BITS counters. */
  readonly slots: Int32Array;
}

/** Creates buffers for up to `capacity` pairs. */
export function createPairSpace(capacity: number): PairSpace {
  return {
    keys: new Int32Array(capacity),
    items: new Int32Array(capacity),
    spareKeys: new Int32Array(capacity),
    spareItems: new Int32Array(capacity),
    slots: new Int32Array(1 << MAX_BITS),
  };
}

/**
 * Sorts the first `count` pairs by key, stable, in linear time: radix sort from the lowest digit up, with a digit width
 * that suits the number of pairs. The sorted pairs are in `space.keys` and `space.items`, which may be other arrays
 * than before.
 */
export function sortPairs(space: PairSpace, count: number): void {
  const { slots } = space;
  let { keys, items, spareKeys, spareItems } = space;
  let union = 0;
  for (let i = 0; i < count; i++) union |= keys[i];
  const keyBits = 32 - Math.clz32(union);
  const affordable = Math.max(4, Math.min(MAX_BITS, 33 - Math.clz32(count)));
  const passes = Math.ceil(keyBits / affordable);
  const bits = Math.ceil(keyBits / passes);
  const mask = (1 << bits) - 1;
  for (let pass = 0; pass < passes; pass++) {
    const shift = pass * bits;
    slots.fill(0, 0, mask + 1);
    for (let i = 0; i < count; i++) slots[(keys[i] >>> shift) & mask]++;
    turnIntoPlaces(slots, mask + 1, 0);
    for (let i = 0; i < count; i++) {
      const key = keys[i];
      const place = slots[(key >>> shift) & mask]++;
      spareKeys[place] = key;
      spareItems[place] = items[i];
    }
    [keys, spareKeys] = [spareKeys, keys];
    [items, spareItems] = [spareItems, items];
  }
  space.keys = keys;
  space.items = items;
  space.spareKeys = spareKeys;
  space.spareItems = spareItems;
}

/** Turns the first `length` counts into start positions, beginning with `place`. */
export function turnIntoPlaces(counts: Int32Array, length: number, place: number): void {
  let next = place;
  for (let i = 0; i < length; i++) {
    const count = counts[i];
    counts[i] = next;
    next += count;
  }
}
