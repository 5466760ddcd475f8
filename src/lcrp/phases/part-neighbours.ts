import { type Instance, isFree } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import { chosenMode, eachPredecessor } from '../../jssp/shop-parts.js';

/**
 * The neighbours of each operation beyond the chains of jobs and the queues of machines: those before and after it in the
 * graph of its job, and in the queues of its operators and tools.
 *
 * @returns N lists of operations; null in shops that have neither graphs nor resources
 */
export function partNeighbours(schedule: Schedule): number[][] | null {
  const { instance } = schedule;
  if (instance.precedence === null && instance.resources === null) return null;
  const around: number[][] = Array.from({ length: instance.operations }, () => []);
  const join = (a: number, b: number) => {
    around[a].push(b);
    around[b].push(a);
  };
  for (let op = 0; op < instance.operations; op++) {
    eachPredecessor(instance, op, (before) => join(before, op));
  }
  for (const queue of queuesOf(instance)) {
    queue.sort((a, b) => schedule.start[a] - schedule.start[b] || a - b);
    for (let i = 1; i < queue.length; i++) join(queue[i - 1], queue[i]);
  }
  return around;
}

/** The free operations that need each resource in any phase. */
function queuesOf(instance: Instance): number[][] {
  const { resources, operations } = instance;
  if (resources === null) return [];
  const { count, needOffset, needResource } = resources;
  const queues: number[][] = Array.from({ length: count }, () => []);
  for (let op = 0; op < operations; op++) {
    if (!isFree(instance, op)) continue;
    const mode = chosenMode(instance, op);
    const needs = new Set(needResource.subarray(needOffset[mode], needOffset[mode + 1]));
    for (const resource of needs) queues[resource].push(op);
  }
  return queues;
}
