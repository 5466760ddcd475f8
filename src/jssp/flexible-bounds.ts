import type { MakespanBounds } from './calendar-bounds.js';
import { type ModeTimes, modeTimes } from './flexible-times.js';
import type { Instance } from './instance.js';
import { createMachineSets } from './machine-sets.js';
import { setupLoad } from './setup-load.js';
import { modeDuration, modeMachine, modesOf } from './shop-parts.js';
import { weightedLoad } from './weighted-load.js';

/** Groups of machines are joined until they are this many, or their operations, counted by group, this many. */
const MAX_GROUPS = 150;
const MAX_WORK = 4_000_000;
/** The greatest number of sets of several machines that are distinguished. */
const MAX_SETS = 2000;
/** Limits of tails to try for each group. */
const MAX_TAILS = 24;

/**
 * Lower bounds on the makespan of a shop with any parts: alternatives, setups, transport, precedence and resources. A
 * group of machines must do all operations that no other machine can do, each in no less than its shortest mode and
 * least setup; the groups are the sets of alternative machines and unions of them. Downtimes, maximum lags and
 * resources are ignored.
 */
export function flexibleBounds(instance: Instance): MakespanBounds {
  let known: { times: ModeTimes; work: ShopWork; groups: MachineGroup[] } | null = null;
  const data = () => {
    if (known === null) {
      const times = modeTimes(instance);
      const work = workOf(instance, times);
      known = { times, work, groups: groupsOf(work) };
    }
    return known;
  };
  return {
    jobLength: () => longestOperation(instance, data().times),
    machineLoad: () => {
      const { work, groups } = data();
      return most(groups, ({ size, operations }) => Math.ceil(energyOf(work, operations) / size));
    },
    headsAndTails: () => {
      const { times, work, groups } = data();
      const loads = most(groups, ({ size, operations }) => boundOf(work, operations, size));
      const least = Math.max(loads, longestOperation(instance, times));
      return Math.max(loads, weightedLoad(instance, times, least));
    },
    preemptive: () => {
      const { times, work, groups } = data();
      let best = Math.max(longestOperation(instance, times), setupLoad(instance, times));
      for (const group of groups) best = boundOfParts(work, group, best);
      return best;
    },
  };
}

/** The work of a shop by operation; only of operations that occupy a machine. */
interface ShopWork {
  /** The least time that it occupies its machine, with its setup. */
  readonly energy: Float64Array;
  /** The earliest time at which that begins, and the least time that follows it. */
  readonly head: Int32Array;
  readonly tail: Int32Array;
  /** Distinct sets of machines, and the operations that need one of each. */
  readonly sets: readonly { readonly machines: bigint; readonly operations: number[] }[];
  /** All machines with all operations, also those of sets that are too many to be distinguished. */
  readonly all: MachineGroup;
}

/** Machines, how many they are, and the operations that no other machine can do. */
interface MachineGroup {
  readonly size: number;
  readonly operations: readonly number[];
}

function most(
  groups: readonly MachineGroup[],
  boundOfGroup: (group: MachineGroup) => number,
): number {
  let value = 0;
  for (const group of groups) value = Math.max(value, boundOfGroup(group));
  return value;
}

function longestOperation(instance: Instance, { isOpen, head, tail }: ModeTimes): number {
  let longest = 0;
  for (let op = 0; op < instance.operations; op++) {
    const [first, stop] = modesOf(instance, op);
    let least = Infinity;
    for (let mode = first; mode < stop; mode++) {
      if (isOpen[mode] === 0) continue;
      least = Math.min(least, head[mode] + modeDuration(instance, mode) + tail[mode]);
    }
    longest = Math.max(longest, least);
  }
  return longest;
}

function workOf(instance: Instance, times: ModeTimes): ShopWork {
  const { operations } = instance;
  const energy = new Float64Array(operations);
  const head = new Int32Array(operations);
  const tail = new Int32Array(operations);
  const isUsed = new Uint8Array(instance.machines);
  const numbers = createMachineSets(instance.machines, MAX_SETS);
  const bySet = new Map<number, number[]>();
  const all: number[] = [];
  for (let op = 0; op < operations; op++) {
    const [first, stop] = modesOf(instance, op);
    let least = Infinity;
    let begin = Infinity;
    let rest = Infinity;
    let set = 0;
    for (let mode = first; mode < stop; mode++) {
      if (times.isOpen[mode] === 0) continue;
      const setup = times.setup[mode];
      least = Math.min(least, modeDuration(instance, mode) && modeDuration(instance, mode) + setup);
      begin = Math.min(begin, times.head[mode] - setup);
      rest = Math.min(rest, times.tail[mode]);
      set = numbers.with(set, modeMachine(instance, mode));
    }
    energy[op] = least;
    head[op] = begin;
    tail[op] = rest;
    // An operation that may take no time occupies no machine.
    if (least === 0) continue;
    all.push(op);
    for (let mode = first; mode < stop; mode++) {
      isUsed[modeMachine(instance, mode)] |= times.isOpen[mode];
    }
    const known = bySet.get(set);
    if (known !== undefined) known.push(op);
    else if (set >= 0) bySet.set(set, [op]);
  }
  const sets = [...bySet].map(([set, those]) => {
    return { machines: numbers.machinesOf(set), operations: those };
  });
  const size = isUsed.reduce((sum, used) => sum + used, 0);
  return { energy, head, tail, sets, all: { size, operations: all } };
}

