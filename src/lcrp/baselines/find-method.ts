import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { lcrp } from '../lcrp.js';
import type { RepairMethod } from '../task.js';
import { affected } from './affected.js';
import { dispatchMethod } from './dispatch.js';
import { none } from './none.js';
import { postpone } from './postpone.js';
import { recompute } from './recompute.js';
import { rightShift } from './right-shift.js';

/** Every repair method, in the order of tables. */
export const repairMethods: readonly RepairMethod[] = [
  none,
  rightShift,
  affected,
  postpone,
  dispatchMethod(),
  recompute,
  lcrp,
];

/**
 * Finds a repair method by its name; `dispatch:RULE` is re-dispatching with that rule.
 *
 * @throws InputError `unknown_method`, which lists the methods; `unknown_rule`
 */
export function findMethod(name: string): RepairMethod {
  const colon = name.indexOf(':');
  if (colon >= 0 && name.slice(0, colon) === 'dispatch')
    return dispatchMethod(name.slice(colon + 1));
  const method = repairMethods.find((one) => one.name === name);
  if (method !== undefined) return method;
  throw new InputError(
    'unknown_method',
    `there is no repair method '${name}'`,
    suggestNames(
      name,
      repairMethods.map((one) => one.name),
    ),
    {},
    name,
  );
}
