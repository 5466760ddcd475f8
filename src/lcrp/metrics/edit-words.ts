import type { AppliedEvents, EffectiveEvent } from '../../disruption/index.js';
import type { Schedule } from '../../jssp/schedule.js';
import { wordsOf } from '../../jssp/words.js';
import type { RepairResult } from '../repair-result.js';
import type { Edit } from './explain.js';

// The sentences in which moves are told to people: on the command line, by the service, to agents and on pages.

/** The parts of a repair that reasons are told of. */
interface ToldRepair {
  readonly applied: AppliedEvents;
  readonly schedule: Schedule;
}

/** A move with its reason, by the words of the shop: `WO-4711, turning waits 12 min: Lathe 2 is down until 14:10`. */
export function tellMove(
  { instance, start }: Schedule,
  op: number,
  { was, now, why }: { readonly was: number; readonly now: number; readonly why: string },
): string {
  const words = wordsOf(instance);
  const shift = start[op] - was;
  const moves =
    was < 0
      ? `starts at ${words.time(start[op], now)}`
      : shift > 0
        ? `waits ${words.duration(shift)}`
        : `starts ${words.duration(-shift)} earlier`;
  return `${words.operation(op)} ${moves}: ${why}`;
}

/** An edit of a repair in a sentence: `job 2, step 3 waits 12: it follows job 2, step 2 in its job; machine 4 is down until 30`. */
export function tellEdit(edit: Edit, repair: ToldRepair & Pick<RepairResult, 'before'>): string {
  const { before, applied, schedule } = repair;
  const was = before.start[edit.operation];
  const why = reasonOfEdit(edit, repair);
  return tellMove(schedule, edit.operation, { was, now: applied.now, why });
}

/** The reason of an edit, by the words of the shop: `it follows WO-4712, boring on Lathe 2; Lathe 2 is down until 14:10`. */
export function reasonOfEdit(
  { operation, cause, waitsFor, event }: Edit,
  { applied, schedule: { instance } }: ToldRepair,
): string {
  const words = wordsOf(instance);
  const root = event === null ? '' : reasonOfEvent(applied.events[event], applied);
  const then = root === '' ? '' : `; ${root}`;
  const machine = words.machine(instance.machine[operation]);
  const other = waitsFor === null ? '' : words.operation(waitsFor);
  switch (cause) {
    case 'event':
      return root;
    case 'job':
      return `it follows ${other} in its job${then}`;
    case 'machine':
      return `it follows ${other} on ${machine}${then}`;
    case 'place':
      return `it has another place in the queue of ${machine}${then}`;
    case 'earlier':
      return `there is room for it earlier${then}`;
    case 'limit':
      return `its place follows from what is pinned${then}`;
    case 'later':
      return `it moved with all others${then}`;
  }
}

/** The effect of an event, as a reason: `Lathe 2 is down until 14:10`. */
export function reasonOfEvent(event: EffectiveEvent, { now, instance }: AppliedEvents): string {
  const words = wordsOf(instance);
  const { jobOffset } = instance;
  switch (event.kind) {
    case 'breakdown': {
      const until = words.time(event.to, now);
      const machine = words.machine(event.machine);
      if (event.from <= now) return `${machine} is down until ${until}`;
      return `${machine} will be down from ${words.time(event.from, now)} to ${until}`;
    }
    case 'restored':
      return `${words.machine(event.machine)} is back`;
    case 'duration': {
      const operation = words.operation(jobOffset[event.job] + event.step);
      const { duration, factor } = event;
      return duration === undefined
        ? `${operation} takes ${factor} times as long`
        : `${operation} takes ${words.duration(duration)}`;
    }
    case 'arrival':
      return `${event.job.name ?? 'a job'} has arrived`;
    case 'cancellation':
      return `${words.job(event.job)} was cancelled`;
    case 'delay': {
      const operation = words.operation(jobOffset[event.job] + (event.step ?? 0));
      return `${operation} is delayed until ${words.time(event.until, now)}`;
    }
  }
}

/** The reason of an operation that there was not before. */
export const NEW_OPERATION = 'its job has just arrived';
