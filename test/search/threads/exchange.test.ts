import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createExchange, createExchangeBuffers } from '../../../src/search/threads/exchange.js';

test('an island shows nothing, and then the last that it has published', () => {
  const buffers = createExchangeBuffers(2, 3);
  const [here, there] = [createExchange(buffers, 3), createExchange(buffers, 3)];
  expect(there.costOf(1)).toBe(Number.POSITIVE_INFINITY);
  expect(there.orderOf(1)).toBe(null);
  const orders = [Int32Array.of(0, 1, 2), Int32Array.of(2, 0, 1), Int32Array.of(1, 2, 0)];
  orders.forEach((order, i) => {
    here.publish(1, { cost: 9 - i, order });
    expect(there.costOf(1)).toBe(9 - i);
    expect(there.orderOf(1)).toEqual(order);
    expect(there.orderOf(0)).toBe(null);
  });
});

test('islands see each other’s progress and that it is over', () => {
  const buffers = createExchangeBuffers(2, 3);
  const [here, there] = [createExchange(buffers, 3), createExchange(buffers, 3)];
  const progress = { iterations: 2 ** 40, idle: 5, restarts: 1, population: 6 };
  here.report(1, progress);
  expect(there.progressOf(1)).toEqual(progress);
  expect(there.progressOf(0)).toEqual({ iterations: 0, idle: 0, restarts: 0, population: 0 });
  expect(there.spent).toBe(1);
  here.spend(0.25);
  expect(there.spent).toBe(0.25);
  expect(there.isOver()).toBe(false);
  here.stop();
  expect(there.isOver()).toBe(true);
});

/** Publishes without end: in the order of a solution of cost c every entry is c. */
const publisher = `
  import { workerData } from 'node:worker_threads';
  const { createExchange } = await import(workerData.module);
  const exchange = createExchange(workerData.buffers, ${10 ** 6});
  for (let cost = 1e6; ; cost--) {
    exchange.publish(0, { cost, order: new Int32Array(${10 ** 6}).fill(cost) });
  }
`;

test('an island that dies in the middle of writing leaves a whole solution behind', async () => {
  const module = pathToFileURL('dist/search/threads/exchange.js').href;
  for (let trial = 0; trial < 10; trial++) {
    const buffers = createExchangeBuffers(1, 10 ** 6);
    const exchange = createExchange(buffers, 10 ** 6);
    const code = new URL(`data:text/javascript,${encodeURIComponent(publisher)}`);
    const worker = new Worker(code, { workerData: { buffers, module } });
    while (exchange.costOf(0) > 1e6 - 3) await setTimeout(1);
    await worker.terminate();
    const cost = exchange.costOf(0);
    expect(exchange.orderOf(0)?.every((entry) => entry === cost)).toBe(true);
  }
});
