import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../packages/workflow/src/index.js';
import { createInstance, type Instance } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { openShop } from '../../../src/pipeline/shop/open-shop.js';
import { isFeasible } from '../../../src/validator/index.js';

const ints = (...numbers: number[]) => Int32Array.from(numbers);

/** Three jobs of two operations; each first operation can be done on machine 0 or 1, each second one on machine 2. */
const instance: Instance = createInstance({
  name: 'choice',
  machines: 3,
  jobOffset: ints(0, 2, 4, 6),
  machine: ints(0, 2, 0, 2, 1, 2),
  duration: ints(10, 5, 10, 5, 12, 5),
  modes: {
    offset: ints(0, 2, 3, 5, 6, 8, 9),
    machine: ints(0, 1, 2, 0, 1, 2, 0, 1, 2),
    duration: ints(10, 12, 5, 10, 12, 5, 10, 12, 5),
    chosen: ints(0, 2, 3, 5, 7, 8),
  },
});
const plan = createSchedule(instance, ints(0, 10, 10, 20, 0, 15));
const find = () => instance;

test('a shop in a log keeps the machines of its plan, of starts proposed by hand, and of undone versions', async () => {
  const store = createMemoryStore();
  const shop = await openShop({ store, runId: 'shop', schedule: plan, embed: false, find });
  const machines = () => [...shop.schedule.instance.machine];
  const first = { machines: machines(), start: [...shop.schedule.start] };
  expect(first.machines).toEqual([0, 2, 0, 2, 1, 2]);

  await shop.propose(
    [
      { job: 1, step: 0, start: 12, machine: 1 },
      { job: 1, step: 1, start: 24 },
    ],
    { now: 5 },
  );
  expect(shop.version).toBe(2);
  expect(machines()).toEqual([0, 2, 1, 2, 1, 2]);
  expect([...shop.schedule.end]).toEqual([10, 15, 24, 29, 12, 20]);
  expect(shop.changesSince(1)).toEqual([
    { job: 1, step: 0, machine: 1, was: 10, wasOn: 0, start: 12, end: 24 },
    { job: 1, step: 1, machine: 2, was: 20, start: 24, end: 29 },
  ]);

  await shop.report([{ kind: 'breakdown', machine: 1, from: 13, to: 20 }], { now: 8 });
  expect(shop.version).toBe(3);
  expect(isFeasible(shop.schedule.instance, shop.schedule.start)).toBe(true);
  await shop.withdraw(3, { now: 9 });
  expect(machines()).toEqual([0, 2, 1, 2, 1, 2]);
  expect([...shop.schedule.end]).toEqual([10, 15, 24, 29, 12, 20]);

  await shop.undo(1, { now: 9 });
  expect(machines()).toEqual(first.machines);
  expect([...shop.schedule.start]).toEqual(first.start);
  expect(isFeasible(shop.schedule.instance, shop.schedule.start)).toBe(true);
  await shop.close();

  const again = await openShop({ store, runId: 'shop', find });
  expect([...again.schedule.instance.machine]).toEqual(machines());
  expect([...again.schedule.start]).toEqual([...shop.schedule.start]);
  expect(again.scheduleAt({ version: 2 }).schedule.instance.machine[2]).toBe(1);
});

test('a shop whose first alternative is reported later goes back to the only machine of before', async () => {
  const classic = createInstance({
    name: 'classic',
    machines: 2,
    jobOffset: ints(0, 1, 2),
    machine: ints(0, 0),
    duration: ints(10, 10),
    release: ints(0, 5),
  });
  const schedule = createSchedule(classic, ints(0, 10));
  const store = createMemoryStore();
  const shop = await openShop({ store, runId: 'shop', schedule });
  await shop.report([{ kind: 'alternative', job: 1, step: 0, machine: 1, duration: 10 }], {
    now: 1,
  });
  expect([...shop.schedule.instance.machine]).toEqual([0, 1]);
  expect(shop.changesSince(1)).toEqual([
    { job: 1, step: 0, machine: 1, was: 10, wasOn: 0, start: 5, end: 15 },
  ]);
  await shop.undo(1, { now: 3 });
  expect([...shop.schedule.instance.machine]).toEqual([0, 0]);
  expect([...shop.schedule.start]).toEqual([0, 10]);
  expect(shop.changesSince(1)).toEqual([]);
  await shop.close();
});

test('a machine that cannot do an operation is refused, and so is one for an operation that has started', async () => {
  const store = createMemoryStore();
  const shop = await openShop({ store, runId: 'shop', schedule: plan, embed: false, find });
  await expect(
    shop.propose([{ job: 0, step: 1, start: 30, machine: 0 }], { now: 0 }),
  ).rejects.toThrow('machine 0 cannot do job 1, step 2; use machine 2');
  await shop.report([{ kind: 'breakdown', machine: 2, from: 30, to: 31 }], { now: 3 });
  await expect(
    shop.propose([{ job: 0, step: 0, start: 9, machine: 1 }], { now: 4 }),
  ).rejects.toThrow('job 1, step 1 has started on machine 0');
  await shop.close();
});
