import { modeTimes } from '../../../jssp/flexible-times.js';
import type { Instance } from '../../../jssp/instance.js';
import { type SetupPaths, setupPaths } from '../../../jssp/setup-paths.js';
import { eachPredecessor, modeDuration, modeMachine, modesOf } from '../../../jssp/shop-parts.js';
import { type LeastGaps, leastGaps } from './least-gaps.js';
import { resourcePlaces } from './resource-places.js';

/** Instead of a literal: two operations of a job, the first before the second. */
export const BEFORE = -1;
/** Instead of a literal: two operations of a job, the second before the first. */
const AFTER = -2;
/** Instead of a literal: two operations that never share a machine. */
const APART = -3;

/**
 * A shop in the form of the learning prover. It numbers the modes that may be used. Bounds have slots: slot `op` is
 * that of the operation in any mode, and each mode of an operation with several has one more. Bound `slot` is a head, the
 * earliest start; bound `slots + slot` is a tail, the least time from the end of the operation to the makespan.
 *
 * Variables are modes of operations with several (literal 2v: the mode is used), then pairs of operations that may share
 * a place (literals: one starts before the other).
 *
 * A place is a machine, or a resource of which no two operations can have what they need at the same time.
 */
export interface ShopModel {
  readonly operations: number;
  readonly machines: number;
  /** The number of places, machines first. */
  readonly places: number;
  readonly modes: number;
  readonly slots: number;
  readonly variables: number;
  readonly modeVariables: number;
  /** N+1 entries. */
  readonly modeOffset: Int32Array;
  /** By mode: operation, machine, duration, number in the instance, slot, and the literal of its use (−1: always). */
  readonly operation: Int32Array;
  readonly machine: Int32Array;
  readonly duration: Int32Array;
  readonly given: Int32Array;
  readonly slot: Int32Array;
  readonly use: Int32Array;
  /** By mode: the least setup before it, included in no duration; and whether it waits for the job. */
  readonly setup: Int32Array;
  readonly waits: Uint8Array;
  /** By slot: the mode; −1 for the slot of an operation with several. */
  readonly modeOf: Int32Array;
  /** By mode variable: the mode. */
  readonly modeOfVariable: Int32Array;
  /** By literal − 2 × modeVariables: the operations that start first and second. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** By place: the modes that occupy it; and by mode the places (`placesOf[placeOffset[mode] … placeOffset[mode + 1] − 1]`). */
  readonly members: readonly Int32Array[];
  readonly placeOffset: Int32Array;
  readonly placesOf: Int32Array;
  /** Whether two modes occupy the same place. */
  meets(mode: number, other: number): boolean;
  /** Whether schedules whose modes and orders on all places are settled differ in times alone. */
  readonly isComplete: boolean;
  /** Edges inside jobs: predecessor, successor, minimum lag; and by operation the edges to it and from it. */
  readonly edgeFrom: Int32Array;
  readonly edgeTo: Int32Array;
  readonly lag: Int32Array;
  readonly before: readonly Int32Array[];
  readonly after: readonly Int32Array[];
  /** Whether the time between two operations of a job depends on their modes. */
  readonly hasWays: boolean;
  /** The time of transport between two modes. */
  travel(from: number, to: number): number;
  /** The least time between the end of one mode and the start of a later one on their machine; otherwise 0. */
  readonly gap: LeastGaps;
  /** The least setups of sets of families; null without setups. */
  readonly paths: SetupPaths | null;
  /** The literal by which one operation starts before another, or {@link BEFORE}, {@link AFTER}, {@link APART}. */
  literalOf(op: number, other: number): number;
  /** Heads and tails by mode from jobs alone. */
  readonly head: Int32Array;
  readonly tail: Int32Array;
}

/** Numbers the modes and pairs of a shop. */
export function createShopModel(instance: Instance): ShopModel {
  const { operations, machines, transport } = instance;
  const times = modeTimes(instance);
  const modeOffset = new Int32Array(operations + 1);
  const given: number[] = [];
  const operation: number[] = [];
  for (let op = 0; op < operations; op++) {
    const [first, stop] = modesOf(instance, op);
    for (let mode = first; mode < stop; mode++) {
      if (times.isOpen[mode] === 0) continue;
      given.push(mode);
      operation.push(op);
    }
    modeOffset[op + 1] = given.length;
  }
  const pick = (valueOfMode: (mode: number) => number) => Int32Array.from(given, valueOfMode);
  const machine = pick((mode) => modeMachine(instance, mode));
  const duration = pick((mode) => modeDuration(instance, mode));
  const slots = numberSlots(modeOffset);
  const onMachines = Array.from({ length: machines }, (_, k) =>
    Int32Array.from([...given.keys()].filter((mode) => machine[mode] === k && duration[mode] > 0)),
  );
  const numberOf = new Map(given.map((mode, i) => [mode, i]));
  const resources = resourcePlaces(instance, times.isOpen);
  const members = [
    ...onMachines,
    ...resources.members.map((those) => those.map((mode) => numberOf.get(mode) ?? -1)),
  ];
  const edges = edgesOf(instance);
  const numbers = numberPairs(instance, slots.modeVariables, operation, members);
  const time = transport?.time ?? null;
  const waits = Uint8Array.from(machine, (k, mode) =>
    instance.setups !== null && instance.setups.anticipatory[k] === 0 && duration[mode] > 0 ? 1 : 0,
  );
  return {
    operations,
    machines,
    modes: given.length,
    modeOffset,
    operation: Int32Array.from(operation),
    machine,
    duration,
    given: Int32Array.from(given),
    ...slots,
    ...numbers,
    ...edges,
    places: members.length,
    members,
    ...placesByMode(members, given.length),
    isComplete: resources.isComplete,
    setup: pick((mode) => times.setup[mode]),
    waits,
    hasWays: time !== null || waits.includes(1),
    travel: (from, to) => (time === null ? 0 : time[machine[from] * machines + machine[to]]),
    paths: setupPaths(instance),
    gap: leastGaps(instance, onMachines, duration, operation),
    head: pick((mode) => times.head[mode]),
    tail: pick((mode) => times.tail[mode]),
  };
}

