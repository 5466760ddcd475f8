import type { InstanceSpec } from '../instance.js';
import type { Modes } from '../shop-parts.js';

/** Modes with the fastest one of each operation chosen, the first one of several. O(M). */
export function chooseFastest({ offset, machine, duration }: Omit<Modes, 'chosen'>): Modes {
  const chosen = new Int32Array(offset.length - 1);
  for (let op = 0; op < chosen.length; op++) {
    let best = offset[op];
    for (let mode = best + 1; mode < offset[op + 1]; mode++) {
      if (duration[mode] < duration[best]) best = mode;
    }
    chosen[op] = best;
  }
  return { offset, machine, duration, chosen };
}

/** The members of an instance that modes determine; null for the modes if no operation has two. */
export function withoutSingleModes(
  modes: Modes,
): Pick<InstanceSpec, 'modes' | 'machine' | 'duration'> {
  const { machine, duration, chosen } = modes;
  if (machine.length === chosen.length) return { modes: null, machine, duration };
  return {
    modes,
    machine: chosen.map((mode) => machine[mode]),
    duration: chosen.map((mode) => duration[mode]),
  };
}
