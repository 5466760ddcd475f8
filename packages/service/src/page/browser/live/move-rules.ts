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
  /** The end of an operation with a given start. */
  endOf(operation: number, start: number): number;
  /** The violations if one operation has another start and all others stay, by the validator. O(N log N). */
  brokenRules(operation: number, start: number, now: number): readonly Violation[];
  /**
   * The times to which a dragged operation snaps: now, its release, the end of its predecessor in its job, and ends on
   * its machine.
   */
  magnets(operation: number, now: number): readonly number[];
}

/** Creates the rules of a schedule. */
export function moveRules(view: ScheduleView): MoveRules {
  const instance = instanceOf(view);
  const { jobOf } = instance;
  const { machine, start, end, release } = view;
  const fixed = new Set(view.fixed);
  const canMove = (op: number, now: number) => !fixed.has(op) && start[op] >= now;
  return {
    canMove,
    endOf: (op, time) => completionTime(instance, op, time),
    brokenRules(op, time, now) {
      const shop = replaceInstance(instance, {
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
        (one) => one.scope.op === op || ('other' in one && one.other === op),
      );
    },
    magnets(op, now) {
      const before = op > 0 && jobOf[op - 1] === jobOf[op] ? [end[op - 1]] : [];
      const ends = end.filter((_, one) => one !== op && machine[one] === machine[op]);
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
