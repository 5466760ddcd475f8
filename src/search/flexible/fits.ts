import type { Instance } from '../../jssp/instance.js';
import { type Objective, objectiveOf } from '../../jssp/objectives.js';

/** Whether the kernel for flexible shops can search a shop under an objective. */
export function fitsFlexibleKernel(
  instance: Instance,
  objective: Objective = objectiveOf(instance),
): boolean {
  const { precedence, resources, calendar, deadline } = instance;
  if (objective !== 'makespan') return false;
  if (resources !== null || calendar !== null || deadline !== null) return false;
  if (precedence?.maxLag.some((lag) => lag >= 0)) return false;
  return !mayVanish(instance);
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
