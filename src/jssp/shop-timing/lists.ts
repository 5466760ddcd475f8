import { AlasError } from '@alas-jssp/core/errors';
import { assignModes, type Instance } from '../instance.js';
import { createSchedule, type Schedule } from '../schedule.js';
import { chosenMode, eachPredecessor } from '../shop-parts.js';
import { createShopTimer } from './timer.js';

/** A list of operations, and a mode for each: the form in which schedules of every shop are searched and sent. */
export interface ShopList {
  /** N entries: the operations, each after its predecessors. */
  readonly order: Int32Array;
  /** N entries: the mode of each operation; without modes, its own number. */
  readonly modes: Int32Array;
}

/**
 * Times a list of operations: each starts as early as the precedence in its job, its machine (behind the operations
 * before it in the list, with setups), its release, the calendar and the resources that are left allow. Maximum lags
 * delay predecessors. Frozen operations keep their starts and modes; others may pass in front of them or behind them.
 * Deadlines are not looked at, nor what frozen operations violate among themselves.
 *
 * The list of a valid schedule ({@link listOf}) is timed so that no operation starts later than in it, except where
 * setups need resources.
 *
 * @param order N operations, each after its predecessors
 * @param modes N entries; default the chosen ones
 * @returns N starts; null if the list has no schedule
 */
export function timeList(
  instance: Instance,
  order: Int32Array,
  modes: Int32Array = chosenModes(instance),
): Int32Array | null {
  const timer = createShopTimer(instance);
  return timer.time(order, modes) === 0 ? timer.start.slice() : null;
}

/** The schedule of a list; null if it has none. */
export function scheduleList(instance: Instance, { order, modes }: ShopList): Schedule | null {
  const start = timeList(instance, order, modes);
  return start === null ? null : createSchedule(withModes(instance, modes), start);
}

/** The instance in which these modes are chosen, except that frozen operations keep theirs. */
export function withModes(instance: Instance, modes: Int32Array): Instance {
  if (instance.modes === null) return instance;
  const { frozen, modes: all } = instance;
  const chosen = modes.map((mode, op) =>
    frozen !== null && frozen[op] >= 0 ? all.chosen[op] : mode,
  );
  return assignModes(instance, chosen);
}

/** The mode of each operation that is chosen in an instance: N entries. */
export function chosenModes(instance: Instance): Int32Array {
  return Int32Array.from({ length: instance.operations }, (_, op) => chosenMode(instance, op));
}

/**
 * The list of a complete schedule: operations by start, but none before its predecessors.
 *
 * @throws AlasError `incomplete_start` if operations are not scheduled
 */
export function listOf({ instance, start }: Schedule): ShopList {
  if (start.some((time) => time < 0)) {
    throw new AlasError('incomplete_start', `the schedule of ${instance.name} is not complete`);
  }
  return { order: orderByStart(instance, start), modes: chosenModes(instance) };
}

/** The operations by start, ties by number, and none before its predecessors. */
export function orderByStart(instance: Instance, start: ArrayLike<number>): Int32Array {
  const { operations } = instance;
  const time = new Float64Array(operations);
  for (let op = 0; op < operations; op++) {
    time[op] = start[op];
    eachPredecessor(instance, op, (from) => {
      if (time[from] > time[op]) time[op] = time[from];
    });
  }
  const order = Int32Array.from({ length: operations }, (_, op) => op);
  return order.sort((a, b) => time[a] - time[b] || a - b);
}
