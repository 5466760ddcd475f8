import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { benchmarks } from '../../../../src/jssp/benchmark-index.js';
import { parseInstance } from '../../../../src/jssp/formats/read-instance.js';
import type { Instance } from '../../../../src/jssp/instance.js';
import { loadBenchmark } from '../../../../src/jssp/load-benchmark.js';
import { openShop } from '../../../../src/pipeline/shop/open-shop.js';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import { openSqliteStore } from '../../../workflow/src/index.js';
import { planNewShop } from '../../src/compute/plan-work.js';
import type { ServiceLimits } from '../../src/http/limits.js';
import { startService } from '../../src/serve.js';

const tokens = [
  { name: 'viewer', role: 'view', token: 'a-token-of-the-viewer' },
  { name: 'kim', role: 'decide', token: 'a-token-of-kim-herself' },
] as const;
const view = { authorization: `Bearer ${tokens[0].token}` };
const decide = { authorization: `Bearer ${tokens[1].token}` };
const endless = { budget: { evaluations: 1e12, passes: 1e9 }, radius: { most: 1000 } };
const down = { events: [{ kind: 'breakdown', machine: 'Machine3', from: 10, to: 400 }], now: 10 };

/**
 * The time limit of repairs is one of the clock on the wall: a shop hangs for as long again before its thread is ended.
 * With a second for both, a busy machine ended good shops, and the test did not see that the bad one was hanging.
 */
const PATIENT = { shop_seconds: 3 };

