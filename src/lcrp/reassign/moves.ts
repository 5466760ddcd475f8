import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { modeDuration, modeMachine, modesOf } from '../../jssp/shop-parts.js';
import { eachRival, sharesResource } from './rivals.js';
import type { ShopState } from './shop-state.js';

/** Another place of an operation: behind `left` (−1: in front) on the machine of a mode. */
export interface ShopMove {
  readonly op: number;
  readonly mode: number;
  readonly left: number;
  /** The operation before which this one takes its operators and tools; −1: by their starts. */
  readonly ahead: number;
  /** The estimated delay of the target, with prices. */
  readonly estimate: number;
}

/** N entries: the time from the end of each operation to that of a target if nothing waits; −1 if it does not matter. */
export function tailsTo(state: ShopState, target: number, tail: Int32Array): void {
  const { order, start, end, successors, after, machine, instance } = state;
  const { transport, machines } = instance;
  tail.fill(-1);
  tail[target] = 0;
  for (let i = order.length - 1; i >= 0; i--) {
    const op = order[i];
    if (op === target) continue;
    let longest = -1;
    const right = after[op];
    if (right >= 0 && tail[right] >= 0) {
      longest = tail[right] + end[right] - start[right] + setupBetween(state, op, right);
    }
    for (let edge = successors.offset[op]; edge < successors.offset[op + 1]; edge++) {
      const next = successors.op[edge];
      if (tail[next] < 0) continue;
      const way = transport === null ? 0 : transport.time[machine[op] * machines + machine[next]];
      longest = Math.max(
        longest,
        tail[next] + end[next] - start[next] + way + successors.lag[edge],
      );
    }
    tail[op] = longest;
  }
}

/** The operations on a chain of waiting operations that ends with a target, the last one first. */
export function criticalChain(state: ShopState, target: number): number[] {
  const { start, free, facts, machineFree, machine, duration, before } = state;
  const chain: number[] = [];
  for (let op = target; op >= 0 && free[op] === 1 && chain.length < start.length; ) {
    chain.push(op);
    let binding = -1;
    let latest = duration[op] > 0 && before[op] < 0 ? machineFree[machine[op]] : 0;
    const consider = (other: number, time: number) => {
      if (time < latest || (time === latest && binding >= 0)) return;
      latest = time;
      binding = other;
    };
    eachArrival(state, op, machine[op], consider);
    const left = before[op];
    if (left >= 0) consider(left, state.end[left] + setupBetween(state, left, op));
    const expected = earliestStart(facts, op, latest);
    if (expected === start[op]) op = release(state, op) >= latest ? -1 : binding;
    else op = state.timer === null ? -1 : (endingBetween(state, op, expected) ?? binding);
  }
  return chain;
}

function release({ instance }: ShopState, op: number): number {
  return instance.release?.[op] ?? 0;
}

/** The last operation that kept another one waiting for a resource, which could have started at `expected`. */
function endingBetween(state: ShopState, op: number, expected: number): number | undefined {
  const { start, end, free } = state;
  let found: number | undefined;
  for (let other = 0; other < end.length; other++) {
    if (other === op || free[other] === 0 || end[other] === start[other]) continue;
    if (end[other] <= expected || end[other] > start[op]) continue;
    if (found !== undefined && end[other] <= end[found]) continue;
    if (end[other] === start[op] || sharesResource(state, op, other)) found = other;
  }
  return found;
}

/** The times at which the job of an operation can be at a machine after each of its predecessors. */
function eachArrival(
  { predecessors, end, machine, instance }: ShopState,
  op: number,
  k: number,
  visit: (predecessor: number, time: number) => void,
): void {
  const { transport, machines } = instance;
  for (let edge = predecessors.offset[op]; edge < predecessors.offset[op + 1]; edge++) {
    const from = predecessors.op[edge];
    const way = transport === null ? 0 : transport.time[machine[from] * machines + k];
    visit(from, end[from] + way + predecessors.lag[edge]);
  }
}

/** The setup between neighbours in a queue. */
function setupBetween(state: ShopState, op: number, next: number): number {
  return setupOn(state, state.machine[next], op, next);
}

/** The setup between operations if they are neighbours on machine k. */
function setupOn({ instance }: ShopState, k: number, op: number, next: number): number {
  const { setups } = instance;
  if (setups === null) return 0;
  const matrix = setups.matrixOf[k];
  if (matrix < 0) return 0;
  const { families, family, time } = setups;
  return time[(matrix * families + family[op]) * families + family[next]];
}

/** The limits and the prices of candidate moves. */
export interface MoveRules {
  /** N entries: 1 for operations that may move. */
  readonly movable: Uint8Array;
  /** m entries: 1 for machines whose queues must keep their order. */
  readonly closed: Uint8Array;
  /** N entries: the planned mode of each operation. */
  readonly planned: Int32Array;
  /** The price of any other mode, in units of the estimates. */
  readonly price: number;
}

