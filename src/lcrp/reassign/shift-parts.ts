import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { type Instance, isFree, replaceInstance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { eachPredecessor } from '../../jssp/shop-parts.js';
import { chosenModes, orderByStart, timeList, withModes } from '../../jssp/shop-timing/lists.js';
import type { RepairTask } from '../task.js';
import { dispatchIfAny, searchForAny } from './any-schedule.js';

/**
 * The least right shift in a shop with setups, transport, lags, graphs or resources: in the order of the plan, each free
 * operation starts as early as everything allows, but not before `atLeast`; new work comes last. If greatest lags leave
 * that order without a schedule, jobs are done one after the other in the order in which they were planned to begin.
 *
 * A greatest lag after a started operation may have become impossible to keep. Only then it is exceeded, by which the
 * schedule violates a rule, as with a missed deadline.
 */
export function shiftParts(task: RepairTask, atLeast: Int32Array = task.planned): Schedule {
  const { instance } = task;
  const orders = [plannedList(task), jobByJob(task)];
  for (const shop of [instance, withoutStartedLags(instance)]) {
    const release = shop.release?.slice() ?? new Int32Array(shop.operations);
    for (let op = 0; op < release.length; op++) {
      if (isFree(shop, op)) release[op] = Math.max(release[op], atLeast[op]);
    }
    const late = replaceInstance(shop, { release });
    const modes = chosenModes(instance);
    for (const order of orders) {
      const start = timeList(late, order, modes);
      if (start !== null) return createSchedule(instance, start);
    }
    // Where greatest lags leave neither order a schedule, a rule or a search finds one, perhaps in other modes.
    const dispatched = dispatchIfAny(late, 0) ?? dispatchIfAny(shop, 0) ?? searchForAny(shop, 0);
    if (dispatched !== null) return inShop(instance, dispatched);
  }
  // Frozen starts that contradict each other: the judge says so.
  return createSchedule(
    instance,
    task.planned.map((time) => Math.max(0, time)),
  );
}

/** A schedule of a variant of an instance, with its modes. */
function inShop(instance: Instance, { mode, start }: Schedule): Schedule {
  return createSchedule(mode === null ? instance : withModes(instance, mode), start);
}

/** Operations in the order of the plan: started ones, planned ones, new ones; each after its predecessors. */
function plannedList({ instance, planned }: RepairTask): Int32Array {
  const heads = headsAlone(instance);
  const key = Float64Array.from(planned, (time, op) => {
    if (!isFree(instance, op)) return STARTED + (instance.frozen?.[op] ?? 0);
    return time < 0 ? NEW + heads[op] : time;
  });
  return orderByStart(instance, key);
}

/** Started operations first, then one job after the other: by its first planned start, new ones last. */
function jobByJob({ instance, planned }: RepairTask): Int32Array {
  const { jobs, jobOf, operations } = instance;
  const first = new Float64Array(jobs).fill(NEW);
  for (let op = 0; op < operations; op++) {
    if (isFree(instance, op) && planned[op] >= 0) {
      first[jobOf[op]] = Math.min(first[jobOf[op]], planned[op]);
    }
  }
  const isStarted = (op: number) => (isFree(instance, op) ? 1 : 0);
  const order = Int32Array.from({ length: operations }, (_, op) => op);
  return order.sort(
    (a, b) =>
      isStarted(a) - isStarted(b) ||
      (isFree(instance, a)
        ? first[jobOf[a]] - first[jobOf[b]] || jobOf[a] - jobOf[b]
        : (instance.frozen?.[a] ?? 0) - (instance.frozen?.[b] ?? 0)) ||
      a - b,
  );
}

/** N entries: the earliest start of each operation if it never waited for a machine or a resource. */
function headsAlone(instance: Instance): Int32Array {
  const head = new Int32Array(instance.operations);
  for (let op = 0; op < head.length; op++) {
    let ready = 0;
    eachPredecessor(instance, op, (from, minLag) => {
      ready = Math.max(ready, completionTime(instance, from, head[from]) + minLag);
    });
    head[op] = isFree(instance, op)
      ? earliestStart(instance, op, ready)
      : (instance.frozen?.[op] ?? 0);
  }
  return head;
}

/** The instance without greatest lags after operations that have started. */
export function withoutStartedLags(instance: Instance): Instance {
  const { precedence, operations } = instance;
  if (precedence === null) return instance;
  const maxLag = precedence.maxLag.slice();
  for (let op = 0; op < operations; op++) {
    for (let edge = precedence.offset[op]; edge < precedence.offset[op + 1]; edge++) {
      if (!isFree(instance, precedence.pred[edge])) maxLag[edge] = -1;
    }
  }
  return replaceInstance(instance, { precedence: { ...precedence, maxLag } });
}

/** Times are less than 2^30: started operations sort before all planned ones, new ones after. */
const STARTED = -(2 ** 31);
const NEW = 2 ** 31;
