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

/** The surroundings of tasks for the compensated schedule and the limits that were last asked for. */
const latest = new WeakMap<
  RepairTask,
  { readonly compensated: Schedule; readonly limits: RepairLimits; readonly around: Surroundings }
>();

/**
 * Computes the distance of operations from the affected ones: a breadth-first search over free operations, O(N) in
 * total. Limits exclude operations; if only a number may be changed, these are the nearest ones.
 */
export function surroundingsOf(
  task: RepairTask,
  compensated: Schedule,
  limits: RepairLimits,
): Surroundings {
  const known = latest.get(task);
  if (known?.compensated === compensated && known.limits === limits) return known.around;
  const around = findSurroundings(task, compensated, limits);
  latest.set(task, { compensated, limits, around });
  return around;
}

function findSurroundings(
  task: RepairTask,
  compensated: Schedule,
  limits: RepairLimits,
): Surroundings {
  const { instance, affected } = task;
  const { operations, jobOf } = instance;
  const queues = machineNeighbours(compensated.instance, machineSequences(compensated));
  const parts = partNeighbours(compensated);
  const distance = new Int32Array(operations).fill(-1);
  const reached = new Int32Array(operations);
  let count = 0;
  const reach = (op: number, hops: number): void => {
    if (distance[op] >= 0) return;
    distance[op] = hops;
    reached[count++] = op;
  };
  const reachFree = (op: number, hops: number): void => {
    if (op >= 0 && distance[op] < 0 && isFree(instance, op)) reach(op, hops);
  };
  for (const op of affected) reach(op, 0);
  for (let i = 0; i < count; i++) {
    const op = reached[i];
    const hops = distance[op] + 1;
    reachFree(queues.predecessor[op], hops);
    reachFree(queues.successor[op], hops);
    if (op > 0 && jobOf[op - 1] === jobOf[op]) reachFree(op - 1, hops);
    if (op + 1 < operations && jobOf[op + 1] === jobOf[op]) reachFree(op + 1, hops);
    if (parts !== null) for (const next of parts[op]) reachFree(next, hops);
  }
  const mayChange = changeable(task, limits);
  const chosen = reached
    .subarray(0, count)
    .filter(mayChange)
    .subarray(0, limits.mostChanged ?? count);
  return {
    radius: chosen.length === 0 ? 0 : distance[chosen[chosen.length - 1]],
    within: (radius) => chosen.filter((op) => distance[op] <= radius).sort(),
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
