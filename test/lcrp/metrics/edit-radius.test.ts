import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { editRadius, hopDistances } from '../../../src/lcrp/metrics/edit-radius.js';
import { plannedOrder } from '../../../src/lcrp/phases/planned-order.js';
import type { RepairTask } from '../../../src/lcrp/task.js';
import { arbitraryDisruption } from '../arbitraries.js';

// machine 0: op 0, op 2; machine 1: op 1, op 3; machine 2: op 4 alone
const instance = instanceFromJobs('shop', [
  [
    [0, 10],
    [1, 20],
  ],
  [
    [0, 8],
    [1, 6],
  ],
  [[2, 5]],
]);
const planned = Int32Array.of(0, 10, 10, 30, 0);
const task: RepairTask = { instance, planned, now: 0, affected: Int32Array.of(0) };

test('hops lead along jobs and planned queues', () => {
  expect(hopDistances(task)).toEqual(Int32Array.of(0, 1, 1, 2, -1));
  expect(editRadius(task, [1, 3])).toBe(2);
  expect(editRadius(task, [0])).toBe(0);
  expect(editRadius(task, [])).toBe(0);
  expect(editRadius(task, [1, 4])).toBeNull();
});

test('distances are those of all shortest paths', () => {
  fc.assert(
    fc.property(arbitraryDisruption, ({ task }) => {
      expect(Array.from(hopDistances(task))).toEqual(byDefinition(task));
    }),
    { numRuns: 150 },
  );
});

/** Floyd and Warshall over all pairs. */
function byDefinition(task: RepairTask): number[] {
  const { operations, jobOf, machine, duration } = task.instance;
  const hops = Array.from({ length: operations }, (_, a) =>
    Array.from({ length: operations }, (_, b) => (a === b ? 0 : Number.POSITIVE_INFINITY)),
  );
  const join = (a: number, b: number) => {
    hops[a][b] = 1;
    hops[b][a] = 1;
  };
  for (let op = 1; op < operations; op++) if (jobOf[op] === jobOf[op - 1]) join(op - 1, op);
  const order = Array.from(plannedOrder(task)).filter((op) => duration[op] > 0);
  order.forEach((op, i) => {
    const behind = order.slice(i + 1).find((other) => machine[other] === machine[op]);
    if (behind !== undefined) join(op, behind);
  });
  for (let via = 0; via < operations; via++) {
    for (let a = 0; a < operations; a++) {
      for (let b = 0; b < operations; b++) {
        hops[a][b] = Math.min(hops[a][b], hops[a][via] + hops[via][b]);
      }
    }
  }
  return hops.map((row) => {
    const nearest = Math.min(Number.POSITIVE_INFINITY, ...Array.from(task.affected, (a) => row[a]));
    return nearest === Number.POSITIVE_INFINITY ? -1 : nearest;
  });
}
