import type { Instance } from '../../../jssp/instance.js';
import {
  modeCount,
  modeDuration,
  modeMachine,
  modesOf,
  type Resources,
  WORK_PHASE,
} from '../../../jssp/shop-parts.js';

/** The resources of a shop of which no two operations can have what they need at the same time. */
export interface ResourcePlaces {
  /**
   * For each of them, which is like a further machine: the modes that cannot work at the same time, as the instance
   * numbers them.
   */
  readonly members: readonly Int32Array[];
  /** Whether nothing else about resources delays an operation whose order with all these is settled. */
  readonly isComplete: boolean;
}

/** Whether the prover considers all uses of resources. */
export function knowsResources(instance: Instance): boolean {
  return resourcePlaces(instance, new Uint8Array(modeCount(instance)).fill(1)).isComplete;
}

/** Finds the resources that are like further machines. */
export function resourcePlaces(instance: Instance, isOpen: Uint8Array): ResourcePlaces {
  const { resources } = instance;
  if (resources === null) return { members: [], isComplete: true };
  const operation = operationsOf(instance, isOpen.length);
  const members: Int32Array[] = [];
  let isComplete = true;
  for (let r = 0; r < resources.count; r++) {
    const { modes, needs } = needsOf(instance, resources, r, isOpen);
    const { least, largest } = capacities(resources, r);
    const large = modes.filter(
      (mode, i) => 2 * needs[i] > largest && !isInterrupted(instance, mode),
    );
    const isPlace = large.length > 1 && !holdsOverlap(instance, large, operation);
    if (isPlace) members.push(Int32Array.from(large));
    const isSettled = isPlace && large.length === modes.length;
    if (isSetUp(instance, r)) isComplete = false;
    else if (!isSettled) isComplete &&= mostNeeded(modes, needs, operation) <= least;
  }
  return { members, isComplete };
}

/** By mode: its operation. */
function operationsOf(instance: Instance, modes: number): Int32Array {
  const operation = new Int32Array(modes);
  for (let op = 0; op < instance.operations; op++) {
    const [first, stop] = modesOf(instance, op);
    operation.fill(op, first, stop);
  }
  return operation;
}

/** The modes that need a resource to work, and how much. */
function needsOf(instance: Instance, resources: Resources, r: number, isOpen: Uint8Array) {
  const { needOffset, needResource, needAmount, needPhase } = resources;
  const modes: number[] = [];
  const needs: number[] = [];
  for (let mode = 0; mode < isOpen.length; mode++) {
    if (isOpen[mode] === 0 || modeDuration(instance, mode) === 0) continue;
    let sum = 0;
    for (let need = needOffset[mode]; need < needOffset[mode + 1]; need++) {
      if (needResource[need] === r && needPhase[need] === WORK_PHASE) sum += needAmount[need];
    }
    if (sum === 0) continue;
    modes.push(mode);
    needs.push(sum);
  }
  return { modes, needs };
}

/** The least and the largest capacity of a resource at any time. */
function capacities({ capacity, calendar }: Resources, resource: number) {
  let least = capacity[resource];
  let largest = least;
  if (calendar !== null) {
    for (let i = calendar.offset[resource]; i < calendar.offset[resource + 1]; i++) {
      least = Math.min(least, calendar.amount[i]);
      largest = Math.max(largest, calendar.amount[i]);
    }
  }
  return { least, largest };
}

/** Whether an operation gives the resource back while a resumable downtime of its machine interrupts it. */
function isInterrupted(instance: Instance, mode: number): boolean {
  const { calendar } = instance;
  if (calendar === null) return false;
  const k = modeMachine(instance, mode);
  return calendar.resumable.subarray(calendar.offset[k], calendar.offset[k + 1]).includes(1);
}

/** Whether started operations work at the same time, although there is not enough for both: the past is as it is. */
function holdsOverlap(
  instance: Instance,
  modes: readonly number[],
  operation: Int32Array,
): boolean {
  const { frozen } = instance;
  if (frozen === null) return false;
  const times = modes
    .filter((mode) => frozen[operation[mode]] >= 0)
    .map((mode) => [frozen[operation[mode]], modeDuration(instance, mode)] as const)
    .sort(([one], [other]) => one - other);
  return times.some(([start], i) => i > 0 && times[i - 1][0] + times[i - 1][1] > start);
}

/** Whether setups need the resource. */
function isSetUp({ resources, setups }: Instance, resource: number): boolean {
  if (setups === null || resources === null) return false;
  return resources.needResource.some(
    (needed, need) => needed === resource && resources.needPhase[need] !== WORK_PHASE,
  );
}

/** The most that all operations need together. */
function mostNeeded(
  modes: readonly number[],
  needs: readonly number[],
  operation: Int32Array,
): number {
  const most = new Map<number, number>();
  modes.forEach((mode, i) => {
    const op = operation[mode];
    most.set(op, Math.max(most.get(op) ?? 0, needs[i]));
  });
  return [...most.values()].reduce((sum, need) => sum + need, 0);
}
