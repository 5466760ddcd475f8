import { once } from '@alas-jssp/core/once';
import { createMemoryStore } from '@alas-jssp/workflow';
import { warmUp } from 'alas-jssp/internal/service';
import type { KeyedCaller } from './shop-directory.js';
import { createShopHost } from './shop-host.js';

/** The number of events of a warm-up shop. */
const EVENTS = 20;
const WARM_UP_CALLER: KeyedCaller = { caller: { name: 'warm-up', role: 'decide' } };

/**
 * Runs some repairs of a benchmark in memory, so that the runtime compiles the code of a shop before the first request
 * of a thread. Takes some tenths of a second.
 */
export const warmUpShops = once(async () => {
  warmUp();
  const host = createShopHost({ store: createMemoryStore(), onChange: () => {} });
  const id = 'warm-up';
  await host.create(id, { instance: 'ft10', planner: 'dispatch:mwkr' }, WARM_UP_CALLER);
  const shop = await host.get(id);
  for (let i = 0; i < EVENTS; i++) {
    const now = 10 * i;
    const broken = { kind: 'breakdown', machine: i % 10, from: now, to: now + 40 } as const;
    await shop.report({ events: [broken], now }, { ...WARM_UP_CALLER, key: `event-${i}` });
    shop.state();
  }
  await host.stop();
});
