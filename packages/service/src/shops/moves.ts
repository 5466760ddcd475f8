import {
  english,
  explainMove,
  reasonOfEdit,
  type Sentences,
  type ShopRepair,
} from 'alas-jssp/internal/service';
import { chosenMode } from 'alas-jssp/jssp';
import { explainRepair, type RepairResult } from 'alas-jssp/lcrp';
import type { MovesView } from 'alas-jssp/page';
import type { WireMove } from '../api/common.js';
import { wireOperation, wireTime } from '../api/wire.js';

/** A page of the moves of a repair, and their number. */
export interface WireMoves {
  readonly moved: number;
  readonly moves: WireMove[];
  /** The number of moves after these. */
  readonly more: number;
}

/** Options to describe moves. */
export interface MoveOptions {
  /** The cause of all moves, if the repair answers no events. */
  readonly because?: string | undefined;
  /** The first listed move, from 0. */
  readonly from?: number | undefined;
  /** Default: English. */
  readonly sentences?: Sentences | undefined;
}

/** The most moves of an answer. */
const MOST_MOVES = 50;

/** An operation that moved; its cause is formatted on demand. */
interface Moved {
  readonly op: number;
  readonly kind: WireMove['kind'];
  /** The operation for which it waits, −1 for none. */
  readonly waitsFor: number;
  readonly why: () => string;
}

/** The moves of a repair by start, with their causes. O(N log N). */
export function wireMoves(repair: ShopRepair, options: MoveOptions = {}): WireMoves {
  const { from = 0, sentences } = options;
  const { schedule, before, applied } = repair;
  const { instance } = schedule;
  const moved = movesOf(repair, options);
  const count = moved.filter(({ kind }) => kind !== 'new').length;
  const moves = moved.slice(from, from + MOST_MOVES).map(({ op, kind, why }): WireMove => {
    const was = before.start[op];
    const move = { was, now: applied.now, why: why(), fromMode: chosenMode(applied.instance, op) };
    const cause = explainMove(schedule, op, move, sentences);
    const wasOnWire = was < 0 ? null : wireTime(instance.timeScale, was);
    return { ...wireOperation(schedule, op), was: wasOnWire, kind, cause };
  });
  return { moved: count, moves, more: Math.max(0, moved.length - from - moves.length) };
}

/** The moves of a repair for the chart. O(N log N). */
export function viewMoves(repair: ShopRepair, options: MoveOptions = {}): MovesView {
  const { schedule, before, previous, applied } = repair;
  const moved = movesOf(repair, options);
  const arrived = moved.filter(({ kind }) => kind === 'new').length;
  return {
    moved: moved.map(({ op: operation, kind: cause, waitsFor, why }) => {
      const isNew = cause === 'new';
      const was = {
        machine: previous.instance.machine[applied.oldOf[operation]] ?? -1,
        start: isNew ? -1 : before.start[operation],
        end: isNew ? -1 : before.end[operation],
      };
      return { operation, ...was, cause, waitsFor, why: why() };
    }),
    makespan: previous.makespan,
    gone: previous.instance.operations - schedule.instance.operations + arrived,
  };
}

/** The operations whose start has changed, and new ones, by start. */
function movesOf(repair: ShopRepair, { because, sentences = english }: MoveOptions): Moved[] {
  const { schedule, before, applied } = repair;
  const { start } = schedule;
  const moved: Moved[] = [];
  const isMoved = (op: number) =>
    before.start[op] >= 0 &&
    (start[op] !== before.start[op] ||
      chosenMode(schedule.instance, op) !== chosenMode(applied.instance, op));
  if (because === undefined) {
    for (const edit of explainRepair(repair as RepairResult)) {
      const { operation: op, cause: kind } = edit;
      const waitsFor = edit.waitsFor ?? -1;
      const why = () => reasonOfEdit(edit, repair, sentences);
      if (isMoved(op)) moved.push({ op, kind, waitsFor, why });
    }
  } else {
    for (let op = 0; op < start.length; op++) {
      const kind = start[op] < before.start[op] ? 'earlier' : 'later';
      if (isMoved(op)) moved.push({ op, kind, waitsFor: -1, why: () => because });
    }
  }
  const why = () => sentences.causes.new;
  applied.oldOf.forEach((old, op) => {
    if (old < 0) moved.push({ op, kind: 'new', waitsFor: -1, why });
  });
  return moved.sort((a, b) => start[a.op] - start[b.op] || a.op - b.op);
}
