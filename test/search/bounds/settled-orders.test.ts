import { expect, test } from 'vitest';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { createSettledOrders } from '../../../src/search/bounds/settled-orders.js';

// Machine 0 has operations 0, 2 and 4 to do; operation 1 takes no time, so it occupies no machine.
const instance = instanceFromJobs('again', [
  [
    [0, 5],
    [0, 0],
    [0, 2],
  ],
  [
    [1, 4],
    [0, 9],
  ],
]);

test('operations of one job are settled from the start, those of zero duration left out', () => {
  const orders = createSettledOrders(instance);
  expect([...orders.members]).toEqual([0, 2, 4, 3]);
  expect([orders.width(0), orders.width(1)]).toEqual([3, 1]);
  expect([...orders.before[0]]).toEqual([0, 1, 0, 0, 0, 0, 0, 0, 0]);
  expect(orders.count()).toBe(0);
});

test('settled pairs can be undone, the latest first', () => {
  const orders = createSettledOrders(instance);
  orders.settle(4, 0);
  orders.settle(4, 2);
  expect([...orders.before[0]]).toEqual([0, 1, 0, 0, 0, 0, 1, 1, 0]);
  orders.undo(1);
  expect([...orders.before[0]]).toEqual([0, 1, 0, 0, 0, 0, 1, 0, 0]);
  orders.undo(0);
  expect([...orders.before[0]]).toEqual([0, 1, 0, 0, 0, 0, 0, 0, 0]);
});
