import { expect, test } from 'vitest';
import { viewSchedule } from '../../../../../../src/report/page/views/schedule-view.js';
import { dispatch } from '../../../../../../src/search/construct/dispatch.js';
import { demoShop } from '../../../../src/demo/demo-shop.js';
import {
  detailHeadings,
  filterOrders,
  ordersAt,
} from '../../../../src/page/browser/live/orders.js';

const plan = dispatch(demoShop(), { rule: 'mwkr' });
const view = viewSchedule(plan.instance, plan);
const name = (job: number) => view.names?.jobs?.[job] ?? '';

test('orders have the operation that runs or is next, and the time to their due date, at every time', () => {
  for (let now = 0; now <= plan.makespan; now += 31) {
    for (const { job, operation, status, end, due, slack } of ordersAt(view, now)) {
      const [first, stop] = [view.jobOffset[job], view.jobOffset[job + 1]];
      const open = Array.from({ length: stop - first }, (_, i) => first + i).filter(
        (op) => view.end[op] > now,
      );
      expect(operation).toBe(open[0] ?? stop - 1);
      expect(status === 'done').toBe(open.length === 0);
      if (status === 'waiting') expect(view.start[first]).toBeGreaterThan(now);
      expect(end).toBe(view.end[stop - 1]);
      expect(slack).toBe((due ?? 0) - view.end[stop - 1]);
    }
  }
});

test('a search finds all of its words in names and details, and filters leave what is open or late', () => {
  const orders = ordersAt(view, 0);
  expect(detailHeadings(orders)).toEqual(['customer', 'quantity']);
  const found = (search: string) => filterOrders(orders, 'all', search, name).map(({ job }) => job);
  expect(found('')).toHaveLength(10);
  expect(found('NORTHERN 20')).toEqual([0]);
  expect(found('4713')).toEqual([2]);
  expect(found('unknown')).toEqual([]);
  const late = filterOrders(orders, 'late', '', name);
  expect(late.every(({ slack }) => slack !== null && slack < 0)).toBe(true);
  const end = ordersAt(view, plan.makespan);
  expect(filterOrders(end, 'open', '', name)).toEqual([]);
  expect(filterOrders(end, 'all', '', name)).toHaveLength(10);
});
