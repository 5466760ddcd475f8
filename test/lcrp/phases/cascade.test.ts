import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completionTime, meetsDowntime } from '../../../src/jssp/calendar.js';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { cascade } from '../../../src/lcrp/phases/cascade.js';
import { plannedOrder } from '../../../src/lcrp/phases/planned-order.js';
import type { RepairTask } from '../../../src/lcrp/task.js';
import { arbitraryInstance } from '../../arbitraries.js';
import { arbitraryDisruption } from '../arbitraries.js';

describe('the order of the plan', () => {
  // machine 0: op 0, op 2; machine 1: op 3, op 1
  const shop = instanceFromJobs('shop', [
    [
      [0, 10],
      [1, 20],
    ],
    [
      [0, 8],
      [1, 6],
    ],
    [[0, 5]],
  ]);
  const orderOf = (planned: number[], frozen: number[] | null = null) => {
    const instance = replaceInstance(shop, { frozen: frozen && Int32Array.from(frozen) });
    const task = { planned: Int32Array.from(planned), now: 0, affected: new Int32Array() };
    return Array.from(plannedOrder({ ...task, instance }));
  };

  test('is by planned start, started operations first and new ones last', () => {
    expect(orderOf([0, 10, 12, 30, 25])).toEqual([0, 1, 2, 4, 3]);
    expect(orderOf([0, 10, 12, 30, -1])).toEqual([0, 1, 2, 3, 4]);
    expect(orderOf([-1, -1, 12, 30, -1])).toEqual([2, 3, 0, 4, 1]);
    expect(orderOf([9, 19, 0, 30, 2], [-1, -1, -1, -1, 2])).toEqual([4, 2, 0, 1, 3]);
  });

  test('puts an unplanned operation right before its successor in its job', () => {
    expect(orderOf([0, 10, -1, 30, 25])).toEqual([0, 1, 4, 2, 3]);
  });

  test('is an order that jobs can follow, whatever the planned starts are', () => {
    const tasks = arbitraryInstance({ downtimes: true }).chain((instance) =>
      fc
        .array(fc.integer({ min: -1, max: 40 }), {
          minLength: instance.operations,
          maxLength: instance.operations,
        })
        .map((starts): RepairTask => {
          const planned = Int32Array.from(starts);
          return { instance, planned, now: 0, affected: new Int32Array() };
        }),
    );
    fc.assert(
      fc.property(tasks, (task) => {
        const order = Array.from(plannedOrder(task));
        expect(order.toSorted((a, b) => a - b)).toEqual(order.map((_, i) => i));
        const place = order.map((_, op) => order.indexOf(op));
        for (let op = 1; op < order.length; op++) {
          if (task.instance.jobOf[op] !== task.instance.jobOf[op - 1]) continue;
          expect(place[op]).toBeGreaterThan(place[op - 1]);
        }
      }),
      { numRuns: 200 },
    );
  });
});

test('the cascade is the least schedule in the order of the plan that starts nothing early', () => {
  fc.assert(
    fc.property(arbitraryDisruption, ({ task }) => {
      const order = plannedOrder(task);
      expect(cascade(task.instance, order, task.planned)).toEqual(byDefinition(task, order));
    }),
    { numRuns: 300 },
  );
});

/** Raises starts by one wherever a rule is broken until none is: the least of all solutions. */
function byDefinition({ instance, planned }: RepairTask, order: Int32Array): Int32Array {
  const { operations, jobOf, machine, duration, release, frozen } = instance;
  const isFrozen = (op: number) => (frozen?.[op] ?? -1) >= 0;
  const start = planned.map((time, op) => frozen?.[op] ?? Math.max(0, time));
  for (let op = 0; op < operations; op++) {
    if (!isFrozen(op)) start[op] = Math.max(planned[op], release?.[op] ?? 0);
  }
  const place = new Map(Array.from(order, (op, i) => [op, i]));
  const mustWait = (op: number): boolean => {
    if (meetsDowntime(instance, op, start[op]) >= 0) return true;
    for (let other = 0; other < operations; other++) {
      const isEarlier = (place.get(other) ?? 0) < (place.get(op) ?? 0);
      const sharesMachine =
        machine[other] === machine[op] && duration[op] > 0 && duration[other] > 0;
      const sharesJob = jobOf[other] === jobOf[op];
      if (!isEarlier || !(sharesMachine || sharesJob)) continue;
      if (completionTime(instance, other, start[other]) > start[op]) return true;
    }
    return false;
  };
  for (const op of order) while (!isFrozen(op) && mustWait(op)) start[op]++;
  return start;
}
