import type { Instance } from '../../jssp/instance.js';
import { type Objective, objectiveOf } from '../../jssp/objectives.js';

/** Whether the kernel for flexible shops can search a shop under an objective. */
export function fitsFlexibleKernel(
  instance: Instance,
  objective: Objective = objectiveOf(instance),
): boolean {
  const { precedence, resources, calendar, setups } = instance;
  if (objective === 'total-weighted-tardiness' && !hasDueDates(instance)) return false;
  if (resources !== null) return false;
  // The kernel does not place setups between downtimes.
  if (calendar !== null && setups !== null) return false;
  if (precedence?.maxLag.some((lag) => lag >= 0)) return false;
  return !mayVanish(instance);
}

/** Whether any job can be late at a price. */
function hasDueDates({ due, weight, jobs }: Instance): boolean {
  for (let job = 0; job < jobs; job++) {
    if (due !== null && due[job] >= 0 && (weight === null || weight[job] > 0)) return true;
  }
  return false;
}

/** Whether an operation with a choice may take no time: the kernel leaves operations of zero duration where they are. */
function mayVanish({ modes, operations }: Instance): boolean {
  if (modes === null) return false;
  const { offset, duration } = modes;
  for (let op = 0; op < operations; op++) {
    if (offset[op + 1] - offset[op] < 2) continue;
    for (let mode = offset[op]; mode < offset[op + 1]; mode++)
      if (duration[mode] === 0) return true;
  }
  return false;
}
