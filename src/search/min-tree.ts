/** The smallest of values that change one at a time: a tournament, O(log count) for each change. */
export interface MinTree {
  set(index: number, value: number): void;
  /** The index of the smallest value, the first such where several are equal. */
  first(): number;
  get(index: number): number;
}

/** Creates a tree of `count` values, at least one, all Infinity. */
export function createMinTree(count: number): MinTree {
  const value = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  // Node 1 is the root, node i has the children 2i and 2i + 1, leaf `count + i` holds index i.
  const winner = new Int32Array(2 * count);
  const play = (node: number): void => {
    const a = winner[2 * node];
    const b = winner[2 * node + 1];
    winner[node] = value[b] < value[a] || (value[b] === value[a] && b < a) ? b : a;
  };
  for (let index = 0; index < count; index++) winner[count + index] = index;
  for (let node = count - 1; node >= 1; node--) play(node);

  return {
    set: (index, changed) => {
      value[index] = changed;
      for (let node = (count + index) >> 1; node >= 1; node >>= 1) play(node);
    },
    first: () => winner[1],
    get: (index) => value[index],
  };
}
