import { machineNeighbours } from '../../jssp/timing.js';
import { sequencesOf } from '../../search/evolution/solution.js';
import { plannedOrder } from '../phases/planned-order.js';
import type { RepairTask } from '../task.js';

/**
 * Hops of each operation from the nearest directly affected one in the disjunctive graph of the plan: a hop leads to
 * the preceding or following operation in the job, or in the planned queue of the machine. Queues have only operations
 * with a duration; `plannedOrder` defines the positions of new and lost operations. Breadth first, O(N log N).
 *
 * @returns N distances, −1 for unreachable operations
 */
export function hopDistances(task: RepairTask): Int32Array {
  return spread(task).distance;
}

/** The nearest directly affected operation of each (N), by {@link hopDistances}; −1 for none. */
export function nearestAffected(task: RepairTask): Int32Array {
  return spread(task).origin;
}

function spread(task: RepairTask): Readonly<Record<'distance' | 'origin', Int32Array>> {
  const { instance, affected } = task;
  const { operations, jobOf } = instance;
  const { predecessor, successor } = machineNeighbours(
    instance,
    sequencesOf(instance, plannedOrder(task)),
  );
  const distance = new Int32Array(operations).fill(-1);
  const origin = new Int32Array(operations).fill(-1);
  const queue = new Int32Array(operations);
  let found = 0;
  const reach = (op: number, hops: number, from: number): void => {
    if (op < 0 || distance[op] >= 0) return;
    distance[op] = hops;
    origin[op] = from;
    queue[found++] = op;
  };
  for (const op of affected) reach(op, 0, op);
  for (let i = 0; i < found; i++) {
    const op = queue[i];
    const hops = distance[op] + 1;
    const from = origin[op];
    if (op > 0 && jobOf[op - 1] === jobOf[op]) reach(op - 1, hops, from);
    if (op + 1 < operations && jobOf[op + 1] === jobOf[op]) reach(op + 1, hops, from);
    reach(predecessor[op], hops, from);
    reach(successor[op], hops, from);
  }
  return { distance, origin };
}

/**
 * The edit radius: the largest distance of an edited operation from the directly affected ones.
 *
 * @returns 0 if nothing is edited; null if an edited operation is unreachable
 */
export function editRadius(task: RepairTask, edited: Iterable<number>): number | null {
  let radius = 0;
  let distance: Int32Array | undefined;
  for (const op of edited) {
    distance ??= hopDistances(task);
    if (distance[op] < 0) return null;
    radius = Math.max(radius, distance[op]);
  }
  return radius;
}
