import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../packages/workflow/src/index.js';
import { instanceFromJson } from '../../../src/jssp/formats/instance-json.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { openShop } from '../../../src/pipeline/shop/open-shop.js';
import { isFeasible } from '../../../src/validator/index.js';

/** One lathe with setups of 4 between steel and brass; Ana is needed for brass. */
const instance = instanceFromJson(
  {
    schema: 'alas-jssp/instance@2',
    machines: ['Lathe'],
    families: ['steel', 'brass'],
    resources: [{ name: 'Ana' }],
    setups: [{ machines: ['Lathe'], otherwise: 4 }],
    jobs: [
      { operations: [{ machine: 'Lathe', duration: 5, family: 'steel' }] },
      { operations: [{ machine: 'Lathe', duration: 5, family: 'brass', needs: { Ana: 1 } }] },
      { operations: [{ machine: 'Lathe', duration: 5, family: 'steel' }] },
    ],
  },
  { name: 'lathe' },
);

/** The shop after the lathe was reported to be down from 9 to 20. */
async function brokenShop() {
  const schedule = createSchedule(instance, Int32Array.of(0, 9, 18));
  const store = createMemoryStore();
  const shop = await openShop({ store, runId: 'shop', schedule, embed: true });
  const breakdown = { kind: 'breakdown', machine: 0, from: 9, to: 20, resumable: false } as const;
  await shop.report([breakdown], { now: 6 });
  expect(shop.version).toBe(2);
  return shop;
}

test('an undo keeps the setups of the shop where events delay the restored starts', async () => {
  const shop = await brokenShop();
  expect(await shop.undo(1, { now: 7 })).toMatchObject({ status: 'committed', version: 3 });
  expect([...shop.schedule.start]).toEqual([0, 20, 29]);
  await shop.close();
});

test('a withdrawal returns to a plan that keeps what was reported about operators since', async () => {
  const shop = await brokenShop();
  await shop.report([{ kind: 'capacity', resource: 0, from: 8, to: 12, amount: 0 }], { now: 7 });
  expect(await shop.withdraw(2, { now: 7 })).toMatchObject({ status: 'committed' });
  const { schedule } = shop;
  expect(isFeasible(schedule.instance, schedule.start)).toBe(true);
  expect(Math.max(...schedule.end)).toBeLessThan(34);
  await shop.close();
});
