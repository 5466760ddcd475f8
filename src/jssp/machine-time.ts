import { completionTime } from './calendar.js';
import { type Calendar, type Instance, isFree, replaceInstance } from './instance.js';

/**
 * The shop in which frozen operations are downtimes of their machines that nothing runs across: to
 * the free ones it is the same. What has no frozen operations is returned as it is. O(N log N).
 *
 * Its calendar says nothing of the frozen operations themselves.
 */
export function closeFrozen(instance: Instance): Instance {
  if (instance.frozen === null || instance.frozen.every((start) => start < 0)) return instance;
  return replaceInstance(instance, { calendar: joinedCalendar(instance) });
}

/** Downtimes and frozen operations in one calendar; those that touch are one. */
function joinedCalendar(instance: Instance): Calendar {
  const { machines, operations, calendar } = instance;
  const most = operations + (calendar?.from.length ?? 0);
  const offset = new Int32Array(machines + 1);
  const from = new Int32Array(most);
  const to = new Int32Array(most);
  const resumable = new Uint8Array(most);
  let count = 0;
  /** Adds a time in which a machine is taken; they come in the order of their beginnings. */
  const add = (k: number, begin: number, end: number, kind: number): void => {
    if (count === offset[k] || to[count - 1] < begin) {
      from[count] = begin;
      to[count] = end;
      resumable[count++] = kind;
      return;
    }
    to[count - 1] = Math.max(to[count - 1], end);
    resumable[count - 1] &= kind;
  };
  for (let k = 0; k < machines; k++) {
    offset[k] = count;
    let next = calendar?.offset[k] ?? 0;
    const addDowntimes = (before: number): void => {
      if (calendar === null) return;
      for (; next < calendar.offset[k + 1] && calendar.from[next] < before; next++) {
        add(k, calendar.from[next], calendar.to[next], calendar.resumable[next]);
      }
    };
    for (const op of frozenByStart(instance, k)) {
      const start = instance.frozen?.[op] ?? 0;
      addDowntimes(start);
      add(k, start, completionTime(instance, op, start), 0);
    }
    addDowntimes(Infinity);
  }
  offset[machines] = count;
  const cut = [from, to].map((times) => times.slice(0, count));
  return { offset, from: cut[0], to: cut[1], resumable: resumable.slice(0, count) };
}

/** The frozen operations that occupy a machine, by their starts. */
function frozenByStart(instance: Instance, k: number): Int32Array {
  const { machineOffset, machineOperations, duration, frozen } = instance;
  const queue = machineOperations
    .subarray(machineOffset[k], machineOffset[k + 1])
    .filter((op) => duration[op] > 0 && !isFree(instance, op));
  const keys = Float64Array.from(queue, (op, i) => (frozen?.[op] ?? 0) * queue.length + i).sort();
  return Int32Array.from(keys, (key) => queue[key % queue.length]);
}

/** The time in which machines are up, downtimes cut out. */
export interface MachineTime {
  /** How long a machine is up before a time; negative times count in full. */
  upBefore(machine: number, time: number): number;
  /** The earliest time before which a machine has been up so long. */
  timeAfter(machine: number, up: number): number;
}

/** Counts the time in which machines are up. Each question takes O(log downtimes of the machine). */
export function createMachineTime({ offset, from, to }: Calendar): MachineTime {
  // For each downtime how long its machine was up before it.
  const before = new Int32Array(from.length);
  for (let k = 0; k + 1 < offset.length; k++) {
    let down = 0;
    for (let i = offset[k]; i < offset[k + 1]; i++) {
      before[i] = from[i] - down;
      down += to[i] - from[i];
    }
  }
  /** The last downtime of a machine whose key is less than a value, or one before its first. */
  const lastBelow = (machine: number, key: Int32Array, value: number): number => {
    let low = offset[machine];
    let high = offset[machine + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (key[middle] < value) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };
  return {
    upBefore: (machine, time) => {
      const i = lastBelow(machine, from, time);
      return i < offset[machine] ? time : before[i] + Math.max(0, time - to[i]);
    },
    timeAfter: (machine, up) => {
      const i = lastBelow(machine, before, up);
      return i < offset[machine] ? up : to[i] + up - before[i];
    },
  };
}
