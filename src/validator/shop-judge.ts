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
import { createMovingInstance } from './moving-instance.js';
import { countOverloads, createResourceUse, type ResourceUse } from './resource-use.js';
import { createSetupTimes, inspectSetups, type SetupTimes } from './setups.js';
import { createTimeJobs } from './time-jobs.js';

/** The workspace of a judge of a shop, for its instance in the modes that are judged. */
interface ShopSpace {
  readonly instance: Instance;
  readonly orders: MachineOrders;
  readonly ends: Int32Array;
  readonly setups: SetupTimes | null;
  readonly use: ResourceUse | null;
}

/** Creates a judge of start times and modes for shops that are more than the classic job shop. */
export function createShopJudge(origin: Instance): Judge {
  const moving = origin.modes === null ? null : createMovingInstance(origin, origin.modes);
  const instance = moving?.instance ?? origin;
  const taken = origin.modes?.chosen ?? null;
  const space: ShopSpace = {
    instance,
    orders: moving?.orders ?? createMachineOrders(origin),
    ends: new Int32Array(origin.operations),
    setups: createSetupTimes(origin),
    use: origin.resources === null ? null : createResourceUse(origin, origin.resources),
  };
  const timeJobs = createTimeJobs(instance, taken);
  let faults = 0;
  let isComplete = true;
  const onFault = (fault: string): void => {
    faults++;
    if (fault === 'missing_operation' || fault === 'unusable') isComplete = false;
  };
  const onSetup = (): void => {
    faults++;
  };

  const begin = (starts: Int32Array, modes: Int32Array | undefined): void => {
    checkStarts(origin, starts);
    if (moving !== null) moving.choose(modes ?? (taken as Int32Array));
    else if (modes !== undefined) refuseModes(origin);
    space.setups?.end.fill(-1);
    faults = 0;
    isComplete = true;
  };
  return {
    isFeasible: (starts, modes) => {
      begin(starts, modes);
      if (!timeJobs(instance, starts, space.ends)) return false;
      for (let k = 0; k < origin.machines; k++) {
        if (!worksInSequence(space.orders, k, starts, space.ends)) return false;
        if (space.setups === null) continue;
        inspectSequence(space, k, starts, onSetup);
        if (faults > 0) return false;
      }
      return overloadsOf(space, starts, 1) === 0;
    },
    countViolations: (starts, modes) => {
      begin(starts, modes);
      inspectOperations(instance, starts, space.ends, taken, onFault);
      let overlaps = 0;
      for (let k = 0; k < origin.machines; k++) {
        const isSequence = isComplete && worksInSequence(space.orders, k, starts, space.ends);
        if (!isSequence) overlaps += countOverlaps(space.orders, k, starts, space.ends);
        if (space.setups === null) continue;
        if (isSequence) inspectSequence(space, k, starts, onSetup);
        else inspectAnyOrder(space, k, starts, onSetup);
      }
      return faults + overlaps + overloadsOf(space, starts, Number.POSITIVE_INFINITY);
    },
  };
}

/** Judges the setups of a machine whose order is right. */
function inspectSequence(
  { instance, orders, ends, setups }: ShopSpace,
  machine: number,
  starts: Int32Array,
  onFault: () => void,
): void {
  const { order, offset } = orders;
  const [from, to] = [offset[machine], offset[machine + 1]];
  if (setups === null) return;
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
  { instance, ends, setups, use }: ShopSpace,
  starts: Int32Array,
  limit: number,
): number {
  return use === null ? 0 : countOverloads(instance, use, { starts, ends, setups }, limit, null);
}

/**
 * The refusal of modes for an instance without any.
 *
 * @throws AlasError `bad_modes`
 */
export function refuseModes({ name }: Instance): never {
  throw new AlasError('bad_modes', `${name} has no modes to choose from`, name);
}
