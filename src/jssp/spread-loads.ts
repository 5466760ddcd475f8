import type { Instance } from './instance.js';
import { modeDuration, modeMachine, modesOf } from './shop-parts.js';

/** A limit of passes over the operations; each makes the loads more even, and few are needed. */
const PASSES = 50;

/**
 * The loads of machines (m entries) if work is spread evenly over the alternatives: each operation is in a mode from
 * which no move to another one would end earlier on a machine without other times. Not the evenest spread, which is
 * NP-hard.
 */
export function spreadLoads(instance: Instance): Float64Array {
  const { operations, machines } = instance;
  const load = new Float64Array(machines);
  const chosen = new Int32Array(operations).fill(-1);
  const ranges = Array.from({ length: operations }, (_, op) => modesOf(instance, op));
  const shortest = ranges.map(([first, stop]) => {
    let least = Infinity;
    for (let mode = first; mode < stop; mode++) {
      least = Math.min(least, modeDuration(instance, mode));
    }
    return least;
  });
  const order = Array.from(ranges.keys()).sort((a, b) => {
    const [one, other] = [ranges[a][1] - ranges[a][0], ranges[b][1] - ranges[b][0]];
    // Operations without a choice come first, then the long ones.
    return Number(one > 1) - Number(other > 1) || shortest[b] - shortest[a] || a - b;
  });
  let hasMoved = true;
  for (let pass = 0; pass < PASSES && hasMoved; pass++) {
    hasMoved = false;
    for (const op of order) {
      const before = chosen[op];
      if (before >= 0) load[modeMachine(instance, before)] -= modeDuration(instance, before);
      const after = (mode: number) =>
        load[modeMachine(instance, mode)] + modeDuration(instance, mode);
      let best = before < 0 ? ranges[op][0] : before;
      for (let mode = ranges[op][0]; mode < ranges[op][1]; mode++) {
        if (after(mode) < after(best)) best = mode;
      }
      load[modeMachine(instance, best)] += modeDuration(instance, best);
      chosen[op] = best;
      if (best !== before) hasMoved = true;
    }
  }
  return load;
}
