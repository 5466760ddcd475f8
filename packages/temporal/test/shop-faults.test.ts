import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { createMemoryStore } from '@alas-jssp/workflow';
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { openShop as openEmbedded } from 'alas-jssp/shop';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ft10 } from '../../../test/pipeline/shop/fixtures.js';
import { find, startServer } from '../server.mjs';
import { type Address, parseAddress } from '../src/address.js';
import { KEYS_VARIABLE } from '../src/codec/keys.js';
import { connect, connectWorker } from '../src/connection.js';
import { openShop } from '../src/shop/open-shop.js';
import { createShopActivities } from '../src/shop/shop-activities.js';
import type { LogPage, ShopActivities, ShopFacts } from '../src/shop/shop-values.js';
import { startWorker } from '../src/worker.js';
import { workflowCode } from '../src/workflow-code.js';
import { entryLines } from './entry-lines.js';

type Server = Awaited<ReturnType<typeof startServer>>;

describe.skipIf(find() === undefined)('a shop on Temporal', () => {
  const cleanups: (() => unknown)[] = [];
  const left = new AbortController();
  const detach = left.signal;

  afterEach(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function serve(settings?: Parameters<typeof startServer>[0]): Promise<Server> {
    const server = await startServer(settings);
    cleanups.push(() => server.stop());
    return server;
  }

  async function work(address: Address): Promise<void> {
    const worker = await startWorker({ address, slots: 1 });
    cleanups.push(() => worker.stop());
  }

  async function clientOf(address: Address): Promise<Client> {
    const client = await connect(address);
    cleanups.push(() => client.connection.close());
    return client;
  }

  it('receives all events, although the server is killed between them and within', async () => {
    const { schedule, events } = ft10();
    const directory = mkdtempSync(join(tmpdir(), 'alas-shop-'));
    cleanups.push(() => rmSync(directory, { recursive: true }));
    const file = join(directory, 'temporal.db');
    let server = await startServer({ file });
    cleanups.push(() => server.stop());
    const restart = async () => {
      await server.kill();
      server = await startServer({ file, port: server.port });
    };
    const address = parseAddress(server.address('restarted'));
    await work(address);
    const store = createMemoryStore();
    const here = await openEmbedded({ store, schedule });
    const there = await openShop({ address, schedule, detach, onNotice: () => {} });
    for (const [k, event] of [events[0], events[2], events[4], events[5]].entries()) {
      const news = { now: event.at, by: 'kim' };
      await here.report([event], news);
      if (k === 1) await restart();
      const outcome = there.report([event], news);
      if (k === 3) {
        await sleep(20);
        await restart();
      }
      expect((await outcome).status).toBe('committed');
    }
    expect(there.version).toBe(here.version);
    const client = await clientOf(address);
    const page = await client.workflow.getHandle('shop').query<LogPage, [number]>('entries', 0);
    expect(entryLines(page.entries)).toEqual(entryLines(store.read({ runId: 'shop' })));
  });

  /** What can be read on the server of a shop of secrets that had several histories. */
  async function readable(server: Server, queue: string) {
    const address = parseAddress(server.address(queue));
    await work(address);
    const client = await clientOf(address);
    const { schedule, events } = ft10();
    const instance = { ...schedule.instance, name: 'secret-works' };
    const plan = { ...schedule, instance };
    const runId = queue;
    const shop = await openShop({ address, schedule: plan, runId, historyEvents: 20, detach });
    const [down, , rush, , again] = events;
    for (const event of [down, rush, again]) {
      await shop.report([event], { now: event.at, by: 'secret-kim' });
    }
    expect(shop.version).toBe(4);
    const other = await openShop({ address, runId, detach });
    expect(other.schedule.start).toEqual(shop.schedule.start);
    expect(other.story.turns[2].instant.by).toBe('secret-kim');

    const { searchAttributes } = await client.workflow.getHandle(runId).describe();
    expect(searchAttributes.AlasMakespan).toEqual([shop.schedule.makespan]);
    const shops = await runsOf(client, `WorkflowId = '${runId}'`);
    expect(shops.length).toBeGreaterThan(1);
    const seen = {
      histories: await historiesOf(client, shops),
      descriptions: await descriptionsOf(client, shops),
      queries: await answersOf(client, shops),
      blobs: await historiesOf(client, await runsOf(client, "WorkflowType = 'alasBlob'")),
    };
    const secrets = (text: string) =>
      ['secret-works', 'secret-kim'].filter((name) => text.includes(name));
    return Object.fromEntries(Object.entries(seen).map(([part, text]) => [part, secrets(text)]));
  }

  it('cannot be read on the server where there are keys, but for its search attributes', async () => {
    const server = await serve();
    vi.stubEnv(KEYS_VARIABLE, `2026-11:${randomBytes(32).toString('base64')}`);
    const none = { histories: [], descriptions: [], queries: [], blobs: [] };
    expect(await readable(server, 'locked')).toEqual(none);
    vi.stubEnv(KEYS_VARIABLE, undefined);
    // So that this test would see it.
    const both = ['secret-works', 'secret-kim'];
    const all = { histories: both, descriptions: ['secret-works'], queries: both, blobs: both };
    expect(await readable(server, 'open')).toEqual(all);
  });

  it('does without search attributes where the server has no room for them', async () => {
    const server = await serve();
    const address = parseAddress(server.address('crowded'));
    const client = await clientOf(address);
    const { namespace } = address;
    // A database of this kind has three for whole numbers.
    const searchAttributes = { TakenA: 3, TakenB: 3, TakenC: 3 } as const;
    await client.connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
    const lines: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    await work(address);
    expect(lines.join('')).toMatch(
      /^shops do without AlasMakespan, .* this worker cannot register: .*\n$/,
    );
    const { schedule, events } = ft10();
    const shop = await openShop({ address, schedule, detach });
    await shop.report([events[0]], { now: 100 });
    expect(shop.version).toBe(2);
    const handle = client.workflow.getHandle('shop');
    expect(await handle.query<ShopFacts>('status')).toMatchObject({ version: 2, problem: null });
    expect((await handle.describe()).searchAttributes).not.toHaveProperty('AlasMakespan');
  });

  it('waits for the version of the software that made it, and says so', async () => {
    const server = await serve();
    const address = parseAddress(server.address('versions'));
    const { connection, dataConverter, client } = await connectWorker(address);
    const deps = { client, queue: address.queue, searchable: false };
    const versions = { ours: createShopActivities(deps), other: otherSoftware(deps) };
    let running: keyof typeof versions = 'other';
    const worker = await Worker.create({
      ...{ connection, dataConverter, taskQueue: address.queue, ...(await workflowCode()) },
      activities: {
        alasShopStep: (step: Parameters<ShopActivities['alasShopStep']>[0]) =>
          versions[running].alasShopStep(step),
      },
    });
    const ended = worker.run();
    cleanups.push(async () => {
      worker.shutdown();
      await ended;
      await connection.close();
    });
    const { schedule, events } = ft10();
    const notices: string[] = [];
    const onNotice = (line: string) => void notices.push(line);
    const shop = await openShop({ address, schedule, detach, onNotice });
    await shop.report([events[0]], { now: 100 });
    running = 'ours';
    const outcome = shop.report([events[4]], { now: 240 });
    const waits =
      /^the shop shop waits: .* version 2 .*; workers of the version that made it can go on$/;
    await vi.waitFor(() => expect(notices).toContainEqual(expect.stringMatching(waits)), 15_000);
    const handle = client.workflow.getHandle('shop');
    const { problem } = await handle.query<ShopFacts>('status');
    expect(problem).toContain(process.pid.toString());
    running = 'other';
    expect((await outcome).status).toBe('committed');
    expect(await handle.query<ShopFacts>('status')).toMatchObject({ version: 3, problem: null });
  });
});

/** The steps of a version of the software whose checksums are others. */
function otherSoftware(deps: Parameters<typeof createShopActivities>[0]): ShopActivities {
  const activities = createShopActivities(deps);
  const turn = (sha256: string) => [...sha256].reverse().join('');
  return {
    ...activities,
    async alasShopStep(step) {
      const sha256 = step.sha256 && turn(step.sha256);
      const answer = await activities.alasShopStep({ ...step, sha256 });
      if (answer.status !== 'value' || answer.version === undefined) return answer;
      const version = { ...answer.version, sha256: turn(answer.version.sha256) };
      return { ...answer, version };
    },
  };
}

/** A workflow in one of its histories. */
interface Execution {
  readonly workflowId: string;
  readonly runId: string;
}

/** The histories in a list of the server, which comes somewhat later. */
async function runsOf(client: Client, query: string): Promise<Execution[]> {
  return vi.waitFor(async () => {
    const runs: Execution[] = [];
    for await (const { workflowId, runId } of client.workflow.list({ query })) {
      runs.push({ workflowId, runId });
    }
    expect(runs).not.toEqual([]);
    return runs;
  }, 5000);
}

async function historiesOf(client: Client, runs: readonly Execution[]): Promise<string> {
  const handles = runs.map(({ workflowId, runId }) => client.workflow.getHandle(workflowId, runId));
  return textIn(await Promise.all(handles.map((handle) => handle.fetchHistory())));
}

async function descriptionsOf(client: Client, runs: readonly Execution[]): Promise<string> {
  const handles = runs.map(({ workflowId, runId }) => client.workflow.getHandle(workflowId, runId));
  const descriptions = await Promise.all(handles.map((handle) => handle.describe()));
  return textIn(descriptions.map(({ raw }) => raw));
}

/** The answers to all queries of shops, as they go over the server. */
async function answersOf(client: Client, runs: readonly Execution[]): Promise<string> {
  const { namespace } = client.options;
  const answers: unknown[] = [];
  for (const execution of runs) {
    for (const queryType of ['status', 'schedule', 'entries']) {
      const question = { namespace, execution, query: { queryType } };
      answers.push(await client.workflowService.queryWorkflow(question));
    }
  }
  return textIn(answers);
}

/** All text in a message of the protocol: also within bytes, and in those that are compressed. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) {
    const isPacked = value[0] === 0x1f && value[1] === 0x8b;
    return Buffer.from(isPacked ? gunzipSync(value) : value).toString('latin1');
  }
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textIn).join('\n');
}