/** All machines, the sets of alternative machines, and unions of them. */
function groupsOf({ energy, sets, all }: ShopWork): MachineGroup[] {
  const unions = new Set<bigint>(sets.map(({ machines }) => machines));
  const limit = Math.min(MAX_GROUPS, MAX_WORK / Math.max(1, energy.length));
  for (const one of unions) {
    if (unions.size >= limit) break;
    for (const { machines } of sets) {
      if (unions.size >= limit) break;
      unions.add(one | machines);
    }
  }
  const groups: MachineGroup[] = all.operations.length > 0 ? [all] : [];
  let visited = all.operations.length;
  for (const machines of [...unions].reverse()) {
    // Of very many sets in a large shop some are left out.
    if (visited > MAX_WORK) break;
    const inside = sets.filter((set) => (set.machines & ~machines) === 0n);
    const operations = inside.flatMap((set) => set.operations);
    visited += operations.length + sets.length;
    groups.push({ size: bitsOf(machines), operations });
  }
  return groups;
}

function bitsOf(machines: bigint): number {
  let count = 0;
  for (const digit of machines.toString(16)) {
    for (let bits = Number.parseInt(digit, 16); bits > 0; bits >>= 1) count += bits & 1;
  }
  return count;
}

function energyOf({ energy }: ShopWork, operations: readonly number[]): number {
  return operations.reduce((sum, op) => sum + energy[op], 0);
}

/**
 * A bound of operations that only `size` machines can do. Each machine that is used waits for a head before its first
 * one and leaves a tail after its last one, and these are different operations: the bound is the least mean over any
 * number of machines that are used.
 */
function boundOf(work: ShopWork, operations: readonly number[], size: number): number {
  const heads = smallest(work.head, operations, size);
  const tails = smallest(work.tail, operations, size);
  let sum = energyOf(work, operations);
  let least = Infinity;
  for (let used = 1; used <= heads.length; used++) {
    sum += heads[used - 1] + tails[used - 1];
    least = Math.min(least, Math.ceil(sum / used));
  }
  return least;
}

function smallest(time: Int32Array, operations: readonly number[], count: number): Int32Array {
  return Int32Array.from(operations, (op) => time[op])
    .sort()
    .subarray(0, count);
}

/**
 * The best bound of those operations of a group that have at least some head and some tail: on one machine the
 * preemptive bound of Carlier 1982, on several a bound of their total work.
 *
 * @param known a bound: returned if that of the group is not larger
 */
function boundOfParts(work: ShopWork, { size, operations }: MachineGroup, known: number): number {
  const { head, tail, energy } = work;
  const longestHead = operations.reduce((longest, op) => Math.max(longest, head[op]), 0);
  const tails = [...new Set(operations.map((op) => tail[op]))].sort((a, b) => a - b);
  const mean = energyOf(work, operations) / size + longestHead;
  let best = known;
  if (mean + tails[tails.length - 1] <= best) return best;
  const byHead = Int32Array.from(operations).sort((a, b) => head[b] - head[a]);
  const step = Math.max(1, tails.length / MAX_TAILS);
  const heads = new Int32Array(operations.length);
  for (let t = 0; t < tails.length; t += step) {
    const limit = tails[Math.floor(t)];
    let sum = 0;
    let count = 0;
    for (const op of byHead) {
      if (tail[op] < limit) continue;
      heads[count++] = head[op];
      sum += energy[op];
      if (sum / Math.min(size, count) + head[byHead[0]] + limit <= best) continue;
      best = Math.max(best, leastMean(heads, count, sum, limit, size));
    }
  }
  return best;
}

/**
 * The least mean time of some machines, of which each has one of the last, smallest heads before its work and `limit`
 * after it.
 */
function leastMean(
  heads: Int32Array,
  count: number,
  work: number,
  limit: number,
  size: number,
): number {
  let total = work;
  let least = Infinity;
  for (let used = 1; used <= size && used <= count; used++) {
    const next = heads[count - used];
    if (next + limit >= least) break;
    total += next + limit;
    least = Math.min(least, Math.ceil(total / used));
  }
  return least;
}
