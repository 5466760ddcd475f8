import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createMemoryStore } from '@alas-jssp/workflow';
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { openShop as openEmbedded } from 'alas-jssp/shop';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ft10 } from '../../../test/pipeline/shop/fixtures.js';
import { testLivingShops } from '../../../test/pipeline/shop/living-shop.js';
import { find, startServer } from '../server.mjs';
import { type Address, formatAddress, parseAddress } from '../src/address.js';
import { connect } from '../src/connection.js';
import { openShop } from '../src/shop/open-shop.js';
import type { LogPage, ShopFacts } from '../src/shop/shop-values.js';
import type { ShopTimetable } from '../src/shop/shop-workflow.js';
import { startWorker, type TemporalWorker } from '../src/worker.js';
import { workflowCode } from '../src/workflow-code.js';
import { entryLines } from './entry-lines.js';

const BINARY = fileURLToPath(new URL('../bin/alas-jssp-temporal.js', import.meta.url));

describe.skipIf(find() === undefined)('a shop on Temporal', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let worker: TemporalWorker;
  let client: Client;
  let address: ReturnType<typeof parseAddress>;
  let shops = 0;
  const left = new AbortController();
  const detach = left.signal;
  const newId = () => `shop-${++shops}`;

  beforeAll(async () => {
    server = await startServer();
    address = parseAddress(server.address('shops'));
    worker = await startWorker({ address, slots: 1 });
    client = await connect(address);
  }, 60_000);

  afterAll(async () => {
    left.abort();
    await worker.stop();
    await client.connection.close();
    await server.stop();
  });

  testLivingShops({
    patience: 1,
    open: (shop) => openShop({ ...shop, address, runId: newId(), detach }),
  });

  it('writes the log that an embedded shop writes', async () => {
    const { schedule, events } = ft10();
    const policy = { approval: { seconds: 3600, otherwise: 'decline' as const } };
    const runId = newId();
    const store = createMemoryStore();
    const here = await openEmbedded({ store, schedule, policy, runId });
    const there = await openShop({ address, schedule, policy, runId });
    for (const shop of [here, there]) {
      // One alone would move nothing, and ask for no approval.
      await shop.report(events.slice(0, 2), { now: 100, by: 'kim' });
      await shop.decline('kim', 'too many moves');
      await shop.report([events[4]], { now: 240 });
      await shop.approve('lee');
      await shop.undo(1, { now: 250, by: 'kim' });
      await shop.approve('lee');
      await shop.report([{ kind: 'delay', job: 0, step: 0, until: 1000 }], { now: 999 });
      await shop.close('kim');
    }
    expect(there.schedule.start).toEqual(here.schedule.start);
    const page = await client.workflow.getHandle(runId).query<LogPage, [number]>('entries', 0);
    expect(entryLines(page.entries)).toEqual(entryLines(store.read({ runId })));
  });

  it('goes on as it can where no repair keeps its limit on edits, also by a chosen row', async () => {
    const { schedule, events } = ft10();
    const policy = { limits: { mostEdited: 1 } };
    const runId = newId();
    const here = await openEmbedded({ store: createMemoryStore(), schedule, policy, runId });
    const there = await openShop({ address, schedule, policy, runId });
    for (const shop of [here, there]) {
      await shop.report(events.slice(0, 2), { now: 100 });
      const { turn } = await shop.report([events[4]], { now: 240, row: 'few-moves' });
      expect(turn.committed?.method).toBe('affected');
      expect(turn.rolledBack.map(({ method }) => method)).toContain('postpone');
      expect((await shop.close()).status).toBe('COMPLETED');
    }
    expect(there.schedule.start).toEqual(here.schedule.start);
  });

  it('notifies all processes that have it open of every command, and other clients by its queries', async () => {
    const { schedule, events } = ft10();
    const runId = newId();
    const one = await openShop({ address, schedule, runId, detach });
    const two = await openShop({ address, runId, detach });
    const first = await two.report([events[0]], { now: 100, by: 'kim', role: 'plan', key: 'k-1' });
    // Another process retries the request: the key makes it the same one.
    const retried = await one.report([events[0]], { now: 100, by: 'kim', key: 'k-1' });
    expect(retried.turn).toEqual(first.turn);
    expect(one.version).toBe(2);
    await vi.waitFor(() => expect(one.version).toBe(2), 10_000);
    const handle = client.workflow.getHandle(runId);
    // What is not in order is passed over.
    await handle.signal('message', {
      kind: 'signal',
      data: { name: 'command', data: { now: 5, events: [] } },
    });
    await handle.signal('message', { kind: 'signal', data: { name: 'olds', data: {} } });
    await handle.signal('message', { kind: 'cancel', data: {} });
    const data = { now: 240, events: [{ kind: 'delay', job: 'Job6', until: 420 }] };
    await handle.signal('message', { kind: 'signal', data: { name: 'command', data } });
    await vi.waitFor(() => expect([one.version, two.version]).toEqual([3, 3]), 10_000);
    expect(one.schedule.start).toEqual(two.schedule.start);

    const status = await handle.query<ShopFacts>('status');
    const { makespan } = one.schedule;
    expect(status).toMatchObject({
      version: 3,
      now: 240,
      makespan,
      waitsFor: 'command',
      end: null,
    });
    const { rows } = await handle.query<ShopTimetable>('schedule');
    const { instance, start, end } = one.schedule;
    expect(rows).toHaveLength(instance.operations);
    for (const [job, step, machine, from, to] of rows ?? []) {
      const op = instance.jobOffset[job] + step;
      expect([machine, from, to]).toEqual([instance.machine[op], start[op], end[op]]);
    }
    const query = `AlasMakespan = ${makespan} AND AlasOpenProposals = 0 AND WorkflowId = '${runId}'`;
    await vi.waitFor(
      async () => expect((await client.workflow.count(query)).count).toBe(1),
      10_000,
    );
    await one.close();
    expect((await two.ended).status).toBe('COMPLETED');
    const again = await openShop({ address, runId });
    expect(again.version).toBe(3);
    await expect(again.close()).rejects.toMatchObject({ code: 'shop_ended' });
  });

  it('is cancelled with its last version, and is over where the server ends it', async () => {
    const { schedule, events } = ft10();
    const stop = new AbortController();
    const shop = await openShop({ address, schedule, runId: newId(), signal: stop.signal });
    await shop.report([events[0]], { now: 100 });
    stop.abort();
    expect(await shop.ended).toMatchObject({ status: 'CANCELLED' });
    expect(shop.version).toBe(2);

    const runId = newId();
    const other = await openShop({ address, schedule, runId });
    await client.workflow.getHandle(runId).terminate();
    await expect(other.ended).rejects.toMatchObject({ code: 'shop_ended' });
  });

  it('goes on in new histories, which are all replayed', async () => {
    const { schedule, events } = ft10();
    const runId = newId();
    const store = createMemoryStore();
    const here = await openEmbedded({ store, schedule, runId });
    const there = await openShop({ address, schedule, runId, historyEvents: 20, detach });
    const instants = new Map<number, typeof events>();
    for (const event of events) instants.set(event.at, [...(instants.get(event.at) ?? []), event]);
    for (const [now, events] of instants) {
      await here.report(events, { now });
      await there.report(events, { now });
    }
    await here.undo(2, { now: 700 });
    await there.undo(2, { now: 700 });
    expect(there.version).toBe(here.version);
    expect(there.schedule.start).toEqual(here.schedule.start);
    // From the segments of its log, which are in blobs.
    const again = await openShop({ address, runId, detach });
    expect(again.scheduleAt({ version: 3 })).toEqual(here.scheduleAt({ version: 3 }));
    expect(again.story.turns).toEqual(there.story.turns);
    await there.close();

    const { payloadCodecs } = client.options.loadedDataConverter;
    const code = { ...(await workflowCode()), dataConverter: { payloadCodecs } };
    const query = `WorkflowId = '${runId}'`;
    let histories = 0;
    await sleep(1000);
    for await (const { runId: run } of client.workflow.list({ query })) {
      const history = await client.workflow.getHandle(runId, run).fetchHistory();
      expect(history.events?.length).toBeLessThan(100);
      await Worker.runReplayHistory(code, history, runId);
      histories++;
    }
    expect(histories).toBeGreaterThan(2);
  });

  it('loses nothing with workers that are killed, between repairs and within', async () => {
    const { schedule, events } = ft10();
    const runId = newId();
    const place = parseAddress(server.address('killed'));
    const here = await openEmbedded({ store: createMemoryStore(), schedule, runId });
    let [doomed, heir] = [await startProcess(place), await startProcess(place)];
    const there = await openShop({ address: place, schedule, runId, detach });
    try {
      for (const [k, event] of [events[0], events[2], events[4], events[5]].entries()) {
        const meta = { now: event.at };
        await here.report([event], meta);
        if (k === 1) doomed.kill('SIGKILL');
        const outcome = there.report([event], meta);
        if (k === 3) {
          await sleep(20);
          heir.kill('SIGKILL');
        }
        if (k > 0) [doomed, heir] = [heir, await startProcess(place)];
        expect((await outcome).status).toBe('committed');
      }
      expect(there.version).toBe(here.version);
      expect(there.schedule.start).toEqual(here.schedule.start);
    } finally {
      for (const child of children) child.kill('SIGKILL');
    }
  });
});

/** All workers that were started in processes of their own. */
const children: ChildProcess[] = [];

/** A worker in a process of its own, once it polls. */
async function startProcess(address: Address): Promise<ChildProcess> {
  const words = [BINARY, 'worker', '--address', formatAddress(address)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  await once(child.stderr as NodeJS.EventEmitter, 'data');
  return child;
}