function numberSlots(modeOffset: Int32Array) {
  const operations = modeOffset.length - 1;
  const modes = modeOffset[operations];
  const slot = new Int32Array(modes);
  const use = new Int32Array(modes).fill(-1);
  const modeOf: number[] = [];
  const modeOfVariable: number[] = [];
  for (let op = 0; op < operations; op++) {
    modeOf.push(modeOffset[op] + 1 === modeOffset[op + 1] ? modeOffset[op] : -1);
  }
  for (let op = 0; op < operations; op++) {
    const isSingle = modeOf[op] >= 0;
    for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
      slot[mode] = op;
      if (isSingle) continue;
      slot[mode] = modeOf.length;
      use[mode] = 2 * modeOfVariable.length;
      modeOf.push(mode);
      modeOfVariable.push(mode);
    }
  }
  return {
    slot,
    use,
    slots: modeOf.length,
    modeOf: Int32Array.from(modeOf),
    modeVariables: modeOfVariable.length,
    modeOfVariable: Int32Array.from(modeOfVariable),
  };
}

/** The places of each mode, in ascending order. */
function placesByMode(members: readonly Int32Array[], modes: number) {
  const places = Array.from({ length: modes }, (): number[] => []);
  members.forEach((those, k) => {
    for (const mode of those) places[mode].push(k);
  });
  const placeOffset = new Int32Array(modes + 1);
  places.forEach((those, mode) => {
    placeOffset[mode + 1] = placeOffset[mode] + those.length;
  });
  const placesOf = Int32Array.from(places.flat());
  return {
    placeOffset,
    placesOf,
    meets: (mode: number, other: number): boolean => {
      for (let x = placeOffset[mode]; x < placeOffset[mode + 1]; x++) {
        for (let y = placeOffset[other]; y < placeOffset[other + 1]; y++) {
          if (placesOf[x] === placesOf[y]) return true;
        }
      }
      return false;
    },
  };
}

function edgesOf(instance: Instance) {
  const from: number[] = [];
  const to: number[] = [];
  const lag: number[] = [];
  const before = Array.from({ length: instance.operations }, (): number[] => []);
  const after = before.map((): number[] => []);
  for (let op = 0; op < instance.operations; op++) {
    eachPredecessor(instance, op, (earlier, minLag) => {
      before[op].push(from.length);
      after[earlier].push(from.length);
      from.push(earlier);
      to.push(op);
      lag.push(minLag);
    });
  }
  return {
    edgeFrom: Int32Array.from(from),
    edgeTo: Int32Array.from(to),
    lag: Int32Array.from(lag),
    before: before.map((edges) => Int32Array.from(edges)),
    after: after.map((edges) => Int32Array.from(edges)),
  };
}

function numberPairs(
  instance: Instance,
  modeVariables: number,
  operation: readonly number[],
  members: readonly Int32Array[],
) {
  const { operations } = instance;
  const matrix = new Int32Array(operations * operations).fill(APART);
  const from: number[] = [];
  const to: number[] = [];
  markOrders(instance, matrix);
  for (const those of members) {
    for (let i = 0; i < those.length; i++) {
      for (let j = i + 1; j < those.length; j++) {
        const a = operation[those[i]];
        const b = operation[those[j]];
        if (a === b || matrix[a * operations + b] !== APART) continue;
        const literal = 2 * modeVariables + from.length;
        matrix[a * operations + b] = literal;
        matrix[b * operations + a] = literal + 1;
        from.push(a, b);
        to.push(b, a);
      }
    }
  }
  return {
    from: Int32Array.from(from),
    to: Int32Array.from(to),
    variables: modeVariables + (from.length >> 1),
    literalOf: (op: number, other: number): number => matrix[op * operations + other],
  };
}

/** Marks the pairs of operations of a job that are ordered by it. */
function markOrders(instance: Instance, matrix: Int32Array): void {
  const { operations } = instance;
  for (let op = 0; op < operations; op++) {
    eachPredecessor(instance, op, (earlier) => {
      for (let first = instance.jobOffset[instance.jobOf[op]]; first <= earlier; first++) {
        if (first !== earlier && matrix[first * operations + earlier] !== BEFORE) continue;
        matrix[first * operations + op] = BEFORE;
        matrix[op * operations + first] = AFTER;
      }
    });
  }
}
