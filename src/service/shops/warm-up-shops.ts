import { once } from '../../core/once.js';
import { warmUp } from '../../lcrp/warm-up.js';
import { createMemoryStore } from '../../workflow/index.js';
import type { Teller } from './shop-directory.js';
import { createShopHost } from './shop-host.js';

/** Events that a shop of the warm-up is told of. */
const EVENTS = 20;
const NOBODY: Teller = { by: { name: 'nobody', role: 'decide' } };

/**
 * Lets the runtime compile what a shop runs through, so that the first one of a thread is answered as fast as any
 * other: some repairs of a benchmark in memory. Takes some tenths of a second.
 */
export const warmUpShops = once(async () => {
  warmUp();
  const host = createShopHost({ store: createMemoryStore(), onChange: () => {} });
  const id = 'warm-up';
  await host.create(id, { instance: 'ft10', planner: 'dispatch:mwkr' }, NOBODY);
  const shop = await host.get(id);
  for (let i = 0; i < EVENTS; i++) {
    const now = 10 * i;
    const broken = { kind: 'breakdown', machine: i % 10, from: now, to: now + 40 } as const;
    await shop.report({ events: [broken], now }, { ...NOBODY, key: `event-${i}` });
    shop.state();
  }
  await host.stop();
});
