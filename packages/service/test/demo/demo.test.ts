import { systemClock } from '@alas-jssp/core/clock';
import { createRandom } from '@alas-jssp/core/random';
import { expect, test } from 'vitest';
import { demoRequest, playDemo } from '../../src/demo/demo.js';
import { createTroublemaker } from '../../src/demo/troubles.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import { threadBusy } from '../../src/shops/shop-threads.js';

const caller = { name: 'test', role: 'decide' } as const;

/** A directory whose clock goes on when the test says so, in minutes. */
async function openAt() {
  let minutes = 0;
  const clock = { ...systemClock, now: () => Date.UTC(2026, 10, 23) + minutes * 60_000 };
  const directory = await openShopDirectory({ clock });
  const pass = (more: number) => {
    minutes += more;
  };
  return { directory, pass };
}

test('forty troubles of the demo take effect or are skipped with a reason, and the shop never runs out of work', async () => {
  const { directory, pass } = await openAt();
  const { policy: _, ...request } = demoRequest('demo');
  const { id } = await directory.create(request, { caller });
  const trouble = createTroublemaker(createRandom(1));
  const kinds = new Set();
  const statuses: string[] = [];
  for (let i = 0; i < 40; i++) {
    pass(1);
    const state = await directory.state(id, { next: 50 });
    const events = [...trouble.recover(state), ...trouble.next(state)];
    expect(events.length).toBeGreaterThan(0);
    for (const { kind } of events) kinds.add(kind);
    statuses.push((await directory.report(id, { events }, { caller })).status);
  }
  expect(new Set(statuses)).toEqual(new Set(['committed']));
  expect(kinds.size).toBe(5);
  const { jobs, machine_states } = await directory.state(id);
  expect(jobs).toBeGreaterThan(10);
  expect(machine_states.some(({ next }) => next.length > 0)).toBe(true);
  await directory.stop();
});

test('the demo continues after its shops were busy for a while', async () => {
  const { directory } = await openAt();
  let busy = 3;
  const ending = new AbortController();
  const line = await new Promise<string>((resolve, reject) => {
    const options = {
      clock: { ...systemClock, sleep: async () => {} },
      signal: ending.signal,
      onTrouble: resolve,
    };
    const state: typeof directory.state = async (...args) => {
      if (busy-- > 0) throw threadBusy(64);
      return directory.state(...args);
    };
    void playDemo({ ...directory, state }, options).catch(reject);
  });
  ending.abort();
  expect(line).toMatch(/broke down|arrived/);
  await directory.stop();
});

test('the demo opens its shop with a waiting proposal, and resumes an existing one', async () => {
  const { directory } = await openAt();
  for (let i = 0; i < 2; i++) {
    const ending = new AbortController();
    const line = new Promise<string>((resolve) => {
      void playDemo(directory, { signal: ending.signal, onTrouble: resolve });
    });
    expect(await line).toMatch(/broke down|arrived/);
    ending.abort();
    const { proposal } = await directory.state('demo');
    await directory.approve('demo', proposal?.name ?? '', { caller });
  }
  expect((await directory.list()).map(({ id }) => id)).toEqual(['demo']);
  await directory.stop();
});
