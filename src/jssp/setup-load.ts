import type { ModeTimes } from './flexible-times.js';
import type { Instance } from './instance.js';
import { setupPaths } from './setup-paths.js';
import { modeDuration, modeMachine, modesOf } from './shop-parts.js';

/** Limits of tails to try for each machine. */
const MAX_TAILS = 24;

/** Operations that only one machine can do: by operation the least head, duration and tail. */
interface FixedWork {
  readonly byMachine: readonly number[][];
  readonly head: Int32Array;
  readonly duration: Int32Array;
  readonly tail: Int32Array;
}

/**
 * A lower bound of the work of single machines with the setups between families: of operations with at least some head
 * and some tail, the sum of head, work, least setups between their families, and tail. 0 without setups.
 */
export function setupLoad(instance: Instance, times: ModeTimes): number {
  const paths = setupPaths(instance);
  if (paths === null) return 0;
  const { byMachine, head, duration, tail } = fixedWork(instance, times);
  let best = 0;
  byMachine.forEach((operations, k) => {
    const byHead = operations.sort((a, b) => head[b] - head[a]);
    const tails = [...new Set(operations.map((op) => tail[op]))].sort((a, b) => a - b);
    const step = Math.max(1, tails.length / MAX_TAILS);
    for (let t = 0; t < tails.length; t += step) {
      const least = tails[Math.floor(t)];
      let sum = 0;
      let families = 0;
      for (const op of byHead) {
        if (tail[op] < least) continue;
        sum += duration[op];
        families |= paths.bit[op];
        best = Math.max(best, head[op] + sum + paths.least(k, families) + least);
      }
    }
  });
  return best;
}

function fixedWork(instance: Instance, { isOpen, head, tail }: ModeTimes): FixedWork {
  const { operations, machines } = instance;
  const byMachine = Array.from({ length: machines }, (): number[] => []);
  const least = {
    head: new Int32Array(operations),
    duration: new Int32Array(operations),
    tail: new Int32Array(operations),
  };
  for (let op = 0; op < operations; op++) {
    const [first, stop] = modesOf(instance, op);
    const open: number[] = [];
    for (let mode = first; mode < stop; mode++) if (isOpen[mode] === 1) open.push(mode);
    const machine = modeMachine(instance, open[0]);
    const durations = open.map((mode) => modeDuration(instance, mode));
    if (open.some((mode) => modeMachine(instance, mode) !== machine)) continue;
    if (durations.includes(0)) continue;
    byMachine[machine].push(op);
    least.duration[op] = Math.min(...durations);
    least.head[op] = Math.min(...open.map((mode) => head[mode]));
    least.tail[op] = Math.min(...open.map((mode) => tail[mode]));
  }
  return { byMachine, ...least };
}
