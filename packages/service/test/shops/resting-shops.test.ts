import { join } from 'node:path';
import { idleClock } from '@alas-jssp/core/clock';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import { openSqliteStore, signalRun } from '../../../workflow/src/index.js';
import { createCompute } from '../../src/compute/compute.js';
import { fillLimits } from '../../src/http/limits.js';
import { startService } from '../../src/serve.js';
import { unreadMarks } from '../../src/shops/busy-marks.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import { createRestingShops } from '../../src/shops/resting-shops.js';
import type { KeyedCaller, ShopDirectory } from '../../src/shops/shop-directory.js';

const kim: KeyedCaller = { caller: { name: 'kim', role: 'decide' } };
const down = (from: number) => ({
  events: [{ kind: 'breakdown', machine: 'Machine3', from, to: from + 20 }],
  now: from,
});
const rush = {
  events: [{ kind: 'arrival', job: { operations: [{ machine: 'Machine1', duration: 4 }] } }],
  now: 5,
};

const opened: ShopDirectory[] = [];
async function open(data: string) {
  const directory = await openShopDirectory({ data });
  opened.push(directory);
  return directory;
}

afterEach(async () => {
  for (const directory of opened.splice(0)) await directory.stop();
});

/** Fills a folder with shops, whose service has ended. */
async function fill(data: string, act: (directory: ShopDirectory) => Promise<void>) {
  const directory = await openShopDirectory({ data });
  await act(directory);
  const listed = await directory.list();
  await directory.stop();
  return listed;
}

/** The shops that a service has opened again: each has written that it owns its run. */
function reopenedIn(data: string): string[] {
  const store = openSqliteStore(join(data, 'shops.db'), { mode: 'read' });
  try {
    const isReopened = (runId: string) =>
      [...store.read({ runId, eventTypes: ['Resume'] })].length > 0;
    return [...store.runs()].filter(isReopened);
  } finally {
    store.close();
  }
}

/** Copies a shop under other names, with the same history. */
function copyShop(data: string, id: string, copies: readonly string[]) {
  const store = openSqliteStore(join(data, 'shops.db'));
  const entries = [...store.read({ runId: id })].map(({ version: _, hash: __, ...entry }) => entry);
  for (const runId of copies) store.append(entries.map((entry) => ({ ...entry, runId })));
  store.close();
}

