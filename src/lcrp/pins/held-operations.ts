import { isFree } from '../../jssp/instance.js';
import { pinnedNumbers, type RepairLimits } from '../policy/policy.js';
import type { RepairTask } from '../task.js';

/**
 * The free operations that must keep their planned start: pinned ones, and those planned to start before `notBefore`
 * (the frozen horizon).
 */
export function heldOperations(
  { instance, planned }: Pick<RepairTask, 'instance' | 'planned'>,
  limits: RepairLimits,
): ReadonlySet<number> {
  const held = new Set<number>();
  for (const op of pinnedNumbers(instance, limits)) {
    if (planned[op] >= 0 && isFree(instance, op)) held.add(op);
  }
  const { notBefore } = limits;
  if (notBefore === null) return held;
  for (let op = 0; op < planned.length; op++) {
    if (planned[op] >= 0 && planned[op] < notBefore && isFree(instance, op)) held.add(op);
  }
  return held;
}

/** Whether a policy holds operations at their planned starts. */
export function holdsStarts({ pinned, notBefore }: RepairLimits): boolean {
  return pinned.length > 0 || notBefore !== null;
}
