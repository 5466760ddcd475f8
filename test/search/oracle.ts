import type { Instance } from '../../src/jssp/instance.js';

// Slow and obviously right: everything here is written from the definitions, unit of time by unit
// of time, and shares no code with what it judges.

/** When an operation that starts at `start` is done, or null if the calendar forbids the start. */
export function completion(instance: Instance, op: number, start: number): number | null {
  let left = instance.duration[op];
  let time = start;
  if (left > 0 && downtimeAt(instance, op, start) !== null) return null;
  while (left > 0) {
    const downtime = downtimeAt(instance, op, time);
    if (downtime === 'non-resumable') return null;
    if (downtime === null) left--;
    time++;
  }
  return time;
}

function downtimeAt(
  { calendar, machine }: Instance,
  op: number,
  time: number,
): 'resumable' | 'non-resumable' | null {
  if (calendar === null) return null;
  for (let i = calendar.offset[machine[op]]; i < calendar.offset[machine[op] + 1]; i++) {
    if (calendar.from[i] <= time && time < calendar.to[i]) {
      return calendar.resumable[i] === 1 ? 'resumable' : 'non-resumable';
    }
  }
  return null;
}

/** The first time from `time` on at which an operation may start for its release and calendar. */
export function firstStart(instance: Instance, op: number, time: number): number {
  let start = time;
  while (start < (instance.release?.[op] ?? 0) || completion(instance, op, start) === null) start++;
  return start;
}

export function operationsOf(instance: Instance): number[] {
  return Array.from({ length: instance.operations }, (_, op) => op);
}

export function previousInJob(instance: Instance, op: number): number | null {
  return op > 0 && instance.jobOf[op - 1] === instance.jobOf[op] ? op - 1 : null;
}

/** Everything that is wrong with complete start times, in words; empty for a feasible schedule. */
export function faults(instance: Instance, start: Int32Array): string[] {
  const found: string[] = [];
  const ops = operationsOf(instance);
  const end = ops.map((op) => completion(instance, op, start[op]));
  for (const op of ops) {
    if (start[op] < 0) found.push(`${op} is not scheduled`);
    if (start[op] < (instance.release?.[op] ?? 0)) found.push(`${op} starts before its release`);
    const done = end[op];
    if (done === null) found.push(`${op} meets a downtime`);
    const before = previousInJob(instance, op);
    if (before !== null && start[op] < (end[before] ?? 0)) found.push(`${op} precedes its job`);
    const frozen = instance.frozen?.[op] ?? -1;
    if (frozen >= 0 && frozen !== start[op]) found.push(`${op} left its frozen start`);
  }
  const busy = ops.filter((op) => instance.duration[op] > 0);
  busy.sort((a, b) => instance.machine[a] - instance.machine[b] || start[a] - start[b]);
  for (let i = 1; i < busy.length; i++) {
    const [a, b] = [busy[i - 1], busy[i]];
    if (instance.machine[a] === instance.machine[b] && start[b] < (end[a] ?? 0)) {
      found.push(`${a} and ${b} overlap`);
    }
  }
  return found;
}

/**
 * Times before their starts at which free operations could have started: `now` asks for a machine
 * that is idle at that time (non-delay), `whole` for room until the operation is done (active).
 */
export function earlierStarts(
  instance: Instance,
  start: Int32Array,
  room: 'now' | 'whole',
): string[] {
  const found: string[] = [];
  const ops = operationsOf(instance);
  const end = ops.map((op) => completion(instance, op, start[op]) ?? 0);
  const isFrozen = (op: number) => (instance.frozen?.[op] ?? -1) >= 0;
  for (const op of ops.filter((one) => !isFrozen(one))) {
    const occupies = instance.duration[op] > 0;
    const others = occupies
      ? ops.filter(
          (other) =>
            other !== op &&
            instance.machine[other] === instance.machine[op] &&
            instance.duration[other] > 0,
        )
      : [];
    const before = previousInJob(instance, op);
    const from = Math.max(
      before === null ? 0 : end[before],
      ...others.filter(isFrozen).map((other) => end[other]),
      0,
    );
    for (let time = from; time < start[op]; time++) {
      if (time < (instance.release?.[op] ?? 0)) continue;
      const done = completion(instance, op, time);
      if (done === null) continue;
      const until = room === 'now' ? time + 1 : done;
      if (others.every((other) => end[other] <= time || start[other] >= until)) {
        found.push(`${op} starts at ${start[op]} and could start at ${time}`);
        break;
      }
    }
  }
  return found;
}
