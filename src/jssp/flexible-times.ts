import type { Instance } from './instance.js';
import { eachPredecessor, modeCount, modeDuration, modeMachine, modesOf } from './shop-parts.js';

/** Times of the modes of a shop, each job as if it were alone; M entries each. */
export interface ModeTimes {
  /** 1 where a mode may be used: a frozen operation keeps its chosen one. */
  readonly isOpen: Uint8Array;
  /** The earliest start. */
  readonly head: Int32Array;
  /** The least time from the end of the operation to the end of its job. */
  readonly tail: Int32Array;
  /** The least setup time before it. */
  readonly setup: Int32Array;
}

/**
 * Earliest starts and remaining times by mode. They respect releases, frozen starts, precedence, transport, minimum
 * lags and the least setups, and ignore downtimes, maximum lags and resources.
 */
export function modeTimes(instance: Instance): ModeTimes {
  const { operations, frozen, release } = instance;
  const count = modeCount(instance);
  const isOpen = openModes(instance);
  const setup = leastSetups(instance, isOpen);
  const head = new Int32Array(count);
  const tail = new Int32Array(count);
  for (let op = 0; op < operations; op++) {
    const [first, stop] = modesOf(instance, op);
    for (let mode = first; mode < stop; mode++) {
      if (isOpen[mode] === 0) continue;
      if (frozen !== null && frozen[op] >= 0) {
        head[mode] = frozen[op];
        continue;
      }
      let ready = release === null ? 0 : release[op];
      eachPredecessor(instance, op, (before, minLag) => {
        const arrival = leastOver(instance, before, isOpen, (from) => {
          return head[from] + modeDuration(instance, from) + travel(instance, from, mode);
        });
        ready = Math.max(ready, arrival + minLag);
      });
      const waits = instance.setups?.anticipatory[modeMachine(instance, mode)] === 0;
      head[mode] = waits ? ready + setup[mode] : Math.max(ready, setup[mode]);
    }
  }
  for (let op = operations - 1; op >= 0; op--) {
    eachPredecessor(instance, op, (before, minLag) => {
      const [first, stop] = modesOf(instance, before);
      for (let mode = first; mode < stop; mode++) {
        const rest = leastOver(instance, op, isOpen, (to) => {
          return travel(instance, mode, to) + modeDuration(instance, to) + tail[to];
        });
        tail[mode] = Math.max(tail[mode], rest + minLag);
      }
    });
  }
  return { isOpen, head, tail, setup };
}

/** The earliest completion of each job (n entries) if it were alone in the shop; 0 for one without operations. */
export function earliestJobEnds(instance: Instance, { isOpen, head }: ModeTimes): Int32Array {
  const ends = new Int32Array(instance.jobs);
  for (let op = 0; op < instance.operations; op++) {
    const end = leastOver(
      instance,
      op,
      isOpen,
      (mode) => head[mode] + modeDuration(instance, mode),
    );
    ends[instance.jobOf[op]] = Math.max(ends[instance.jobOf[op]], end);
  }
  return ends;
}

/**
 * The earliest start of an operation, from the times of its predecessors alone: that of its best mode, whatever its own
 * release or frozen start.
 */
export function earliestReady(instance: Instance, { isOpen, head }: ModeTimes, op: number): number {
  return leastOver(instance, op, isOpen, (mode) => {
    let ready = 0;
    eachPredecessor(instance, op, (before, minLag) => {
      const arrival = leastOver(instance, before, isOpen, (from) => {
        return head[from] + modeDuration(instance, from) + travel(instance, from, mode);
      });
      ready = Math.max(ready, arrival + minLag);
    });
    return ready;
  });
}

/** The least value over the modes of an operation that may be used. */
function leastOver(
  instance: Instance,
  op: number,
  isOpen: Uint8Array,
  timeOf: (mode: number) => number,
): number {
  const [first, stop] = modesOf(instance, op);
  let least = Infinity;
  for (let mode = first; mode < stop; mode++) {
    if (isOpen[mode] === 1) least = Math.min(least, timeOf(mode));
  }
  return least;
}

function travel(instance: Instance, from: number, to: number): number {
  const { transport, machines } = instance;
  if (transport === null) return 0;
  return transport.time[modeMachine(instance, from) * machines + modeMachine(instance, to)];
}

function openModes(instance: Instance): Uint8Array {
  const { modes, frozen, operations } = instance;
  const isOpen = new Uint8Array(modeCount(instance)).fill(1);
  if (modes === null || frozen === null) return isOpen;
  for (let op = 0; op < operations; op++) {
    if (frozen[op] < 0) continue;
    isOpen.fill(0, modes.offset[op], modes.offset[op + 1]);
    isOpen[modes.chosen[op]] = 1;
  }
  return isOpen;
}

/** For each mode the least setup after any operation that its machine may do, or as the first one. */
function leastSetups(instance: Instance, isOpen: Uint8Array): Int32Array {
  const { setups, operations, machines } = instance;
  const least = new Int32Array(isOpen.length);
  if (setups === null) return least;
  const { families, family, matrixOf, time, first } = setups;
  // How many operations of each family each machine may do: an operation does not follow itself.
  const present = new Int32Array(machines * families);
  const eachMode = (visit: (mode: number, op: number, row: number, matrix: number) => void) => {
    for (let op = 0; op < operations; op++) {
      const [from, stop] = modesOf(instance, op);
      for (let mode = from; mode < stop; mode++) {
        const k = modeMachine(instance, mode);
        const isWork = isOpen[mode] === 1 && modeDuration(instance, mode) > 0;
        if (isWork && matrixOf[k] >= 0) visit(mode, op, k * families, matrixOf[k]);
      }
    }
  };
  eachMode((_, op, row) => present[row + family[op]]++);
  const cache = new Map<number, number>();
  eachMode((mode, op, row, matrix) => {
    const own = family[op];
    const key = row + own;
    let value = cache.get(key);
    if (value === undefined) {
      value = first[matrix * families + own];
      for (let from = 0; from < families; from++) {
        if (present[row + from] === 0) continue;
        value = Math.min(value, time[(matrix * families + from) * families + own]);
      }
      cache.set(key, value);
    }
    least[mode] = value;
  });
  return least;
}
