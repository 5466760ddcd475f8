import { afterAll, expect, it } from 'vitest';
import { writeInstanceJson } from '../../../src/jssp/formats/instance-json.js';
import { withDueDates } from '../../../src/jssp/generator.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import { dryRunSchema, outcomeSchema } from '../../../src/service/api/shop-schemas.js';
import { openShopDirectory } from '../../../src/service/shops/open-directory.js';
import type { ShopDirectory, Teller } from '../../../src/service/shops/shop-directory.js';

const kim: Teller = { by: { name: 'kim', role: 'decide' } };
const tardiness = 'total-weighted-tardiness';
let opened: ShopDirectory | undefined;
const directory = async () => (opened ??= await openShopDirectory({}));
afterAll(() => opened?.stop());

const due = JSON.parse(writeInstanceJson(withDueDates(resolveSource('la17').load(), 2)));
const down = { events: [{ kind: 'breakdown', machine: 'Machine3', from: 100, to: 300 }], now: 100 };
const rush = {
  events: [
    {
      kind: 'arrival',
      job: {
        name: 'RUSH',
        due: 400,
        weight: 5,
        operations: [0, 1, 2, 3, 4].map((machine) => ({ machine, duration: 40 })),
      },
    },
  ],
  now: 100,
};

it('a dry run names rows to choose from, with late orders, and merges those that are equal', async () => {
  const shops = await directory();
  expect(await shops.create({ id: 'a', instance: due }, kim)).toMatchObject({
    objective: tardiness,
  });
  const dry = await shops.tryOut('a', down, kim);
  expect(dryRunSchema.parse(dry)).toEqual(dry);
  const names = dry.trials.flatMap(({ policy, same }) => [policy, ...same]);
  expect(names.toSorted()).toEqual([
    'do-nothing',
    'due-dates',
    'few-moves',
    'from-scratch',
    'shop',
  ]);
  // The policy of the shop minimises the tardiness, too.
  expect(dry.trials[0]).toMatchObject({ policy: 'shop', objective: tardiness });
  expect(dry.trials[0].same).toContain('due-dates');
  const [own, ...others] = dry.trials;
  const nothing = others.find(({ policy }) => policy === 'do-nothing');
  expect(nothing?.late.length).toBeGreaterThan(0);
  const sum = nothing?.late.reduce((total, one) => total + one.late_by * one.weight, 0);
  expect(sum).toBe(nothing?.total_weighted_tardiness?.after);
  const after = (trial = own) => trial.total_weighted_tardiness?.after ?? Number.NaN;
  for (const one of others) {
    if (one.policy !== 'from-scratch') expect(after()).toBeLessThanOrEqual(after(one));
  }
  const few = dry.trials.find(({ method }) => method === 'postpone');
  for (const one of dry.trials) expect(few?.moved).toBeLessThanOrEqual(one.moved);
});

it('the first due date of a shop that had none makes the tardiness its objective', async () => {
  const shops = await directory();
  expect(await shops.create({ id: 'b', instance: 'la17' }, kim)).toMatchObject({
    objective: 'makespan',
  });
  const plain = await shops.tryOut('b', down, kim);
  expect(plain.trials.map(({ policy }) => policy)).not.toContain('due-dates');
  const dry = await shops.tryOut('b', rush, kim, ['default', { objective: 'makespan' }]);
  const [byDue, byMakespan] = dry.trials.map((one) => one.total_weighted_tardiness?.after ?? 0);
  expect(byDue).toBeLessThan(byMakespan);
  const outcome = await shops.report('b', rush, kim);
  expect(outcomeSchema.parse(outcome)).toEqual(outcome);
  expect(outcome).toMatchObject({
    objective: tardiness,
    total_weighted_tardiness: { after: byDue },
  });
  expect(await shops.list()).toMatchObject([{ id: 'a' }, { id: 'b', objective: tardiness }]);
});

it('a shop is planned by the objective of its policy, whoever plans', async () => {
  const shops = await directory();
  // Done last, the short job of a month of work is 89,265 minutes late; done first, nothing is.
  const job = (name: string, duration: number, due: number | undefined, weight: number) => ({
    name,
    ...(due === undefined ? {} : { due, weight }),
    operations: [{ machine: 0, duration }],
  });
  const jobs = [
    ...Array.from({ length: 9 }, (_, i) => job(`long ${i}`, 9_917, undefined, 1)),
    job('short', 12, 12, 1),
  ];
  const instance = { schema: 'alas-jssp/instance@1', name: 'month', machines: 1, jobs };
  for (const planner of ['dispatch:best', 'search:0.2s']) {
    const id = planner.slice(0, 6);
    const policy = { objective: tardiness };
    await shops.create({ id, instance, planner, policy }, kim);
    expect(await shops.state(id, {})).toMatchObject({
      objective: tardiness,
      total_weighted_tardiness: 0,
      late: [],
    });
  }
});
