import type { EffectiveEvent } from '../../disruption/index.js';
import type { MovesView } from '../../harness/page/schedule-data.js';
import { type Words, wordsOf } from '../../jssp/words.js';
import { type Edit, explainRepair } from '../../lcrp/metrics/explain.js';
import type { RepairResult } from '../../lcrp/repair-result.js';
import type { ShopRepair } from '../../pipeline/shop/follow-shop.js';
import type { WireMove } from '../api/common.js';
import { wireOperation, wireTime } from '../api/wire.js';

/** The first moves of a repair, and how many there are. */
export interface WireMoves {
  readonly moved: number;
  readonly moves: WireMove[];
  readonly more: number;
}

/** Moves that an answer lists. */
const MOST_MOVES = 50;

/** An operation that moved, before its cause is put in words. */
interface Moved {
  readonly op: number;
  readonly kind: WireMove['kind'];
  /** The operation that it waits for, −1 for none. */
  readonly waitsFor: number;
  readonly why: () => string;
}

/**
 * The moves of a repair by start, with causes in words of the shop. O(N log N).
 *
 * @param because the cause of all moves, of a repair that answers no events
 */
export function wireMoves(repair: ShopRepair, because?: string): WireMoves {
  const { schedule, before, applied } = repair;
  const { instance, start } = schedule;
  const words = wordsOf(instance);
  const moved = movesOf(repair, words, because);
  const count = moved.filter(({ kind }) => kind !== 'new').length;
  const moves = moved.slice(0, MOST_MOVES).map(({ op, kind, why }): WireMove => {
    const was = before.start[op];
    const subject = words.operation(op);
    const cause = `${subject} ${shiftOf(words, was, start[op], applied.now)}: ${why()}`;
    const wasOnWire = was < 0 ? null : wireTime(instance.timeScale, was);
    return { ...wireOperation(schedule, op), was: wasOnWire, kind, cause };
  });
  return { moved: count, moves, more: moved.length - moves.length };
}

/** The moves of a repair as they are drawn. O(N log N). */
export function viewMoves(repair: ShopRepair, because?: string): MovesView {
  const { schedule, before, previous } = repair;
  const moved = movesOf(repair, wordsOf(schedule.instance), because);
  const arrived = moved.filter(({ kind }) => kind === 'new').length;
  return {
    moved: moved.map(({ op: operation, kind: cause, waitsFor, why }) => {
      const isNew = cause === 'new';
      const was = {
        start: isNew ? -1 : before.start[operation],
        end: isNew ? -1 : before.end[operation],
      };
      return { operation, ...was, cause, waitsFor, why: why() };
    }),
    makespan: previous.makespan,
    gone: previous.instance.operations - schedule.instance.operations + arrived,
  };
}

/** The operations that start at another time than before, and new ones, by start. */
function movesOf(repair: ShopRepair, words: Words, because?: string): Moved[] {
  const { schedule, before, applied } = repair;
  const { start } = schedule;
  const moved: Moved[] = [];
  const isMoved = (op: number) => before.start[op] >= 0 && start[op] !== before.start[op];
  if (because === undefined) {
    for (const edit of explainRepair(repair as RepairResult)) {
      const { operation: op, cause: kind } = edit;
      const waitsFor = edit.waitsFor ?? -1;
      const why = () => reasonOfEdit(edit, repair, words);
      if (isMoved(op)) moved.push({ op, kind, waitsFor, why });
    }
  } else {
    for (let op = 0; op < start.length; op++) {
      const kind = start[op] < before.start[op] ? 'earlier' : 'later';
      if (isMoved(op)) moved.push({ op, kind, waitsFor: -1, why: () => because });
    }
  }
  const why = () => 'its job has just arrived';
  applied.oldOf.forEach((old, op) => {
    if (old < 0) moved.push({ op, kind: 'new', waitsFor: -1, why });
  });
  return moved.sort((a, b) => start[a.op] - start[b.op] || a.op - b.op);
}

function shiftOf(words: Words, was: number, start: number, now: number): string {
  if (was < 0) return `starts at ${words.time(start, now)}`;
  return start > was
    ? `waits ${words.duration(start - was)}`
    : `starts ${words.duration(was - start)} earlier`;
}

/** The cause of an edit, in words of the shop. */
export function reasonOfEdit(
  { operation, cause, waitsFor, event }: Edit,
  { applied, schedule: { instance } }: ShopRepair,
  words: Words,
): string {
  const root = event === null ? '' : reasonOfEvent(applied.events[event], words, applied);
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
      return `it is pinned, and stays where it had to go${then}`;
    case 'later':
      return `it moved with all others${then}`;
  }
}

/** The effect of an event, as a reason: `Lathe 2 is down until 14:10`. */
function reasonOfEvent(
  event: EffectiveEvent,
  words: Words,
  { now, instance: { jobOffset } }: ShopRepair['applied'],
): string {
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
