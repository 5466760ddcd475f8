import { isFree } from '../../jssp/instance.js';
import { machineSequences, type Schedule } from '../../jssp/schedule.js';
import { machineNeighbours } from '../../jssp/timing.js';
import { heldOperations } from '../pins/held-operations.js';
import type { RepairLimits } from '../policy/policy.js';
import type { RepairTask } from '../task.js';
import { partNeighbours } from './part-neighbours.js';

/** The changeable operations around the affected ones. */
export interface Surroundings {
  /**
   * The operations that may be changed within `radius` hops of an affected one in the disjunctive graph, ascending:
   * along jobs and along the queues of machines, operators and tools in the compensated schedule.
   */
  within(radius: number): Int32Array;
  /** The radius beyond which nothing is added. */
  readonly radius: number;
}

/**
 * Computes the distance of operations from the affected ones: a breadth-first search over free operations, O(N) in
 * total. Limits exclude operations; if only a number may be changed, these are the nearest ones.
 */
export function surroundingsOf(
  task: RepairTask,
  compensated: Schedule,
  limits: RepairLimits,
): Surroundings {
  const { instance, affected } = task;
  const { operations, jobOf } = instance;
  const queues = machineNeighbours(compensated.instance, machineSequences(compensated));
  const parts = partNeighbours(compensated);
  const mayChange = changeable(task, limits);
  const distance = new Int32Array(operations).fill(-1);
  const reached: number[] = [];
  const reach = (op: number, hops: number): void => {
    if (distance[op] >= 0) return;
    distance[op] = hops;
    reached.push(op);
  };
  for (const op of affected) reach(op, 0);
  for (let i = 0; i < reached.length; i++) {
    const op = reached[i];
    const around = [queues.predecessor[op], queues.successor[op]];
    if (op > 0 && jobOf[op - 1] === jobOf[op]) around.push(op - 1);
    if (op + 1 < operations && jobOf[op + 1] === jobOf[op]) around.push(op + 1);
    if (parts !== null) around.push(...parts[op]);
    for (const next of around) {
      if (next >= 0 && isFree(instance, next)) reach(next, distance[op] + 1);
    }
  }
  const chosen = reached.filter(mayChange).slice(0, limits.mostChanged ?? reached.length);
  return {
    radius: chosen.length === 0 ? 0 : distance[chosen[chosen.length - 1]],
    within: (radius) => Int32Array.from(chosen.filter((op) => distance[op] <= radius)).sort(),
  };
}

/** Creates the test whether the limits allow an operation to change. */
function changeable(task: RepairTask, limits: RepairLimits) {
  const { instance } = task;
  const held = heldOperations(task, limits);
  const untouchable = new Set(limits.untouchableMachines);
  return (op: number): boolean =>
    isFree(instance, op) && !held.has(op) && !untouchable.has(instance.machine[op]);
}
