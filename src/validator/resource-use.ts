import type { Instance } from '../jssp/instance.js';
import { modeCount, type Resources, WORK_PHASE } from '../jssp/shop-parts.js';
import { createPairSpace, type PairSpace, sortPairs } from './pair-sort.js';
import type { SetupTimes } from './setups.js';

/** A longest time in which the need for a resource exceeds its capacity. */
export interface Overload {
  readonly resource: number;
  readonly from: number;
  readonly to: number;
  /** The first time at which the need exceeds the capacity most; the need and the capacity are those of that time. */
  readonly peak: number;
  readonly need: number;
  readonly capacity: number;
  /** The operations that need it then, by the start of their needs; at most {@link NAMED_OPERATIONS}. */
  readonly operations: readonly number[];
}

/** The greatest number of operations that an overload names. */
const NAMED_OPERATIONS = 20;

/** The times of operations in which the use of resources is judged. */
export interface UseTimes {
  readonly starts: Int32Array;
  /** N completion times, −1 without a usable start. */
  readonly ends: Int32Array;
  readonly setups: SetupTimes | null;
}

/** The needs of all modes, by resource, and room to sweep over the changes of one of them. */
export interface NeedTable {
  /** R+1 entries. */
  readonly offset: Int32Array;
  readonly mode: Int32Array;
  readonly op: Int32Array;
  readonly amount: Int32Array;
  readonly phase: Uint8Array;
  readonly changes: Changes;
}

// Kinds of changes: the need of an operation begins or ends, a machine goes down or up, the capacity changes.
const BEGIN = 0;
const END = 1;
const DOWN = 2;
const UP = 3;
const CAPACITY = 4;

/** Changes of the use of one resource. */
interface Changes {
  readonly space: PairSpace;
  count: number;
  /** The latest end: later downtimes do not matter. */
  latest: number;
  readonly kind: Uint8Array;
  /** The amount of a need, or the new capacity. */
  readonly amount: Int32Array;
  /** The operation of a need, or the machine that goes down or up. */
  readonly subject: Int32Array;
  /** By machine: the amount that is needed there whenever it is up; whether it is down; whether its downtimes are in. */
  readonly active: Int32Array;
  readonly isDown: Uint8Array;
  readonly isListed: Uint8Array;
}

/** Creates the room to judge the use of the resources of an instance. */
export function createNeedTable(instance: Instance, resources: Resources): NeedTable {
  const { count, needOffset, needResource, needAmount, needPhase, calendar } = resources;
  const { machines, operations, modes } = instance;
  const offset = new Int32Array(count + 1);
  for (const resource of needResource) offset[resource + 1]++;
  for (let r = 0; r < count; r++) offset[r + 1] += offset[r];
  const next = offset.slice();
  const size = needResource.length;
  const [mode, op, amount] = [size, size, size].map((length) => new Int32Array(length));
  const phase = new Uint8Array(size);
  let owner = 0;
  for (let one = 0; one < modeCount(instance); one++) {
    while (modes !== null && owner + 1 < operations && modes.offset[owner + 1] <= one) owner++;
    for (let need = needOffset[one]; need < needOffset[one + 1]; need++) {
      const place = next[needResource[need]]++;
      mode[place] = one;
      op[place] = modes === null ? one : owner;
      amount[place] = needAmount[need];
      phase[place] = needPhase[need];
    }
  }
  let most = 0;
  for (let r = 0; r < count; r++) most = Math.max(most, offset[r + 1] - offset[r]);
  const downtimes = instance.calendar?.from.length ?? 0;
  const room = 2 * (most + downtimes + (calendar?.from.length ?? 0));
  return { offset, mode, op, amount, phase, changes: createChanges(room, machines) };
}

function createChanges(room: number, machines: number): Changes {
  return {
    space: createPairSpace(room),
    count: 0,
    latest: 0,
    kind: new Uint8Array(room),
    amount: new Int32Array(room),
    subject: new Int32Array(room),
    active: new Int32Array(machines),
    isDown: new Uint8Array(machines),
    isListed: new Uint8Array(machines),
  };
}

/**
 * The number of overloads: one for each resource and each longest time of overload.
 *
 * @param limit stops after this number
 * @param report receives each of them
 */
export function countOverloads(
  instance: Instance,
  use: NeedTable,
  times: UseTimes,
  limit: number,
  report: ((overload: Overload) => void) | null,
): number {
  const { resources } = instance;
  if (resources === null) return 0;
  let count = 0;
  use.changes.latest = times.ends.reduce((a, b) => Math.max(a, b), 0);
  for (let resource = 0; resource < resources.count && count < limit; resource++) {
    collectChanges(instance, resources, resource, use, times);
    count += sweep(instance, resource, use.changes, limit - count, report);
  }
  return count;
}

