import type { MovesView } from '../../harness/page/schedule-data.js';
import { english, type Sentences } from '../../jssp/sentences/english.js';
import { explainMove, reasonOfEdit } from '../../lcrp/metrics/edit-words.js';
import { explainRepair } from '../../lcrp/metrics/explain.js';
import type { RepairResult } from '../../lcrp/repair-result.js';
import type { ShopRepair } from '../../pipeline/shop/follow-shop.js';
import type { WireMove } from '../api/common.js';
import { wireOperation, wireTime } from '../api/wire.js';

/** Moves of a repair in their order, and how many there are. */
export interface WireMoves {
  readonly moved: number;
  readonly moves: WireMove[];
  /** Moves behind these. */
  readonly more: number;
}

/** How moves are told. */
export interface MoveOptions {
  /** The cause of all moves, of a repair that answers no events. */
  readonly because?: string | undefined;
  /** The first of them that is listed, from 0. */
  readonly from?: number | undefined;
  /** Default: English. */
  readonly sentences?: Sentences | undefined;
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

/** The moves of a repair by start, with causes in words of the shop. O(N log N). */
export function wireMoves(repair: ShopRepair, options: MoveOptions = {}): WireMoves {
  const { from = 0, sentences } = options;
  const { schedule, before, applied } = repair;
  const { instance } = schedule;
  const moved = movesOf(repair, options);
  const count = moved.filter(({ kind }) => kind !== 'new').length;
  const moves = moved.slice(from, from + MOST_MOVES).map(({ op, kind, why }): WireMove => {
    const was = before.start[op];
    const cause = explainMove(schedule, op, { was, now: applied.now, why: why() }, sentences);
    const wasOnWire = was < 0 ? null : wireTime(instance.timeScale, was);
    return { ...wireOperation(schedule, op), was: wasOnWire, kind, cause };
  });
  return { moved: count, moves, more: Math.max(0, moved.length - from - moves.length) };
}

/** The moves of a repair as they are drawn. O(N log N). */
export function viewMoves(repair: ShopRepair, options: MoveOptions = {}): MovesView {
  const { schedule, before, previous } = repair;
  const moved = movesOf(repair, options);
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
function movesOf(repair: ShopRepair, { because, sentences = english }: MoveOptions): Moved[] {
  const { schedule, before, applied } = repair;
  const { start } = schedule;
  const moved: Moved[] = [];
  const isMoved = (op: number) => before.start[op] >= 0 && start[op] !== before.start[op];
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
