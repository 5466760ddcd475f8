import { AlasError } from '@alas-jssp/core/errors';
import { type Instance, replaceInstance } from '../jssp/instance.js';
import { describeArray } from '../jssp/instance-checks.js';
import type { Modes } from '../jssp/shop-parts.js';
import { describeOperation } from '../jssp/words.js';
import type { MachineOrders } from './machine-orders.js';
import {
  createMovingOrders,
  listByMachine,
  type MovingOrders,
  settleMoves,
} from './moving-orders.js';

/**
 * An instance of a judge's own whose operations change their modes: its machines, durations and chosen modes change in
 * place. Its own lists of operations by machine are those of the beginning; `orders` has the present ones.
 */
export interface MovingInstance {
  readonly instance: Instance;
  readonly orders: MachineOrders;
  /**
   * Chooses a mode for each operation; `starts`, the N start times to be judged, help to keep the orders.
   *
   * @throws AlasError `bad_modes` if they are not an Int32Array with a mode of each operation
   */
  choose(chosen: Int32Array, starts: Int32Array): void;
}

/** Creates a copy of an instance with modes; the arrays that do not change are shared. */
export function createMovingInstance(origin: Instance, modes: Modes): MovingInstance {
  // Made as every other instance is, so that its form does not slow down loops that know only those.
  const instance = replaceInstance(origin, {
    machine: origin.machine.slice(),
    duration: origin.duration.slice(),
    modes: { ...modes, chosen: modes.chosen.slice() },
  }) as WithModes;
  const orders = createMovingOrders(origin, modes);
  return {
    instance,
    orders,
    choose: (chosen, starts) => {
      checkForm(origin, chosen);
      let wrong = moveFew(instance, orders, chosen);
      // The orders are settled also before a refusal, so that the next call finds those of the present machines.
      if (wrong === TOO_MANY) {
        wrong = moveAll(instance, chosen);
        listByMachine(orders, instance);
      } else {
        settleMoves(orders, instance, starts);
      }
      if (wrong >= 0) throw wrongMode(origin, modes, wrong, chosen[wrong]);
    },
  };
}

/** An instance whose modes may be changed. */
type WithModes = Instance & { readonly modes: Modes };

/** More operations have changed their machines than are worth moving one by one. */
const TOO_MANY = -2;

/**
 * Changes modes until the end or the first operation without such a mode, which is returned; −1 if there is none, and
 * TOO_MANY if the rest is for {@link moveAll}.
 */
function moveFew(instance: WithModes, orders: MovingOrders, chosen: Int32Array): number {
  const { operations, machine, duration, modes } = instance;
  const { offset, chosen: current } = modes;
  const { moved, isLeft } = orders;
  for (let op = 0; op < operations; op++) {
    const mode = chosen[op];
    if (mode === current[op]) continue;
    if (!(offset[op] <= mode && mode < offset[op + 1])) return op;
    if (orders.moves === moved.length) return TOO_MANY;
    current[op] = mode;
    const [before, after] = [machine[op], modes.machine[mode]];
    const [hadWork, hasWork] = [duration[op] > 0, modes.duration[mode] > 0];
    machine[op] = after;
    duration[op] = modes.duration[mode];
    if (before === after && hadWork === hasWork) continue;
    if (hadWork) isLeft[before] = 1;
    if (hasWork) moved[orders.moves++] = op;
  }
  return -1;
}

/** Changes all modes that are there; returns the first operation without such a mode, −1 if there is none. */
function moveAll({ operations, machine, duration, modes }: WithModes, chosen: Int32Array): number {
  const { offset, chosen: current } = modes;
  let wrong = -1;
  for (let op = 0; op < operations; op++) {
    const mode = chosen[op];
    if (!(offset[op] <= mode && mode < offset[op + 1])) {
      if (wrong < 0) wrong = op;
      continue;
    }
    current[op] = mode;
    machine[op] = modes.machine[mode];
    duration[op] = modes.duration[mode];
  }
  return wrong;
}

function checkForm({ name, operations }: Instance, chosen: unknown): void {
  if (chosen instanceof Int32Array && chosen.length === operations) return;
  const what =
    chosen instanceof Int32Array
      ? `${chosen.length} modes`
      : `the modes are ${describeArray(chosen)}`;
  throw new AlasError(
    'bad_modes',
    `${what} for ${operations} operations of ${name}; give an Int32Array of one mode for each`,
    chosen,
  );
}

function wrongMode(instance: Instance, { offset }: Modes, op: number, mode: number): AlasError {
  return new AlasError(
    'bad_modes',
    `mode ${mode} is not one of ${describeOperation(instance, op)} of ${instance.name}, which has ${offset[op]} to ${offset[op + 1] - 1}`,
    mode,
  );
}
