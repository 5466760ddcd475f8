import { afterAll, expect, it } from 'vitest';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import type { KeyedCaller, ShopDirectory } from '../../src/shops/shop-directory.js';

const kim: KeyedCaller = { caller: { name: 'kim', role: 'decide' } };
let opened: ShopDirectory | undefined;
const directory = async () => (opened ??= await openShopDirectory({ seconds: 0.05 }));
afterAll(() => opened?.stop());

/** Two lathes with setups; Ana is needed for brass. */
const lathes = {
  schema: 'alas-jssp/instance@2',
  machines: ['Lathe 1', 'Lathe 2'],
  groups: { Lathes: ['Lathe 1', 'Lathe 2'] },
  families: ['steel', 'brass'],
  resources: [{ name: 'Ana' }],
  setups: [{ machines: ['Lathes'], otherwise: 4 }],
  jobs: [
    { name: 'A', operations: [{ machine: 'Lathes', duration: 5, family: 'steel' }] },
    {
      name: 'B',
      due: 90,
      operations: [{ machine: 'Lathes', duration: 5, family: 'brass', needs: { Ana: 1 } }],
    },
    { name: 'C', operations: [{ machine: 'Lathes', duration: 5, family: 'steel' }] },
  ],
};

const entry = (job: string, machine: string, start: number) => {
  return { job, step: 1, machine, start, end: start + 5 };
};
const plan = {
  schema: 'alas-jssp/plan@1',
  entries: [entry('A', 'Lathe 1', 0), entry('B', 'Lathe 1', 9), entry('C', 'Lathe 1', 18)],
};

it('what-if has every row in a shop with setups and operators; a method that cannot do it is passed over', async () => {
  const shops = await directory();
  await shops.create({ id: 'if', instance: lathes, plan }, kim);
  const missing = { kind: 'capacity', resource: 'Ana', from: 8, to: 40, amount: 0 };
  const { trials } = await shops.tryOut('if', { events: [missing], now: 1 }, kim);
  const rows = trials.flatMap(({ policy, same }) => [policy, ...same]);
  expect(rows.toSorted()).toEqual(
    ['do-nothing', 'due-dates', 'few-moves', 'from-scratch', 'shop'].toSorted(),
  );
  expect(trials.every(({ repaired }) => repaired)).toBe(true);
  const report = { events: [missing], now: 1, row: 'few-moves' as const };
  expect(await shops.report('if', report, kim)).toMatchObject({ status: 'committed' });
});

it('an operator who is reported missing without a time is missing from now on', async () => {
  const shops = await directory();
  await shops.create({ id: 'missing', instance: lathes, plan }, kim);
  const events = [{ kind: 'capacity', resource: 'Ana', amount: 0 }];
  expect(await shops.report('missing', { events, now: 12 }, kim)).toMatchObject({
    status: 'committed',
  });
});

it('starts of a foreman cost what setups and operators ask for', async () => {
  const shops = await directory();
  await shops.create({ id: 'starts', instance: lathes, plan }, kim);
  const starts = [{ job: 'B', step: 1, start: 12 }];
  const { trials } = await shops.tryOut('starts', { starts, now: 1 }, kim);
  const named = (name: string) =>
    trials.find(({ policy, same }) => policy === name || same.includes(name));
  expect(named('alone')).toMatchObject({ repaired: false });
  expect(named('give-way')).toMatchObject({ repaired: true, makespan: { after: 26 } });
  expect(named('around')).toMatchObject({ repaired: true });
  const { version } = await shops.tryOut('starts', { starts, now: 1 }, kim);
  const wished = { starts: named('give-way')?.starts ?? [], now: 1, version };
  expect(await shops.wish('starts', wished, kim)).toMatchObject({ status: 'committed' });
});
