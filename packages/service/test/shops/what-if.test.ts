import { afterAll, expect, it } from 'vitest';
import { writeInstanceJson } from '../../../../src/jssp/formats/instance-json.js';
import { withDueDates } from '../../../../src/jssp/generator.js';
import { resolveSource } from '../../../../src/jssp/suites.js';
import { dryRunSchema, outcomeSchema } from '../../src/api/shop-schemas.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import type { KeyedCaller, ShopDirectory } from '../../src/shops/shop-directory.js';

const kim: KeyedCaller = { caller: { name: 'kim', role: 'decide' } };
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
  const [own, ...others] = dry.trials;
  const nothing = others.find(({ policy }) => policy === 'do-nothing');
  expect(nothing?.late.length).toBeGreaterThan(0);
  const sum = nothing?.late.reduce((total, one) => total + one.late_by * one.weight, 0);
  expect(sum).toBe(nothing?.total_weighted_tardiness?.after);
  const after = (trial = own) => trial.total_weighted_tardiness?.after ?? Number.NaN;
  for (const one of others) {
    const searches = ['due-dates', 'from-scratch'].includes(one.policy);
    if (!searches) expect(after()).toBeLessThanOrEqual(after(one));
    if (one.policy === 'due-dates') expect(after(one)).toBeLessThanOrEqual(after());
  }
  const few = dry.trials.find(({ method }) => method === 'postpone');
  for (const one of dry.trials) expect(few?.moved).toBeLessThanOrEqual(one.moved);
});

it('few moves is neither nothing nor everything for a rush order', async () => {
  const shops = await directory();
  await shops.create({ id: 'rushed', instance: due }, kim);
  const { trials } = await shops.tryOut('rushed', rush, kim);
  // Nothing is late without a search, which the row for due dates then leaves out.
  expect(trials[0]).toMatchObject({ policy: 'shop', total_weighted_tardiness: { after: 0 } });
  expect(trials[0].same).toContain('due-dates');
  const row = (name: string) =>
    trials.find(({ policy, same }) => policy === name || same.includes(name));
  const [few, nothing, dates] = ['few-moves', 'do-nothing', 'due-dates'].map(row);
  expect(few).not.toBe(nothing);
  expect(few?.moved).toBeGreaterThan(0);
  expect(few?.moved).toBeLessThan(dates?.moved ?? 0);
  const late = (one = few) => one?.total_weighted_tardiness?.after ?? Number.NaN;
  expect(late()).toBeLessThan(late(nothing));
  expect(late(dates)).toBeLessThanOrEqual(late());
});

it('a report is repaired by the row that it chooses, as the dry run says', async () => {
  const shops = await directory();
  await shops.create({ id: 'chosen', instance: due }, kim);
  for (const row of ['few-moves', 'do-nothing'] as const) {
    const id = `chosen-${row}`;
    await shops.create({ id, instance: due }, kim);
    const { trials } = await shops.tryOut(id, { ...rush, row }, kim);
    expect(trials).toHaveLength(1);
    const outcome = await shops.report(id, { ...rush, row }, { ...kim, key: 'k' });
    expect(outcomeSchema.parse(outcome)).toEqual(outcome);
    const { method, makespan, moved, moves, late, total_weighted_tardiness, clamped } = trials[0];
    expect(outcome).toMatchObject({ status: 'committed', version: 2, row, clamped });
    expect(outcome).toMatchObject({
      method,
      makespan,
      moved,
      moves,
      late,
      total_weighted_tardiness,
    });
    expect(outcome.lines[0]).toContain(`repaired by the row ${row}`);
    const again = await shops.report(id, { ...rush, row }, { ...kim, key: 'k' });
    expect(again).toEqual({ ...outcome, repeated: true });
    const other = shops.report(id, { ...rush, row: 'shop' }, { ...kim, key: 'k' });
    await expect(other).rejects.toMatchObject({ code: 'other_request' });
  }
  const own = await shops.report('chosen', { ...rush, row: 'shop' }, kim);
  expect(own).toMatchObject({ row: null, method: 'lcrp', clamped: [] });
});

it('with approval, the proposal is that of the row', async () => {
  const shops = await directory();
  const policy = { approval: { seconds: 900, otherwise: 'decline' } };
  await shops.create({ id: 'asking', instance: due, policy }, kim);
  const reported = await shops.report('asking', { ...rush, row: 'few-moves' }, kim);
  expect(reported).toMatchObject({ status: 'waiting', row: 'few-moves', method: 'postpone' });
  const { proposal } = await shops.state('asking', {});
  expect(proposal).toMatchObject({ row: 'few-moves', method: 'postpone', moved: reported.moved });
  const approved = await shops.approve('asking', proposal?.name ?? '', kim);
  expect(approved).toMatchObject({ status: 'committed', version: 2, row: 'few-moves' });
});

it('a row that searches has no more seconds than the service allows', async () => {
  const shops = await openShopDirectory({ seconds: 0.2 });
  await shops.create({ id: 'short', instance: due }, kim);
  const clamped = [{ setting: 'budget.seconds', asked: 2, used: 0.2 }];
  const request = { ...rush, row: 'from-scratch' as const };
  expect((await shops.tryOut('short', request, kim)).trials).toMatchObject([{ clamped }]);
  const outcome = await shops.report('short', request, kim);
  expect(outcome).toMatchObject({ status: 'committed', method: 'recompute', clamped });
  await shops.stop();
});

it('a limit on edits holds for every row, and the dry run says what the report does', async () => {
  const shops = await directory();
  for (const row of ['few-moves', 'do-nothing'] as const) {
    const id = `bounded-${row}`;
    await shops.create({ id, instance: due, policy: { limits: { most_edited: 1 } } }, kim);
    const { trials } = await shops.tryOut(id, { ...down, row }, kim);
    const { method, moved, reasons } = trials[0];
    expect(reasons.length).toBeGreaterThan(0);
    const outcome = await shops.report(id, { ...down, row }, kim);
    expect(outcome).toMatchObject({ status: 'committed', method, moved });
    expect(outcome.reasons).toHaveLength(reasons.length);
  }
});

it('a limit on edits that no schedule keeps is a reason in a row, and the shop stays open', async () => {
  const shops = await directory();
  const policy = { limits: { most_edited: 1 } };
  await shops.create({ id: 'limited', instance: due, policy }, kim);
  const dry = await shops.tryOut('limited', down, kim);
  expect(dryRunSchema.parse(dry)).toEqual(dry);
  const [own] = dry.trials;
  expect(own).toMatchObject({ policy: 'shop', repaired: true, method: 'affected' });
  expect(own.reasons[0]).toMatch(/^the repair by lcrp was not accepted: no schedule/);
  const outcome = await shops.report('limited', down, kim);
  expect(outcome).toMatchObject({ status: 'committed', version: 2, method: 'affected' });
  expect(outcome.moved).toBe(own.moved);
  expect(outcome.lines[0]).toContain('the repair by lcrp was not accepted: no schedule');
  expect(await shops.state('limited', {})).toMatchObject({ status: 'open' });
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
  expect((await shops.list()).filter(({ id }) => id === 'b')).toMatchObject([
    { id: 'b', objective: tardiness },
  ]);
});

it('a shop is planned by the objective of its policy, with any planner', async () => {
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
