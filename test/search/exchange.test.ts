import { expect, test } from 'vitest';
import { createExchange, createExchangeBuffers } from '../../src/search/exchange.js';

test('an island shows nothing, and then the last that it has published', () => {
  const buffers = createExchangeBuffers(2, 3);
  const [here, there] = [createExchange(buffers, 3), createExchange(buffers, 3)];
  expect(there.costOf(1)).toBe(Number.POSITIVE_INFINITY);
  expect(there.orderOf(1)).toBe(null);
  here.publish(1, { cost: 9, order: Int32Array.of(0, 1, 2) });
  here.publish(1, { cost: 7, order: Int32Array.of(2, 0, 1) });
  expect(there.costOf(1)).toBe(7);
  expect(there.orderOf(1)).toEqual(Int32Array.of(2, 0, 1));
  expect(there.orderOf(0)).toBe(null);
});

test('islands see each other’s progress and that it is over', () => {
  const buffers = createExchangeBuffers(2, 3);
  const [here, there] = [createExchange(buffers, 3), createExchange(buffers, 3)];
  const progress = { iterations: 2 ** 40, idle: 5, restarts: 1 };
  here.report(1, progress);
  expect(there.progressOf(1)).toEqual(progress);
  expect(there.progressOf(0)).toEqual({ iterations: 0, idle: 0, restarts: 0 });
  expect(there.isOver()).toBe(false);
  here.stop();
  expect(there.isOver()).toBe(true);
});
