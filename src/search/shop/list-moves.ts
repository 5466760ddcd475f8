import type { Random } from '@alas-jssp/core/random';
import type { ShopTable } from '../../jssp/shop-timing/shop-table.js';
import type { CriticalPath } from './critical-list.js';
import type { ListDraft } from './list-draft.js';

/** The list that moves start from, and its times. */
export interface MoveContext {
  readonly table: ShopTable;
  readonly draft: ListDraft;
  /** N entries each: the times of the list before the move. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly path: CriticalPath;
  readonly random: Random;
  /** Memory for the operations of a machine. */
  readonly queue: Int32Array;
}

/** The share of moves of whole jobs where there are maximum lags; they are the ones that seldom break them. */
const JOBS = 0.4;
/** The share of moves that take the operation that a critical one waits for. */
const PAIRS = 0.25;
/** The share of moves of an operation that is not critical. */
const ANY = 0.05;
/** The share of moves to another mode, where there are any. */
const MODES = 0.5;

/** Changes the draft by a random move; returns whether it did. */
export function moveAtRandom(context: MoveContext): boolean {
  const { table, path, random, draft } = context;
  if (table.hasMaxLags && random.next() < JOBS) return moveJobAtRandom(context);
  const any = path.length === 0 || random.next() < ANY;
  const at = any ? -1 : random.integer(0, path.length - 1);
  const op = any ? random.integer(0, table.operations - 1) : path.op[at];
  if (table.frozen[op] >= 0) return false;
  const waitsFor = any ? -1 : path.waitsFor[at];
  if (waitsFor >= 0 && random.next() < PAIRS) {
    return random.next() < 0.5 ? draft.moveBefore(op, waitsFor) : draft.moveBehind(waitsFor, op);
  }
  const { modeOffset } = table;
  const alternatives = modeOffset[op + 1] - modeOffset[op];
  let mode = draft.mode[op];
  if (alternatives > 1 && random.next() < MODES) {
    mode = modeOffset[op] + random.integer(0, alternatives - 1);
  }
  return insertAtRandom(context, op, mode);
}

/** Moves all operations of a job to the place of an operation of another one. */
function moveJobAtRandom({ table, path, random, draft }: MoveContext): boolean {
  const { jobOf } = table.instance;
  const any = path.length === 0 || random.next() < 0.5;
  const op = any
    ? random.integer(0, table.operations - 1)
    : path.op[random.integer(0, path.length - 1)];
  const other = random.integer(0, table.operations - 1);
  if (jobOf[op] === jobOf[other]) return false;
  draft.moveJob(jobOf[op], other);
  return true;
}

/** Inserts an operation in a mode at a random one of the places on its machine near the time when its job is ready. */
function insertAtRandom(context: MoveContext, op: number, mode: number): boolean {
  const { table, draft, random, queue, start, end } = context;
  const machine = table.modeMachine[mode];
  let count = 0;
  for (const other of draft.order) {
    if (other === op) continue;
    const its = draft.mode[other];
    if (table.modeMachine[its] === machine && table.modeDuration[its] > 0) queue[count++] = other;
  }
  const isOther = mode !== draft.mode[op];
  const ready = readyTime(context, op);
  let low = 0;
  while (low < count && end[queue[low]] <= ready) low++;
  let high = low;
  const latest = Math.max(start[op], ready) + table.modeDuration[mode];
  while (high < count && start[queue[high]] < latest) high++;
  if (isOther) draft.setMode(op, mode);
  if (count === 0) return isOther;
  const place = random.integer(low, high);
  // Behind or before the neighbour that is nearer to where the operation is in the list.
  const next = place < count ? queue[place] : -1;
  const previous = place > 0 ? queue[place - 1] : -1;
  const here = draft.position[op];
  if (next >= 0 && draft.position[next] < here) return draft.moveBefore(op, next) || isOther;
  if (previous >= 0 && draft.position[previous] > here) {
    return draft.moveBehind(op, previous) || isOther;
  }
  return isOther;
}

/** The time when the predecessors of an operation are done. */
function readyTime({ table, end }: MoveContext, op: number): number {
  const { edgeOffset, edgeFrom, release } = table;
  let ready = release[op];
  for (let edge = edgeOffset[op]; edge < edgeOffset[op + 1]; edge++) {
    ready = Math.max(ready, end[edgeFrom[edge]]);
  }
  return ready;
}