/**
 * Estimates all places of an operation in the queues of its machines for a target: how late the target ends if the chain
 * of waiting operations goes through it (as Mastrolilli and Gambardella 2000 do,
 * doi:10.1002/(SICI)1099-1425(200001/02)3:1<3::AID-JOS32>3.0.CO;2-Y, with the former heads and tails).
 *
 * @param tail times to the target, see {@link tailsTo}
 * @param target an operation whose end matters
 * @param found receives the moves
 */
export function estimatePlaces(
  state: ShopState,
  op: number,
  tail: Int32Array,
  rules: MoveRules,
  target: number,
  found: ShopMove[],
): void {
  const { instance, machine, mode: current } = state;
  const before = state.end[target];
  const [first, stop] = modesOf(instance, op);
  for (let mode = first; mode < stop; mode++) {
    const k = modeMachine(instance, mode);
    const isSame = mode === current[op];
    if (rules.closed[k] === 1 || rules.closed[machine[op]] === 1) continue;
    const extra = (mode === rules.planned[op] ? 0 : rules.price) - before;
    estimateMode(state, { op, mode, k, isSame, extra }, tail, rules, found);
  }
}

interface ModeTrial {
  readonly op: number;
  readonly mode: number;
  readonly k: number;
  readonly isSame: boolean;
  readonly extra: number;
}

function estimateMode(
  state: ShopState,
  { op, mode, k, isSame, extra }: ModeTrial,
  tail: Int32Array,
  rules: MoveRules,
  found: ShopMove[],
): void {
  const { facts, instance, successors, machine, duration, start, end, first, after, before } =
    state;
  const { transport, machines } = instance;
  const trial = duration[op];
  const home = machine[op];
  const length = modeDuration(instance, mode);
  let ready = 0;
  eachArrival(state, op, k, (_, time) => {
    if (time > ready) ready = time;
  });
  let behind = 0;
  let latest = Number.POSITIVE_INFINITY;
  for (let edge = successors.offset[op]; edge < successors.offset[op + 1]; edge++) {
    const next = successors.op[edge];
    latest = Math.min(latest, end[next]);
    if (tail[next] < 0) continue;
    const way = transport === null ? 0 : transport.time[k * machines + machine[next]];
    behind = Math.max(behind, tail[next] + end[next] - start[next] + way + successors.lag[edge]);
  }
  const at = (left: number, free: number) => {
    duration[op] = length;
    machine[op] = k;
    const from = earliestStart(facts, op, Math.max(ready, free));
    const done = completionTime(facts, op, from);
    duration[op] = trial;
    machine[op] = home;
    let right = left < 0 ? first[k] : after[left];
    if (right === op) right = after[op];
    let most = done + behind;
    if (right >= 0 && tail[right] >= 0 && length > 0) {
      const begin = done + setupOn(state, k, op, right);
      most = Math.max(most, begin + end[right] - start[right] + tail[right]);
    }
    found.push({ op, mode, left, ahead: -1, estimate: most + extra });
  };
  if (length === 0) {
    if (!isSame) at(-1, 0);
    return;
  }
  const isHome = k === home;
  const own = isSame ? before[op] : NOWHERE;
  let left = -1;
  // No operation that must keep its place is passed in its own queue.
  if (isHome) for (left = before[op]; left >= 0 && rules.movable[left] === 1; ) left = before[left];
  let free = left < 0 ? state.machineFree[k] : end[left] + setupOn(state, k, left, op);
  for (let right = left < 0 ? first[k] : after[left]; ; right = after[right]) {
    if (right === op) continue;
    if ((right < 0 || end[right] > ready) && left !== own) at(left, free);
    if (right < 0 || start[right] > latest || (isHome && rules.movable[right] === 0)) break;
    const shift = isHome && start[right] > start[op] ? trial : 0;
    left = right;
    free = Math.max(end[right] - shift, 0) + setupOn(state, k, right, op);
  }
}

/**
 * Estimates the turns of an operation at the operators and tools of its mode: before each operation that holds one of them
 * while it waits.
 */
export function estimateTurns(
  state: ShopState,
  op: number,
  tail: Int32Array,
  target: number,
  found: ShopMove[],
): void {
  const { start, end, mode, before, machine, machineFree } = state;
  const left = before[op];
  let ready = left < 0 ? machineFree[machine[op]] : end[left] + setupBetween(state, left, op);
  ready = Math.max(ready, release(state, op));
  eachArrival(state, op, machine[op], (_, time) => {
    if (time > ready) ready = time;
  });
  eachRival(state, op, ready, (ahead) => {
    const saved = start[op] - Math.max(ready, start[ahead]);
    const estimate = end[op] - saved + tail[op] - end[target];
    found.push({ op, mode: mode[op], left, ahead, estimate });
  });
}

/** No operation, and not the front of a queue either. */
const NOWHERE = -2;