async function serve(data: string, limits: Partial<ServiceLimits> = PATIENT) {
  const faults: string[] = [];
  const service = await startService({
    ...{ port: 0, data, tokens, threads: 1 },
    limits: { searches: 1, ...limits },
    onFault: (line) => faults.push(line),
  });
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await service.close();
    isClosed = true;
  };
  onTestFinished(close);
  const ask = async (path: string, body?: unknown, headers: Record<string, string> = decide) => {
    const response = await fetch(`${service.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of all kinds
    return { status: response.status, body: (await response.json()) as any };
  };
  /** Waits until the health of the service is as it should be. */
  const until = async (isDone: (health: { status: string; quarantined: number }) => boolean) => {
    for (;;) {
      if (isDone((await ask('/health')).body)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  /** A shop, once its thread has opened it: until the lease of a thread that was ended is over, it is owned. */
  const shop = async (id: string) => {
    for (;;) {
      const answer = await ask(`/shops/${id}`);
      if (!['shop_opening', 'run_owned'].includes(answer.body.code)) return answer;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { ask, close, until, shop, faults };
}

/** Leaves a shop in a log, with a report that is still to be repaired. */
async function leaveShop(
  data: string,
  id: string,
  instance: Instance,
  policy?: Parameters<typeof openShop>[0]['policy'],
): Promise<void> {
  const schedule = await planNewShop(instance, { planner: 'dispatch:mwkr' });
  const store = openSqliteStore(join(data, 'shops.db'));
  const leave = new AbortController();
  const shop = await openShop({ store, runId: id, schedule, leave: leave.signal, policy });
  leave.abort();
  await shop.ended.catch(() => {});
  const event = { kind: 'breakdown', machine: 3, from: 10, to: 400, at: 10 };
  const news = { name: 'command', data: { events: [event], now: 10 } };
  store.post({ runId: id, ts: new Date(0).toISOString(), kind: 'signal', data: news });
  store.close();
}

/** A shop whose own policy keeps a repair from returning, as logs of earlier services may have it. */
async function poison(data: string, id: string): Promise<void> {
  const benchmark = benchmarks().get('ft10');
  if (benchmark === undefined) throw new Error('there is no ft10');
  await leaveShop(data, id, loadBenchmark(benchmark), { ...endless, target: 1 });
}

/** A shop that takes more memory than a thread of 32 megabytes has. */
async function burden(data: string, id: string): Promise<void> {
  const name = 'n'.repeat(190);
  const jobs = Array.from({ length: 4000 }, (_, job) => ({
    name: `${name}${job}`,
    operations: [0, 1, 2, 3, 4].map((machine) => ({
      ...{ name: `${name}${machine}`, machine, duration: 1 + ((job + machine) % 9) },
    })),
  }));
  const document = { schema: 'alas-jssp/instance@1', machines: 5, jobs };
  await leaveShop(data, id, parseInstance(Buffer.from(JSON.stringify(document))));
}

it('a dry run with an endless policy takes no time from shops, and its answer names what was reduced', async () => {
  const { ask } = await serve(temporaryDirectory());
  const opened = await ask('/shops', { id: 'b', instance: 'ft10', policy: endless });
  expect(opened.body.clamped).toContainEqual({
    ...{ setting: 'budget.evaluations', asked: 1e12, used: 1e6 },
  });
  const policy = encodeURIComponent(JSON.stringify(endless));
  let isTried = false;
  const tried = ask(`/shops/b/events?dry-run&policy=${policy}`, down, view).finally(() => {
    isTried = true;
  });
  expect((await ask('/shops/b')).status).toBe(200);
  expect(isTried).toBe(false);
  const { trials } = (await tried).body;
  expect(trials[0].clamped.map(({ setting }: { setting: string }) => setting)).toEqual(
    expect.arrayContaining(['budget.passes', 'budget.evaluations', 'budget.seconds']),
  );
  expect((await ask('/health')).body).toMatchObject({ status: 'ok', quarantined: 0 });
});

it('a shop whose computation does not return is quarantined, over restarts, and others are served', async () => {
  const data = temporaryDirectory();
  const first = await serve(data);
  await first.ask('/shops', { id: 'good', instance: 'ft06' });
  await first.close();
  await poison(data, 'pill');
  const service = await serve(data);
  await service.until(({ status }) => status === 'hanging');
  await service.until(({ quarantined }) => quarantined === 1);
  expect((await service.shop('good')).status).toBe(200);
  expect((await service.ask('/shops/pill')).body).toMatchObject({ code: 'shop_quarantined' });
  await service.close();

  const again = await serve(data);
  expect((await again.ask('/shops')).body).toMatchObject([
    { id: 'good', status: 'open' },
    { id: 'pill', status: 'quarantined', trouble: expect.stringContaining('did not return') },
  ]);
  expect((await again.ask('/shops/good')).status).toBe(200);
  expect((await again.ask('/shops/good/release', {})).status).toBe(409);
  expect((await again.ask('/shops/none/release', {})).body.code).toBe('no_shop');
  expect((await again.ask('/shops/pill/release', {}, view)).status).toBe(403);
  expect((await again.ask('/shops/pill/release', {})).status).toBe(200);
});

it('a shop that ends its thread twice is quarantined, over restarts, and others are served', async () => {
  const data = temporaryDirectory();
  const first = await serve(data);
  await first.ask('/shops', { id: 'good', instance: 'ft06' });
  await first.close();
  await burden(data, 'pill');
  const service = await serve(data, { shop_megabytes: 32 });
  await service.until(({ quarantined }) => quarantined === 1);
  expect((await service.shop('good')).status).toBe(200);
  const trouble = expect.stringContaining('ended 2 times while it was computed: out of memory');
  expect((await service.ask('/shops')).body).toMatchObject([
    { id: 'good', status: 'open' },
    { id: 'pill', status: 'quarantined', trouble },
  ]);
  expect(service.faults.filter((line) => line.startsWith('thread 1 of the shops'))).toHaveLength(2);
  await service.close();

  const again = await serve(data, {});
  expect((await again.ask('/shops/pill')).body).toMatchObject({ code: 'shop_quarantined' });
  expect((await again.ask('/shops/pill/release', {})).status).toBe(200);
  expect((await again.shop('pill')).body).toMatchObject({ id: 'pill', version: 2 });
});