function collectChanges(
  instance: Instance,
  resources: Resources,
  resource: number,
  use: NeedTable,
  { starts, ends, setups }: UseTimes,
): void {
  const { modes, machine, duration } = instance;
  const { changes } = use;
  changes.count = 0;
  changes.active.fill(0);
  changes.isDown.fill(0);
  changes.isListed.fill(0);
  for (let i = use.offset[resource]; i < use.offset[resource + 1]; i++) {
    const op = use.op[i];
    if (modes !== null && modes.chosen[op] !== use.mode[i]) continue;
    if (ends[op] < 0 || duration[op] === 0) continue;
    const isWork = use.phase[i] === WORK_PHASE;
    const begin = isWork ? starts[op] : Math.max(0, setups === null ? 0 : setups.begin[op]);
    const end = isWork ? ends[op] : setups === null ? -1 : setups.end[op];
    if (end <= begin) continue;
    addChange(changes, begin, BEGIN, use.amount[i], op);
    addChange(changes, end, END, use.amount[i], op);
    addDowntimes(instance, machine[op], changes);
  }
  if (changes.count === 0 || resources.calendar === null) return;
  const { offset, from, to, amount } = resources.calendar;
  for (let i = offset[resource]; i < offset[resource + 1]; i++) {
    addChange(changes, from[i], CAPACITY, amount[i], -1);
    addChange(changes, to[i], CAPACITY, resources.capacity[resource], -1);
  }
}

function addChange(
  changes: Changes,
  time: number,
  kind: number,
  amount: number,
  subject: number,
): void {
  const { space, count } = changes;
  space.keys[count] = time;
  space.items[count] = count;
  changes.kind[count] = kind;
  changes.amount[count] = amount;
  changes.subject[count] = subject;
  changes.count++;
}

/** Adds the downtimes that interrupt the work of a machine, once. */
function addDowntimes({ calendar }: Instance, machine: number, changes: Changes): void {
  if (calendar === null || changes.isListed[machine] === 1) return;
  changes.isListed[machine] = 1;
  const { offset, from, to, resumable } = calendar;
  for (let i = offset[machine]; i < offset[machine + 1]; i++) {
    if (from[i] >= changes.latest) return;
    if (resumable[i] === 0) continue;
    addChange(changes, from[i], DOWN, 0, machine);
    addChange(changes, to[i], UP, 0, machine);
  }
}

/** The state of a sweep over the changes of a resource. */
interface SweepState {
  /** The current need, without that of machines that are down. */
  need: number;
  capacity: number;
  /** The changes that began the current needs; null if they are not needed. */
  readonly running: Set<number> | null;
}

/** Applies the changes in the order of time, and counts the longest times of overload. */
function sweep(
  instance: Instance,
  resource: number,
  changes: Changes,
  limit: number,
  report: ((overload: Overload) => void) | null,
): number {
  const { space, count } = changes;
  sortPairs(space, count);
  const { keys, items } = space;
  const usual = instance.resources?.capacity[resource] ?? 0;
  const state: SweepState = {
    need: 0,
    capacity: usual,
    running: report === null ? null : new Set(),
  };
  let open: Overload | null = null;
  let isOver = false;
  let found = 0;
  for (let i = 0; i < count; ) {
    const time = keys[i];
    for (; i < count && keys[i] === time; i++) applyChange(instance, changes, items[i], state);
    const { need, capacity } = state;
    if (need > capacity) {
      if (!isOver && ++found >= limit && report === null) return found;
      isOver = true;
      if (report === null) continue;
      if (open !== null && need - capacity <= open.need - open.capacity) continue;
      const from: number = open === null ? time : open.from;
      const operations = runningOperations(instance, changes, state);
      open = { resource, from, to: time, peak: time, need, capacity, operations };
    } else if (isOver) {
      isOver = false;
      if (report !== null && open !== null) report({ ...open, to: time });
      open = null;
    }
  }
  return found;
}

function applyChange(
  { machine }: Instance,
  { kind, amount, subject, active, isDown }: Changes,
  change: number,
  state: SweepState,
): void {
  const what = kind[change];
  if (what === CAPACITY) {
    state.capacity = amount[change];
    return;
  }
  const isNeed = what <= END;
  const k = isNeed ? machine[subject[change]] : subject[change];
  if (!isNeed) {
    isDown[k] = what === DOWN ? 1 : 0;
    state.need += what === DOWN ? -active[k] : active[k];
    return;
  }
  const more = what === BEGIN ? amount[change] : -amount[change];
  active[k] += more;
  if (isDown[k] === 0) state.need += more;
  if (state.running === null) return;
  // The end of a need follows its beginning in the list.
  if (what === BEGIN) state.running.add(change);
  else state.running.delete(change - 1);
}

/** The operations that need the resource now, by the start of their needs. */
function runningOperations(
  { machine }: Instance,
  { subject, isDown }: Changes,
  { running }: SweepState,
): number[] {
  const operations: number[] = [];
  let seen = 0;
  for (const change of running ?? []) {
    if (operations.length === NAMED_OPERATIONS || ++seen > 5 * NAMED_OPERATIONS) break;
    const op = subject[change];
    if (isDown[machine[op]] === 0) operations.push(op);
  }
  return operations;
}
