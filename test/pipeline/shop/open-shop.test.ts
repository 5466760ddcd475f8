import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createMemoryStore,
  openSqliteStore,
  signalRun,
} from '../../../packages/workflow/src/index.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { findBenchmark } from '../../../src/jssp/suites.js';
import { openShop } from '../../../src/pipeline/shop/open-shop.js';
import { dispatch } from '../../../src/search/index.js';
import { temporaryDirectory } from '../../cli/cli.js';
import { ft10 } from './fixtures.js';

const { schedule } = ft10();

describe('a shop that is open elsewhere', () => {
  it('is refused, and stays with its owner', async () => {
    const file = join(temporaryDirectory(), 'shop.db');
    const [store, other] = [openSqliteStore(file), openSqliteStore(file)];
    const shop = await openShop({ store, schedule });
    const refused = expect.objectContaining({ code: 'run_owned' });
    await expect(openShop({ store: other })).rejects.toEqual(refused);
    await expect(openShop({ store, schedule })).rejects.toEqual(refused);
    const broken = { kind: 'breakdown', machine: 3, from: 100, to: 200 } as const;
    expect((await shop.report([broken], { now: 100 })).status).toBe('committed');
    await shop.close();
    const closed = await openShop({ store: other });
    expect(closed.version).toBe(2);
    await expect(closed.close()).rejects.toMatchObject({ code: 'shop_ended' });
    store.close();
    other.close();
  });
});

it('marks whatever it computes, of undoing and starts as of repairs', async () => {
  let marks = 0;
  let isOpen = 0;
  const onCompute = () => {
    marks++;
    isOpen++;
    return () => void isOpen--;
  };
  const shop = await openShop({ store: createMemoryStore(), schedule, onCompute });
  const broken = { kind: 'breakdown', machine: 3, from: 100, to: 200 } as const;
  const steps = [
    () => shop.report([broken], { now: 100 }),
    () => shop.undo(1, { now: 100 }),
    () => shop.propose([{ job: 0, step: 9, start: 5000 }], { now: 100 }),
  ];
  for (const step of steps) {
    const before = marks;
    await step();
    expect(marks).toBeGreaterThan(before + 2);
    expect(isOpen).toBe(0);
  }
  await shop.close();
});

describe('a resumed shop', () => {
  it('is that of the plan that is given, if one is', async () => {
    const store = createMemoryStore();
    const shop = await openShop({ store, schedule });
    await shop.close();
    expect((await openShop({ store, schedule })).version).toBe(1);

    const later = createSchedule(
      schedule.instance,
      schedule.start.map((start) => start + 1),
    );
    await expect(openShop({ store, schedule: later })).rejects.toMatchObject({
      code: 'other_instance',
      message: expect.stringMatching(
        /^the shop shop in the log began with another plan for ft10.*$/,
      ),
    });
    const la16 = findBenchmark('la16')?.load();
    if (la16 === undefined) throw new Error('there is no la16');
    const another = dispatch(la16, { rule: 'mwkr' });
    await expect(openShop({ store, schedule: another })).rejects.toMatchObject({
      code: 'other_instance',
      message: expect.stringMatching(/^the shop shop in the log is ft10, not la16.*$/),
    });
  });
});

describe('a shop with pins', () => {
  it('says in its log which of them a version does not keep', async () => {
    const store = createMemoryStore();
    const { instance, start } = schedule;
    const hit = start.findIndex((time) => time > 100 && time < 200);
    const job = instance.jobOf[hit];
    const pinned = [{ job, step: hit - instance.jobOffset[job] }];
    const shop = await openShop({ store, schedule, policy: { limits: { pinned } } });
    const machine = instance.machine[hit];
    const broken = { kind: 'breakdown', machine, from: 100, to: 200 } as const;
    await shop.report([broken], { now: 100 });
    const proposal = shop.story.turns.at(-1)?.proposal;
    expect(proposal?.lostPins).toMatchObject([{ reason: 'earliest' }]);
    await shop.close();
  });
});

describe('a shop that was left in the middle', () => {
  const broken = { kind: 'breakdown', machine: 3, from: 100, to: 200, resumable: true } as const;

  it('has applied every command of its log when it is open, and each key once', async () => {
    const store = createMemoryStore();
    const leave = new AbortController();
    const first = await openShop({ store, schedule, leave: leave.signal });
    const context = { now: 100, by: 'kim', key: 'k1' };
    const reported = first.report([broken], context);
    leave.abort();
    await Promise.allSettled([reported, first.ended]);
    const logged = { ...broken, machine: 'Machine5', at: 110, from: 110 };
    await signalRun(store, 'shop', { name: 'command', data: { now: 110, events: [logged] } });
    const shop = await openShop({ store });
    expect(shop.version).toBe(3);
    const again = await shop.report([broken], context);
    expect(again).toMatchObject({ status: 'committed', version: 2 });
    expect(shop.version).toBe(3);
    const [one, two] = [0, 1].map(() => shop.undo(1, { now: 120, key: 'k2' }));
    expect(await one).toEqual(await two);
    await expect(shop.undo(2, { now: 120, key: 'k2' })).rejects.toMatchObject({
      code: 'other_request',
    });
    expect(shop.version).toBe(4);
    await shop.close();
  });
});
