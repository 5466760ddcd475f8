import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import { openSqliteStore } from '../../../workflow/src/index.js';
import { createCompute } from '../../src/compute/compute.js';
import { fillLimits } from '../../src/http/limits.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import type { KeyedCaller, ShopDirectory } from '../../src/shops/shop-directory.js';

const kim: KeyedCaller = { caller: { name: 'kim', role: 'decide' } };
const keyed = (key: string): KeyedCaller => ({ ...kim, key });
const down = (from: number) => ({
  events: [{ kind: 'breakdown', machine: 'Machine3', from, to: from + 20 }],
  now: from,
});

const ends: (() => Promise<void>)[] = [];
async function open(options: Parameters<typeof openShopDirectory>[0]) {
  const directory = await openShopDirectory({ threads: 1, ...options });
  ends.push(() => directory.stop());
  return directory;
}

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Reports with keys, until the service takes them: the number of times that it was busy. */
async function reportAgain(directory: ShopDirectory, id: string, now: number): Promise<number> {
  for (let busy = 0; ; busy++) {
    const said = await directory.report(id, down(now), keyed(`at-${now}`)).catch((error) => error);
    if (said.code !== 'busy') {
      expect(said).toMatchObject({ status: 'committed', repeated: false });
      return busy;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('the threads of shops', () => {
  it('start with the first call where there are no shops yet, with a folder and without', async () => {
    let started = 0;
    const note = () => void started++;
    process.on('worker', note);
    for (const data of [temporaryDirectory(), undefined]) {
      const before = started;
      const directory = await open({ data });
      expect(started).toBe(before);
      await directory.create({ id: 'a', instance: 'ft06' }, kim);
      directory.warmUp();
      expect(started).toBe(before + 1);
    }
    process.off('worker', note);
  });

  it('refuse at once what is more than may wait, of which nothing is written', async () => {
    const directory = await open({ data: temporaryDirectory(), mostWaiting: 2 });
    await directory.create({ id: 'a', instance: 'ft06' }, kim);
    const requests = [1, 2, 3, 4, 5].map((now) =>
      directory.report('a', down(now), keyed(`k${now}`)),
    );
    const settled = await Promise.allSettled(requests);
    expect(settled.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled'],
      ...['rejected', 'rejected', 'rejected'],
    ]);
    await expect(requests[4]).rejects.toMatchObject({ code: 'busy' });
    expect((await directory.state('a')).version).toBe(3);
    const later = await directory.report('a', down(5), keyed('k5'));
    expect(later).toMatchObject({ status: 'committed', version: 4, repeated: false });
    const all = await Promise.all([6, 6, 6].map((now, i) => reportAgain(directory, 'a', now + i)));
    expect(all).toHaveLength(3);
  });

  it('serve callers in turn, whatever one of them has waiting', async () => {
    const directory = await open({ data: temporaryDirectory(), isShared: true, mostWaiting: 40 });
    await directory.create({ id: 'a', instance: 'ft06' }, kim);
    await directory.create({ id: 'b', instance: 'ft06' }, kim);
    const eve = directory.as('eve');
    let answered = 0;
    const flood = Array.from({ length: 41 }, (_, k) =>
      eve.report('a', down(k + 1), keyed(`eve-${k}`)).then(() => answered++),
    );
    const refused = flood.pop();
    await expect(refused).rejects.toMatchObject({ code: 'busy' });
    await directory.as('kim').report('b', down(10), kim);
    expect(answered).toBeLessThan(flood.length);
    await Promise.all(flood);
  });

  it('that die are followed by others, which have their shops at once', async () => {
    const workers: Worker[] = [];
    const note = (worker: Worker) => void workers.push(worker);
    process.on('worker', note);
    const data = temporaryDirectory();
    const directory = await open({ data });
    await directory.create({ id: 'a', instance: 'ft06' }, kim);
    process.off('worker', note);
    const one = await directory.report('a', down(10), keyed('e1'));
    await workers[0].terminate();
    const lost = directory.report('a', down(10), keyed('e1'));
    await expect(lost).rejects.toMatchObject({ code: 'shop_opening' });
    let again = await lost.catch(() => undefined);
    while (again === undefined) {
      again = await directory.report('a', down(10), keyed('e1')).catch(({ code }) => {
        expect(code).toBe('shop_opening');
        return undefined;
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(again).toEqual({ ...one, repeated: true });
    // The next thread knew that the owner had ended: it did not wait until the lease was over.
    const store = openSqliteStore(`${data}/shops.db`);
    const resumed = [...store.read({ runId: 'a', eventTypes: ['Resume'] })];
    store.close();
    expect(resumed.map(({ payload }) => payload)).toEqual([
      expect.objectContaining({ gone: true }),
    ]);
    expect(await directory.report('a', down(20), kim)).toMatchObject({ version: 3 });
  });

  it('open the open shops, and list ended ones without opening them', async () => {
    const data = temporaryDirectory();
    const first = await open({ data });
    for (const id of ['a', 'b', 'c']) await first.create({ id, instance: 'ft06' }, kim);
    await first.report('a', down(10), kim);
    await first.report('b', down(10), kim);
    await first.close('a', kim);
    const before = await first.list();
    await first.stop();
    ends.splice(0);
    const store = openSqliteStore(`${data}/shops.db`);
    const entries = () => [...store.read({ runId: 'a' })].length;
    const written = entries();
    const again = await open({ data });
    expect(again.counts()).toMatchObject({ open: expect.any(Number) });
    const byId = (shops: Awaited<ReturnType<ShopDirectory['list']>>) =>
      [...shops].sort((a, b) => a.id.localeCompare(b.id));
    expect(byId(await again.list())).toEqual(byId(before));
    expect(again.counts()).toEqual({ open: 2, opening: 0 });
    expect(await again.state('a')).toMatchObject({ status: 'closed', version: 2 });
    expect(await again.story('a')).toHaveLength(3);
    expect(entries()).toBe(written);
    store.close();
  });

  it('go on while a plan is searched for a new shop', async () => {
    const compute = createCompute(fillLimits({ searches: 1 }));
    ends.push(() => compute.stop());
    const { signal } = new AbortController();
    const directory = await open({
      data: temporaryDirectory(),
      plan: (request, { caller }) =>
        compute.begin('plan', request, { caller: caller.name, signal }) as Promise<
          Record<string, unknown>
        >,
    });
    await directory.create({ id: 'a', instance: 'ft06', planner: 'dispatch:mwkr' }, kim);
    let isMade = false;
    const made = directory
      .create({ id: 'b', instance: 'swv11', planner: 'search:2s' }, keyed('new'))
      .finally(() => {
        isMade = true;
      });
    expect(await directory.report('a', down(10), kim)).toMatchObject({ status: 'committed' });
    expect(isMade).toBe(false);
    expect(await made).toMatchObject({ id: 'b', version: 1 });
    const again = await directory.create(
      { id: 'b', instance: 'swv11', planner: 'search:2s' },
      keyed('new'),
    );
    expect(again.id).toBe('b');
    const wrong = directory.create({ id: 'c', instance: 'ft06', planner: 'exec:rm' }, kim);
    await expect(wrong).rejects.toMatchObject({ code: 'unknown_planner' });
  });
});
