import { AlasError } from '@alas-jssp/core/errors';
import type { Instance } from '../jssp/instance.js';
import { describeArray } from '../jssp/instance-checks.js';
import type { Modes } from '../jssp/shop-parts.js';
import { describeOperation } from '../jssp/words.js';
import { createMovingOrders, type MachineOrders, regroup } from './machine-orders.js';

/**
 * An instance of a judge's own whose operations change their modes: its machines, durations and chosen modes change in
 * place. Its own lists of operations by machine are those of the beginning; `orders` has the present ones.
 */
export interface MovingInstance {
  readonly instance: Instance;
  readonly orders: MachineOrders;
  /**
   * Chooses a mode for each operation.
   *
   * @throws AlasError `bad_modes` if they are not an Int32Array with a mode of each operation
   */
  choose(chosen: Int32Array): void;
}

/** Creates a copy of an instance with modes; the arrays that do not change are shared. */
export function createMovingInstance(origin: Instance, modes: Modes): MovingInstance {
  const machine = origin.machine.slice();
  const duration = origin.duration.slice();
  const current = modes.chosen.slice();
  const instance = { ...origin, machine, duration, modes: { ...modes, chosen: current } };
  const orders = createMovingOrders(origin);
  const { operations } = origin;
  // Kept until the orders follow, also if a wrong mode ends a call early.
  let hasMoved = true;

  return {
    instance,
    orders,
    choose: (chosen) => {
      checkForm(origin, chosen);
      for (let op = 0; op < operations; op++) {
        const mode = chosen[op];
        if (mode === current[op]) continue;
        if (!(modes.offset[op] <= mode && mode < modes.offset[op + 1])) {
          throw wrongMode(origin, modes, op, mode);
        }
        const work = modes.duration[mode];
        if (machine[op] !== modes.machine[mode] || duration[op] > 0 !== work > 0) hasMoved = true;
        machine[op] = modes.machine[mode];
        duration[op] = work;
        current[op] = mode;
      }
      if (hasMoved) regroup(orders, instance);
      hasMoved = false;
    },
  };
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
