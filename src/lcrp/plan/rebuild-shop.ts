import { AlasError } from '@alas-jssp/core/errors';
import { assignModes, type Instance } from '../../jssp/instance.js';
import { type Plan, scheduleFromPlan } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import { chosenMode, eachPredecessor } from '../../jssp/shop-parts.js';
import { type ShopList, scheduleList } from '../../jssp/shop-timing/lists.js';
import { dispatch, dispatchBest } from '../../search/construct/dispatch.js';
import type { RepairContext } from '../task.js';
import type { PlanClaims } from './claims.js';

/**
 * The instance in the modes of a plan: operations stay on the machines that it names, where those can do them.
 * Operations that have started keep their modes in any case.
 */
export function inModesOf(instance: Instance, plan: Plan): Instance {
  const { modes, frozen } = instance;
  const planned = scheduleFromPlan(instance, plan).instance;
  if (modes === null || planned.modes === null || frozen === null) return planned;
  const { chosen } = planned.modes;
  return assignModes(
    instance,
    chosen.map((mode, op) => (frozen[op] >= 0 ? modes.chosen[op] : mode)),
  );
}

/** A schedule made from a plan, and the list that it was timed in; null if that list has none. */
export interface RebuiltShop {
  readonly schedule: Schedule | null;
  readonly list: ShopList;
}

/**
 * Times the operations of any shop in the order of their claims, in the modes of the plan. Operations without a claim
 * get mode and place from a dispatching rule. A predecessor that is claimed later than its successor makes that later.
 *
 * @param instance in the modes of the plan
 */
export function rebuildShop(
  instance: Instance,
  claims: PlanClaims,
  { seed }: Pick<RepairContext, 'seed'>,
): RebuiltShop {
  const { operations, frozen } = instance;
  const missing = claims.usable === operations ? null : byRule(instance, claims, seed);
  const isKept = (op: number) => frozen !== null && frozen[op] >= 0;
  const time = claims.start.map((claimed, op) => {
    if (isKept(op)) return frozen?.[op] ?? 0;
    return Number.isNaN(claimed) ? (missing?.start[op] ?? 0) : claimed;
  });
  const modes = Int32Array.from({ length: operations }, (_, op) => {
    const isMissing = Number.isNaN(claims.start[op]) && !isKept(op);
    return chosenMode(isMissing && missing !== null ? missing.instance : instance, op);
  });
  const list = { order: orderBy(instance, time), modes };
  return { schedule: scheduleList(instance, list), list };
}

/** Codes of errors of rules and lists that have no schedule. */
const UNREACHABLE = ['frozen_unreachable', 'none_found'];

/** The schedule of a rule for a shop; null if it finds none. */
function byRule(instance: Instance, { usable }: PlanClaims, seed: number): Schedule | null {
  try {
    return usable === 0
      ? dispatchBest(instance, seed, 'makespan').schedule
      : dispatch(instance, { rule: 'mwkr', seed });
  } catch (error) {
    if (error instanceof AlasError && UNREACHABLE.includes(error.code)) return null;
    throw error;
  }
}

/** All operations (N) by time, each after its predecessors. */
function orderBy(instance: Instance, time: Float64Array): Int32Array {
  const { operations } = instance;
  const place = time.slice();
  // Predecessors have smaller numbers, which also decide among equal times.
  for (let op = 0; op < operations; op++) {
    eachPredecessor(instance, op, (predecessor) => {
      if (place[predecessor] > place[op]) place[op] = place[predecessor];
    });
  }
  const order = new Int32Array(operations).map((_, op) => op);
  return order.sort((a, b) => place[a] - place[b] || a - b);
}
