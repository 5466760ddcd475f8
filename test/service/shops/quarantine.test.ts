import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { benchmarks } from '../../../src/jssp/benchmark-index.js';
import { loadBenchmark } from '../../../src/jssp/load-benchmark.js';
import { openShop } from '../../../src/pipeline/shop/open-shop.js';
import { planNewShop } from '../../../src/service/compute/plan-work.js';
import { startService } from '../../../src/service/serve.js';
import { openSqliteStore } from '../../../src/workflow/index.js';
import { temporaryDirectory } from '../../temporary-directory.js';

const tokens = [
  { name: 'viewer', role: 'view', token: 'a-token-of-the-viewer' },
  { name: 'kim', role: 'decide', token: 'a-token-of-kim-herself' },
] as const;
const view = { authorization: `Bearer ${tokens[0].token}` };
const decide = { authorization: `Bearer ${tokens[1].token}` };
const endless = { budget: { evaluations: 1e12, rounds: 1e9 }, radius: { most: 1000 } };
const down = { events: [{ kind: 'breakdown', machine: 'Machine3', from: 10, to: 400 }], now: 10 };

async function serve(data: string) {
  const service = await startService({
    ...{ port: 0, data, tokens, threads: 1 },
    limits: { shop_seconds: 1, searches: 1 },
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
  return { ask, close };
}

/** A shop whose own policy keeps a repair from returning, as logs of earlier services may have it. */
async function poison(data: string, id: string): Promise<void> {
  const benchmark = benchmarks().get('ft10');
  if (benchmark === undefined) throw new Error('there is no ft10');
  const schedule = await planNewShop(loadBenchmark(benchmark), {});
  const store = openSqliteStore(join(data, 'shops.db'));
  const leave = new AbortController();
  const shop = await openShop({
    ...{ store, runId: id, schedule, leave: leave.signal },
    policy: { ...endless, target: 1 },
  });
  leave.abort();
  await shop.ended.catch(() => {});
  const event = { kind: 'breakdown', machine: 3, from: 10, to: 400, at: 10 };
  const data_ = { name: 'news', data: { events: [event], now: 10 } };
  store.post({ runId: id, ts: new Date(0).toISOString(), kind: 'signal', data: data_ });
  store.close();
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
    expect.arrayContaining(['budget.rounds', 'budget.evaluations', 'budget.seconds']),
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
  const until = async (isDone: (health: { status: string; quarantined: number }) => boolean) => {
    for (;;) {
      const { body } = await service.ask('/health');
      if (isDone(body)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await until(({ status }) => status === 'hanging');
  await until(({ quarantined }) => quarantined === 1);
  const good = async () => {
    for (;;) {
      const answer = await service.ask('/shops/good');
      if (answer.body.code !== 'shop_opening') return answer;
    }
  };
  expect((await good()).status).toBe(200);
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