describe('shops that only wait for commands', () => {
  it('are listed as they were, a thousand of them, and each is opened when it is asked', async () => {
    const data = temporaryDirectory();
    const [first] = await fill(data, async (directory) => {
      await directory.create({ id: 'a', instance: 'ft06' }, kim);
      await directory.report('a', down(10), kim);
    });
    const copies = Array.from({ length: 999 }, (_, i) => `copy-${i}`);
    copyShop(data, 'a', copies);
    const directory = await open(data);
    const listed = await directory.list();
    expect(directory.counts()).toEqual({ open: 1000, opening: 0 });
    expect(listed).toHaveLength(1000);
    expect(listed.find(({ id }) => id === 'copy-7')).toEqual({ ...first, id: 'copy-7' });
    expect(reopenedIn(data)).toEqual([]);
    expect((await directory.state('copy-7')).version).toBe(2);
    expect((await directory.report('copy-8', down(40), kim)).version).toBe(3);
    expect(reopenedIn(data).sort()).toEqual(['copy-7', 'copy-8']);
  }, 120_000);

  it('have their last sizes, times and objectives, whatever happened to them', async () => {
    const data = temporaryDirectory();
    const due = { ...rush.events[0], job: { ...rush.events[0].job, due: 9 } };
    const listed = await fill(data, async (directory) => {
      for (const id of ['new', 'more', 'less', 'back', 'late', 'skips']) {
        await directory.create({ id, instance: 'ft06' }, kim);
      }
      await directory.report('more', rush, kim);
      await directory.report(
        'less',
        { events: [{ kind: 'cancellation', job: 'Job2' }], now: 3 },
        kim,
      );
      await directory.report('back', rush, kim);
      await directory.withdraw('back', { version: 2, now: 6 }, kim);
      await directory.report('late', { events: [due], now: 8 }, kim);
      // A restored machine that was not down has no effect.
      await directory.report('skips', { events: [{ kind: 'restored', machine: 1 }], now: 12 }, kim);
      await directory.undo('more', { version: 1, now: 30 }, kim);
    });
    const directory = await open(data);
    expect(await directory.list()).toEqual(listed);
    expect(reopenedIn(data)).toEqual([]);
    // The lists of an opened shop and of a resting one do not differ.
    for (const { id } of listed) await directory.state(id);
    expect(await directory.list()).toEqual(listed);
    expect(listed.map((shop) => ('operations' in shop ? shop.operations : 0))).toContain(37);
  }, 60_000);

  it('are opened at the start if they wait for an approval or have a message', async () => {
    const data = temporaryDirectory();
    await fill(data, async (directory) => {
      for (const id of ['idle', 'noted']) await directory.create({ id, instance: 'ft06' }, kim);
      await directory.report('noted', down(10), kim);
      const approval = { seconds: 3600, otherwise: 'approve' };
      await directory.create({ id: 'asks', instance: 'ft06', policy: { approval } }, kim);
      await directory.report('asks', down(10), kim);
    });
    const store = openSqliteStore(join(data, 'shops.db'));
    const command = { name: 'command', data: { now: 20, undo: 1 } };
    store.post({ runId: 'noted', ts: '2026-11-23T06:00:00Z', kind: 'signal', data: command });
    store.close();
    const directory = await open(data);
    await directory.list();
    expect(reopenedIn(data).sort()).toEqual(['asks', 'noted']);
    expect((await directory.state('noted')).version).toBe(3);
    expect((await directory.state('asks')).proposal?.name).toBe('version-2');
  }, 60_000);

  it('do not rest if a message comes while they are read', async () => {
    const data = temporaryDirectory();
    await fill(data, async (directory) => {
      for (const id of ['quiet', 'noted']) await directory.create({ id, instance: 'ft06' }, kim);
    });
    const file = join(data, 'shops.db');
    const [store, other] = [openSqliteStore(file), openSqliteStore(file)];
    const posting: typeof store = {
      ...store,
      watch(runId, onMessage) {
        const message = { runId, ts: '2026-11-23T06:00:00Z', kind: 'signal' } as const;
        if (runId === 'noted') other.post({ ...message, data: { name: 'command', data: {} } });
        return store.watch(runId, onMessage);
      },
    };
    const resting = createRestingShops({
      store: posting,
      clock: idleClock,
      marks: unreadMarks(),
      isGone: () => true,
      onRecord: () => {},
      onMessage: () => {},
    });
    expect([resting.add('quiet'), resting.add('noted')]).toEqual([true, false]);
    resting.clear();
    store.close();
    other.close();
  });

  it('are opened by a message of another process, of which their followers hear', async () => {
    const data = temporaryDirectory();
    await fill(data, async (directory) => {
      for (const id of ['noted', 'followed']) {
        await directory.create({ id, instance: 'ft06' }, kim);
        await directory.report(id, down(10), kim);
      }
    });
    const directory = await open(data);
    await directory.list();
    const end = new AbortController();
    const changes = directory.changes('followed', undefined, end.signal)[Symbol.asyncIterator]();
    const next = changes.next();
    const other = openSqliteStore(join(data, 'shops.db'));
    for (const id of ['noted', 'followed']) {
      await vi.waitFor(() => expect(reopenedIn(data)).toContain('followed'), 20_000);
      await signalRun(other, id, { name: 'command', data: { now: 20, undo: 1 } });
    }
    other.close();
    expect((await next).value).toMatchObject({ kind: 'committed', version: 3 });
    end.abort();
    await vi.waitFor(async () => {
      const noted = (await directory.list()).find(({ id }) => id === 'noted');
      expect(noted).toMatchObject({ version: 3 });
    }, 20_000);
  }, 60_000);
});

describe('a service without shops', () => {
  it('starts no threads once its computations have ended', async () => {
    const started = vi.fn();
    process.on('worker', started);
    const compute = createCompute(fillLimits());
    await compute.stop();
    await compute.warmUp();
    process.off('worker', started);
    expect(started).not.toHaveBeenCalled();
  });

  it('starts no threads before its first request, whatever a supervisor asks', async () => {
    let started = 0;
    const note = () => void started++;
    process.on('worker', note);
    const service = await startService({ port: 0, data: temporaryDirectory(), threads: 2 });
    try {
      expect((await fetch(`${service.url}/health`)).status).toBe(200);
      expect((await fetch(`${service.url}/metrics`)).status).toBe(200);
      expect(started).toBe(0);
      expect((await fetch(`${service.url}/shops`)).status).toBe(200);
      await vi.waitFor(() => expect(started).toBeGreaterThanOrEqual(3), 20_000);
    } finally {
      process.off('worker', note);
      await service.close();
    }
  }, 60_000);
});
