import type { Instance } from '../../../jssp/instance.js';
import type { ShopModel } from './shop-model.js';

/**
 * Heads and tails of all slots at the root, from jobs, frozen starts and deadlines: a frozen operation starts at its
 * head whatever the makespan, and a job with a deadline ends as long before the makespan as its deadline.
 */
export function firstBounds(instance: Instance, model: ShopModel, limit: number): Int32Array {
  const { operations, slots, modeOffset, slot, head, tail, duration } = model;
  const { frozen, deadline, jobOf } = instance;
  const bounds = new Int32Array(2 * slots);
  for (let op = 0; op < operations; op++) {
    let leastHead = 2 ** 30;
    let leastTail = 2 ** 30;
    for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
      let behind = tail[mode];
      if (frozen !== null && frozen[op] >= 0) {
        behind = Math.max(behind, limit - frozen[op] - duration[mode]);
      }
      if (deadline !== null && deadline[jobOf[op]] >= 0) {
        behind = Math.max(behind, limit - deadline[jobOf[op]]);
      }
      bounds[slot[mode]] = head[mode];
      bounds[slots + slot[mode]] = behind;
      leastHead = Math.min(leastHead, head[mode]);
      leastTail = Math.min(leastTail, behind);
    }
    bounds[op] = leastHead;
    bounds[slots + op] = leastTail;
  }
  return bounds;
}
