import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { writeInstanceJson } from '../../../../src/jssp/formats/instance-json.js';
import { withDueDates } from '../../../../src/jssp/generator.js';
import { resolveSource } from '../../../../src/jssp/suites.js';
import { dryRunSchema } from '../../src/api/shop-schemas.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import type { KeyedCaller, ShopDirectory } from '../../src/shops/shop-directory.js';

const kim: KeyedCaller = { caller: { name: 'kim', role: 'decide' } };
let opened: ShopDirectory | undefined;
const directory = async () => (opened ??= await openShopDirectory({ seconds: 0.05 }));
afterAll(() => opened?.stop());

/** Two jobs on two machines: A 0–10 on M0, 10–20 on M1; B 0–5 on M1, 10–15 on M0. */
const two = {
  schema: 'alas-jssp/instance@1',
  machines: ['M0', 'M1'],
  jobs: [
    { name: 'A', due: 20, operations: ['M0', 'M1'].map((machine) => ({ machine, duration: 10 })) },
    { name: 'B', due: 15, operations: ['M1', 'M0'].map((machine) => ({ machine, duration: 5 })) },
  ],
};

it('says what starts would cost alone, and where the others give way, with the starts that do so', async () => {
  const shops = await directory();
  await shops.create({ id: 'two', instance: two }, kim);
  const dry = await shops.tryOut('two', { starts: [{ job: 'B', step: 2, start: 8 }], now: 1 }, kim);
  expect(dryRunSchema.parse(dry)).toEqual(dry);
  const [alone, yielding] = dry.trials;
  // A has started by then: it cannot give way.
  expect(alone).toMatchObject({ policy: 'alone', repaired: false, method: null });
  expect(alone.reasons.join()).toMatch(/B.*A/);
  expect(yielding).toMatchObject({ policy: 'give-way', same: ['around'], moved: 0, starts: [] });
  expect(yielding.reasons).toEqual(['B, step 2 cannot start at 8, but at 10']);
});

it('starts for another version than the one that is followed are refused', async () => {
  const shops = await directory();
  await shops.create({ id: 'old', instance: two }, kim);
  const starts = [{ job: 'B', step: 2, start: 12 }];
  const wish = { starts, now: 0, version: 1 };
  const keyed = { ...kim, key: 'one' };
  expect(await shops.wish('old', wish, keyed)).toMatchObject({ status: 'committed', version: 2 });
  // The answer to a request that is sent again is that of the first.
  expect(await shops.wish('old', wish, keyed)).toMatchObject({ version: 2, repeated: true });
  const other = { code: 'other_version' };
  await expect(shops.wish('old', wish, kim)).rejects.toMatchObject(other);
  await expect(shops.tryOut('old', wish, kim)).rejects.toMatchObject(other);
  await shops.undo('old', { version: 1, now: 0 }, kim);
  expect((await shops.view('old')).start).toEqual([0, 10, 0, 10]);
});

it('every row comes to pass when its starts are proposed, and holds the wish or says why not', async () => {
  const shops = await directory();
  const instance = JSON.parse(writeInstanceJson(withDueDates(resolveSource('la17').load(), 1.2)));
  const from = (from: number, to: number, resumable: boolean) => ({ from, to, resumable });
  instance.downtimes = [
    { machine: 0, ...from(150, 200, true) },
    { machine: 1, ...from(300, 330, false) },
  ];
  const wish = fc.record({
    job: fc.integer({ min: 1, max: 10 }),
    step: fc.integer({ min: 1, max: 5 }),
    start: fc.integer({ min: 60, max: 1000 }),
    row: fc.nat(2),
  });
  let shop = 0;
  await fc.assert(
    fc.asyncProperty(wish, async ({ row, ...start }) => {
      const id = `wish-${++shop}`;
      await shops.create({ id, instance }, kim);
      const dry = await shops.tryOut(id, { starts: [start], now: 50 }, kim);
      const { starts, repaired, reasons, ...trial } = dry.trials[row % dry.trials.length];
      const view = await shops.view(id);
      const op = (start.job - 1) * 5 + start.step - 1;
      if (!repaired) {
        expect(reasons.length).toBeGreaterThan(0);
        return;
      }
      const isKept = starts.some(
        ({ job, step, start: time }) =>
          job === `Job${start.job}` && step === start.step && time === start.start,
      );
      expect(isKept || view.start[op] === start.start || reasons.length > 0).toBe(true);
      expect(trial.moved).toBe(starts.length);
      if (starts.length === 0) return;
      const made = await shops.wish(id, { starts, now: 50, version: dry.version }, kim);
      const { makespan, moved, late, total_weighted_tardiness } = trial;
      expect(made).toMatchObject({ status: 'committed', makespan, moved, late });
      expect(made.total_weighted_tardiness).toEqual(total_weighted_tardiness);
    }),
    { numRuns: 40 },
  );
});
