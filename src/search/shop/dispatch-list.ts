import type { ShopList } from '../../jssp/shop-timing/lists.js';
import type { ShopTable } from '../../jssp/shop-timing/shop-table.js';
import type { ShopTimer } from '../../jssp/shop-timing/timer.js';
import type { Priority } from '../construct/rules/rule.js';

/** The operations that may come next in a list, and what is known of them. */
interface Ready {
  readonly ops: number[];
  /** N entries: the mode in which an operation would end first, … */
  readonly mode: Int32Array;
  /** … its start and end in it, which are lower bounds until it is looked at again, … */
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** … and the length of the list when it was looked at. */
  readonly seenAt: Int32Array;
  /** N entries: the predecessors that are not in the list. */
  readonly waiting: Int32Array;
}

/**
 * Makes a list with a dispatching rule. Each operation is looked at in the mode in which it would end first. Without
 * patience, the rule chooses among those that could start first (non-delay); with it, among those that could start on
 * the machine of the one that could end first, before that end (Giffler and Thompson 1960, doi:10.1287/opre.8.4.487).
 * An operation that must follow another one within a maximum lag comes right behind it. The timer contains the list
 * afterwards.
 *
 * @returns null if an operation has no place behind the others
 */
export function dispatchList(
  timer: ShopTimer,
  priority: Priority,
  isPatient: boolean,
): ShopList | null {
  const { table } = timer;
  const ready = createReady(table);
  const order = new Int32Array(table.operations);
  const modes = table.chosen.slice();
  const forced: number[] = [];
  timer.clear();
  for (let count = 0; count < table.operations; count++) {
    const next = forced.pop() ?? choose(timer, ready, priority, isPatient, count);
    look(timer, ready, next, count);
    const mode = ready.mode[next];
    if (!timer.append(next, mode)) return null;
    order[count] = next;
    modes[next] = mode;
    ready.ops.splice(ready.ops.indexOf(next), 1);
    release(table, ready, next, forced);
  }
  return { order, modes };
}

function createReady(table: ShopTable): Ready {
  const { operations, edgeOffset } = table;
  const waiting = new Int32Array(operations);
  const ops: number[] = [];
  for (let op = 0; op < operations; op++) {
    waiting[op] = edgeOffset[op + 1] - edgeOffset[op];
    if (waiting[op] === 0) ops.push(op);
  }
  return {
    ops,
    mode: table.chosen.slice(),
    start: new Float64Array(operations),
    end: new Float64Array(operations),
    seenAt: new Int32Array(operations).fill(-1),
    waiting,
  };
}

/** Lets the successors of an operation be next; those within a maximum lag must be. */
function release(table: ShopTable, ready: Ready, op: number, forced: number[]): void {
  const { nextOffset, nextEdge, edgeTo, maxLag } = table;
  for (let i = nextOffset[op]; i < nextOffset[op + 1]; i++) {
    const to = edgeTo[nextEdge[i]];
    if (--ready.waiting[to] > 0) continue;
    ready.ops.push(to);
    if (maxLag[nextEdge[i]] >= 0) forced.push(to);
  }
}

/** Finds the mode in which an operation would end first. */
function look(timer: ShopTimer, ready: Ready, op: number, count: number): void {
  if (ready.seenAt[op] === count) return;
  ready.seenAt[op] = count;
  const { modeOffset, modeDuration, frozen, chosen } = timer.table;
  const isFrozen = frozen[op] >= 0;
  const first = isFrozen ? chosen[op] : modeOffset[op];
  const stop = isFrozen ? first + 1 : modeOffset[op + 1];
  let best = Number.POSITIVE_INFINITY;
  for (let mode = first; mode < stop; mode++) {
    const end = timer.probe(op, mode);
    const isBetter =
      end < best || (end === best && modeDuration[mode] < modeDuration[ready.mode[op]]);
    if (!isBetter && mode > first) continue;
    best = end;
    ready.mode[op] = mode;
    ready.start[op] = end === Number.POSITIVE_INFINITY ? end : timer.start[op];
    ready.end[op] = end;
  }
}

/** The operation that comes next by the rule. */
function choose(
  timer: ShopTimer,
  ready: Ready,
  priority: Priority,
  isPatient: boolean,
  count: number,
): number {
  const { ops, start, end, mode, seenAt } = ready;
  const { modeMachine } = timer.table;
  const key = isPatient ? end : start;
  let first = ops[0];
  for (;;) {
    for (const op of ops) if (key[op] < key[first]) first = op;
    if (seenAt[first] === count) break;
    look(timer, ready, first, count);
  }
  const now = start[first];
  const machine = modeMachine[mode[first]];
  const isCandidate = (op: number) =>
    isPatient ? start[op] < end[first] && modeMachine[mode[op]] === machine : start[op] <= now;
  let best = first;
  let bestRank = rankOf(timer, priority, first, now);
  for (const op of ops) {
    if (op === first || !isCandidate(op)) continue;
    look(timer, ready, op, count);
    if (!isCandidate(op)) continue;
    const rank = rankOf(timer, priority, op, now);
    if (rank < bestRank || (rank === bestRank && op < best)) {
      best = op;
      bestRank = rank;
    }
  }
  return best;
}

/** The rank of an operation by the rule; the smallest comes first. */
function rankOf({ table, end }: ShopTimer, priority: Priority, op: number, now: number): number {
  if (priority.kind === 'fixed') return priority.key[op];
  if (priority.kind === 'critical-ratio') {
    return (priority.due[table.instance.jobOf[op]] - now) / priority.work[op];
  }
  const { edgeOffset, edgeFrom, release: earliest } = table;
  let arrival = earliest[op];
  for (let edge = edgeOffset[op]; edge < edgeOffset[op + 1]; edge++) {
    arrival = Math.max(arrival, end[edgeFrom[edge]]);
  }
  return arrival;
}
