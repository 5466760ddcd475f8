import {
  completionTime,
  createInstance,
  createSchedule,
  type Instance,
  replaceInstance,
  type ScheduleView,
  type Violation,
  validate,
} from 'alas-jssp/page';
import { workDurationOf } from '../forms/event-draft.js';

/** The rules for moving operations of a followed schedule. */
export interface MoveRules {
  /** Whether an operation has not started at a time, so that it may move. */
  canMove(operation: number, now: number): boolean;
  /** The machines that can do an operation, ascending. */
  machinesOf(operation: number): readonly number[];
  /** The duration of an operation on a machine that can do it. */
  durationOn(operation: number, machine: number): number;
  /** The end of an operation with a given start on a machine that can do it. */
  endOf(operation: number, machine: number, start: number): number;
  /**
   * The violations if one operation has another start and machine and all others stay, by the validator; without
   * setups, transport, graphs and resources. O(N log N).
   */
  brokenRules(place: WishedPlace, now: number): readonly Violation[];
  /**
   * The times to which a dragged operation snaps: now, its release, the end of its predecessor in its job, and ends on
   * the machine.
   */
  magnets(operation: number, machine: number, now: number): readonly number[];
}

/** A start of an operation on a machine that can do it. */
export interface WishedPlace {
  readonly operation: number;
  readonly machine: number;
  readonly start: number;
}

/** Creates the rules of a schedule. */
export function moveRules(view: ScheduleView): MoveRules {
  const instance = instanceOf(view);
  const { modes } = view;
  const modeOn = (op: number, on: number): number => {
    if (modes === null || on === view.machine[op]) return -1;
    for (let mode = modes.offset[op]; mode < modes.offset[op + 1]; mode++) {
      if (modes.machine[mode] === on) return mode;
    }
    return -1;
  };
  /** The instance in which an operation is on a machine. */
  const placedOn = (op: number, on: number): Instance => {
    const mode = modeOn(op, on);
    if (mode < 0 || modes === null) return instance;
    return replaceInstance(instance, {
      machine: instance.machine.map((k, one) => (one === op ? on : k)),
      duration: instance.duration.map((d, one) => (one === op ? modes.duration[mode] : d)),
    });
  };
  const { jobOf } = instance;
  const { machine, start, end, release } = view;
  const fixed = new Set(view.fixed);
  const canMove = (op: number, now: number) => !fixed.has(op) && start[op] >= now;
  return {
    canMove,
    machinesOf(op) {
      const machines = modes?.machine.slice(modes.offset[op], modes.offset[op + 1]) ?? [];
      return [...new Set([machine[op], ...machines])].sort((a, b) => a - b);
    },
    durationOn(op, on) {
      const mode = modeOn(op, on);
      return modes === null || mode < 0 ? instance.duration[op] : modes.duration[mode];
    },
    endOf: (op, on, time) => completionTime(placedOn(op, on), op, time),
    brokenRules({ operation: op, machine: on, start: time }, now) {
      const shop = replaceInstance(placedOn(op, on), {
        frozen: Int32Array.from(start, (at, one) => (canMove(one, now) ? -1 : at)),
        release: Int32Array.from(start, (at, one) =>
          canMove(one, now)
            ? Math.max(release?.[one] ?? 0, now)
            : Math.min(at, release?.[one] ?? 0),
        ),
      });
      const starts = Int32Array.from(start);
      starts[op] = time;
      const { violations } = validate(shop, createSchedule(shop, starts));
      return violations.filter(
        (one) =>
          (one.scope.op === op || ('other' in one && one.other === op)) &&
          // In a graph of operations, the one before it in the list may be no predecessor.
          (view.isPlain || one.code !== 'job_precedence'),
      );
    },
    magnets(op, on, now) {
      const before = op > 0 && jobOf[op - 1] === jobOf[op] ? [end[op - 1]] : [];
      const ends = end.filter((_, one) => one !== op && machine[one] === on);
      return [now, release?.[op] ?? 0, ...before, ...ends].filter((time) => time >= now);
    },
  };
}

/** The instance of a view, with the data that the rules need. */
function instanceOf(view: ScheduleView): Instance {
  const { downtimes, machines } = view;
  const places = Array.from(downtimes.machine.keys());
  const offset = new Int32Array(machines + 1);
  for (const k of downtimes.machine) offset[k + 1]++;
  for (let k = 0; k < machines; k++) offset[k + 1] += offset[k];
  const calendar = {
    offset,
    from: Int32Array.from(places, (i) => downtimes.from[i]),
    to: Int32Array.from(places, (i) => downtimes.to[i]),
    resumable: Uint8Array.from(places, (i) => (downtimes.resumable[i] ? 1 : 0)),
  };
  return createInstance({
    name: view.instance,
    machines,
    jobOffset: Int32Array.from(view.jobOffset),
    machine: Int32Array.from(view.machine),
    duration: Int32Array.from(view.machine, (_, op) => workDurationOf(view, op)),
    calendar: places.length === 0 ? null : calendar,
  });
}
