import { createHeaps } from '@alas-jssp/core/heaps';
import type { Random } from '@alas-jssp/core/random';
import type { Instance } from '../../jssp/instance.js';
import { modeDuration, modeMachine, modesOf, setupTime } from '../../jssp/shop-parts.js';
import type { JobEdges } from './edges.js';

/** A solution as the kernel loads it: a topological order (N), and the mode of each operation (N). */
export interface ModedOrder {
  readonly order: Int32Array;
  readonly mode: Int32Array;
}

/** Before every other key: operations that have started come first. */
const STARTED = -(2 ** 40);

/**
 * A solution by list scheduling: of all operations whose predecessors are scheduled, the one with the least earliest
 * start minus its remaining work comes next, in the mode that is completed first. O(M + N log N).
 *
 * @param noise remaining work and completions are multiplied by a random factor from 1 − this to 1 + this
 */
export function constructOrder(
  instance: Instance,
  edges: JobEdges,
  random: Random,
  noise: number,
): ModedOrder {
  const { operations, machines, frozen, release } = instance;
  const vary = () => 1 + noise * (2 * random.next() - 1);
  const mode = new Int32Array(operations);
  const order = new Int32Array(operations);
  const ready = Float64Array.from({ length: operations }, (_, op) => release?.[op] ?? 0);
  const free = new Float64Array(machines);
  const previous = new Int32Array(machines).fill(-1);
  const missing = Int32Array.from(
    ready,
    (_, op) => edges.predOffset[op + 1] - edges.predOffset[op],
  );
  const key = remainingWork(instance, edges).map((work) => -work * vary());
  const queue = createHeaps(Int32Array.of(0, operations), key);
  const push = (op: number) => {
    const isStarted = frozen !== null && frozen[op] >= 0;
    key[op] = isStarted ? STARTED + frozen[op] : key[op] + ready[op];
    queue.push(0, op);
  };
  for (let op = 0; op < operations; op++) if (missing[op] === 0) push(op);
  for (let i = 0; i < operations; i++) {
    const op = queue.pop(0);
    order[i] = op;
    const isStarted = frozen !== null && frozen[op] >= 0;
    const [first, stop] = modesOf(instance, op);
    let least = Number.POSITIVE_INFINITY;
    let end = 0;
    for (let candidate = first; candidate < stop; candidate++) {
      if (isStarted && instance.modes !== null && candidate !== instance.modes.chosen[op]) continue;
      const k = modeMachine(instance, candidate);
      const begin = Math.max(ready[op], free[k] + setupTime(instance, k, previous[k], op));
      const value = (begin + modeDuration(instance, candidate)) * vary();
      if (value >= least) continue;
      least = value;
      mode[op] = candidate;
      end = begin + modeDuration(instance, candidate);
    }
    const k = modeMachine(instance, mode[op]);
    free[k] = end;
    previous[k] = op;
    for (let e = edges.succOffset[op]; e < edges.succOffset[op + 1]; e++) {
      const after = edges.succ[e];
      ready[after] = Math.max(ready[after], end + edges.succLag[e]);
      if (--missing[after] === 0) push(after);
    }
  }
  return { order, mode };
}

/** For each operation (N) the longest path from its start to the end of its job, with mean durations. */
function remainingWork(instance: Instance, edges: JobEdges): Float64Array {
  const work = new Float64Array(instance.operations);
  for (let op = instance.operations - 1; op >= 0; op--) {
    const [first, stop] = modesOf(instance, op);
    let sum = 0;
    for (let mode = first; mode < stop; mode++) sum += modeDuration(instance, mode);
    let behind = 0;
    for (let e = edges.succOffset[op]; e < edges.succOffset[op + 1]; e++) {
      behind = Math.max(behind, work[edges.succ[e]]);
    }
    work[op] = behind + sum / (stop - first);
  }
  return work;
}
