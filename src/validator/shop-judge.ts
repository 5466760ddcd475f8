import { AlasError } from '@alas-jssp/core/errors';
import type { Instance } from '../jssp/instance.js';
import { checkStarts } from '../jssp/schedule.js';
import { inspectOperations } from './inspection.js';
import type { Judge } from './judge-interface.js';
import {
  countOverlaps,
  createMachineOrders,
  listByStart,
  type MachineOrders,
  worksInSequence,
} from './machine-orders.js';
import { createMovingInstance, type MovingInstance } from './moving-instance.js';
import { countOverloads, createNeedTable, type NeedTable } from './resource-use.js';
import { createSetupTimes, inspectSetups, type SetupTimes } from './setups.js';
import { createTimeJobs } from './time-jobs.js';

/** The workspace of a judge of a shop, for its instance in the modes that are judged. */
interface ShopSpace {
  readonly instance: Instance;
  readonly orders: MachineOrders;
  readonly ends: Int32Array;
  readonly setups: SetupTimes | null;
  readonly needs: NeedTable | null;
}

/** Creates a judge of start times and modes for shops that are more than the classic job shop. */
export function createShopJudge(origin: Instance): Judge {
  const taken = origin.modes?.chosen ?? null;
  const timeJobs = createTimeJobs(origin, taken);
  const choose = createChoice(origin);
  let faults = 0;
  let isComplete = true;
  const onFault = (fault: string): void => {
    faults++;
    if (fault === 'missing_operation' || fault === 'unusable') isComplete = false;
  };
  const onSetup = (): void => {
    faults++;
  };

  const begin = (starts: Int32Array, modes: Int32Array | undefined): ShopSpace => {
    checkStarts(origin, starts);
    const space = choose(starts, modes);
    space.setups?.end.fill(-1);
    faults = 0;
    isComplete = true;
    return space;
  };
  return {
    isFeasible: (starts, modes) => {
      const space = begin(starts, modes);
      const { instance, orders, ends, setups } = space;
      if (!timeJobs(instance, starts, ends)) return false;
      for (let k = 0; k < instance.machines; k++) {
        if (!worksInSequence(orders, k, starts, ends)) return false;
        if (setups === null) continue;
        inspectSequence(space, k, starts, onSetup);
        if (faults > 0) return false;
      }
      return overloadsOf(space, starts, 1) === 0;
    },
    countViolations: (starts, modes) => {
      const space = begin(starts, modes);
      const { instance, orders, ends, setups } = space;
      inspectOperations(instance, starts, ends, taken, onFault);
      let overlaps = 0;
      for (let k = 0; k < instance.machines; k++) {
        const isSequence = isComplete && worksInSequence(orders, k, starts, ends);
        if (!isSequence) overlaps += countOverlaps(orders, k, starts, ends);
        if (setups === null) continue;
        if (isSequence) inspectSequence(space, k, starts, onSetup);
        else inspectAnyOrder(space, k, starts, onSetup);
      }
      return faults + overlaps + overloadsOf(space, starts, Number.POSITIVE_INFINITY);
    },
  };
}

/** Creates a function that returns the workspace for modes; without modes, those chosen in the instance count. */
function createChoice(origin: Instance): (starts: Int32Array, modes?: Int32Array) => ShopSpace {
  let fixed: ShopSpace | null = null;
  let moving: { readonly choose: MovingInstance['choose']; readonly space: ShopSpace } | null =
    null;
  return (starts, modes) => {
    if (modes === undefined) {
      fixed ??= createSpace(origin, createMachineOrders(origin));
      return fixed;
    }
    if (origin.modes === null) return refuseModes(origin);
    if (moving === null) {
      const { instance, orders, choose } = createMovingInstance(origin, origin.modes);
      moving = { choose, space: createSpace(instance, orders) };
    }
    moving.choose(modes, starts);
    return moving.space;
  };
}

function createSpace(instance: Instance, orders: MachineOrders): ShopSpace {
  return {
    instance,
    orders,
    ends: new Int32Array(instance.operations),
    setups: createSetupTimes(instance),
    needs: instance.resources === null ? null : createNeedTable(instance, instance.resources),
  };
}

/** Judges the setups of a machine whose order is right. */
function inspectSequence(
  { instance, orders, ends, setups }: ShopSpace,
  machine: number,
  starts: Int32Array,
  onFault: () => void,
): void {
  const { order, first, stop } = orders;
  if (setups === null) return;
  const [from, to] = [first[machine], stop[machine]];
  inspectSetups(instance, machine, order, from, to, starts, ends, setups, onFault);
}

function inspectAnyOrder(
  { instance, orders, ends, setups }: ShopSpace,
  machine: number,
  starts: Int32Array,
  onFault: () => void,
): void {
  if (setups === null) return;
  const count = listByStart(orders, machine, starts, ends);
  const { items } = orders.space;
  inspectSetups(instance, machine, items, 0, count, starts, ends, setups, onFault);
}

function overloadsOf(
  { instance, ends, setups, needs }: ShopSpace,
  starts: Int32Array,
  limit: number,
): number {
  return needs === null
    ? 0
    : countOverloads(instance, needs, { starts, ends, setups }, limit, null);
}

/**
 * The refusal of modes for an instance without any.
 *
 * @throws AlasError `bad_modes`
 */
export function refuseModes({ name }: Instance): never {
  throw new AlasError('bad_modes', `${name} has no modes to choose from`, name);
}
