import { completionTime } from './calendar.js';
import { type Calendar, type Instance, isFree, replaceInstance } from './instance.js';

/**
 * Replaces frozen operations by downtimes of their machines that no operation may span. The result has the same
 * schedules of the free operations. Without frozen operations the instance itself is returned. O(N log N).
 *
 * Its calendar does not constrain the frozen operations themselves.
 */
export function closeFrozen(instance: Instance): Instance {
  if (instance.frozen === null || instance.frozen.every((start) => start < 0)) return instance;
  return replaceInstance(instance, { calendar: joinedCalendar(instance) });
}

/** Downtimes and frozen operations in one calendar, with adjacent ones merged. */
function joinedCalendar(instance: Instance): Calendar {
  const { machines, operations, calendar } = instance;
  const most = operations + (calendar?.from.length ?? 0);
  const offset = new Int32Array(machines + 1);
  const from = new Int32Array(most);
  const to = new Int32Array(most);
  const resumable = new Uint8Array(most);
  let count = 0;
  /** Adds a time in which a machine is occupied; calls are ordered by start. */
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

/** The uptime of machines, without downtimes. */
export interface MachineTime {
  /** The uptime of a machine before a time; negative times count in full. */
  upBefore(machine: number, time: number): number;
  /** The earliest time before which a machine has a given uptime. */
  timeAfter(machine: number, up: number): number;
}

/** Computes the uptime of machines. Each query takes O(log downtimes of the machine). */
export function createMachineTime({ offset, from, to }: Calendar): MachineTime {
  // For each downtime, the uptime of its machine before it.
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
