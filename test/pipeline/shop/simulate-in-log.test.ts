import { expect, it } from 'vitest';
import { createMemoryStore, replayRun } from '../../../packages/workflow/src/index.js';
import { findMethod, policy, simulate } from '../../../src/lcrp/index.js';
import { createShopRegistry } from '../../../src/pipeline/shop/shop-steps.js';
import { simulateInLog } from '../../../src/pipeline/shop/simulate-in-log.js';
import { ft10 } from './fixtures.js';

it.each(['none', 'right-shift', 'affected', 'lcrp'])(
  'a simulation by %s is the same with a log, of which every step is replayed',
  async (method) => {
    const { schedule, events } = ft10();
    const store = createMemoryStore();
    const given = { schedule, events, policy: policy(), seed: 3, signal: undefined };
    const logged = await simulateInLog({ ...given, method }, { store, runId: 'ft10' });
    const plain = await simulate({ ...given, method: findMethod(method) });
    const timeless = ({ steps, totals, ...rest }: typeof plain) => ({
      ...rest,
      steps: steps.map((step) => ({ ...step, seconds: 0 })),
      totals: { ...totals, seconds: 0 },
    });
    expect(timeless(logged)).toEqual(timeless(plain));
    const [runId] = store.runs();
    expect(runId).toBe(`ft10__${method}`);
    const registry = createShopRegistry(store, () => schedule.instance);
    expect(await replayRun(store, runId, { registry })).toMatchObject({ parity: true });
  },
);
