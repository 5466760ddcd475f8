import { createRandom } from '@alas-jssp/core/random';
import { expect, test } from 'vitest';
import { createCalendar } from '../../../src/jssp/calendar.js';
import { createInstance, type Instance, replaceInstance } from '../../../src/jssp/instance.js';
import { createRepairEngine } from '../../../src/lcrp/engine.js';
import { searchByKernel } from '../../../src/lcrp/reassign/kernel-search.js';
import { kernelShopOf } from '../../../src/lcrp/reassign/kernel-shop.js';
import { shopOracle } from '../../oracles/shop-oracle.js';
import { anySchedule, randomEvents, randomShop } from './random-shop.js';

const cases = Number(process.env.ALAS_JSSP_LCRP_CASES ?? 50);

/** A random shop with alternatives, without due dates and deadlines. */
function shopOf(seed: number): Instance {
  return replaceInstance(randomShop(seed, true), { due: null, weight: null, deadline: null });
}

/** Two jobs of two operations, each on one of two machines; the first operation has started. */
function smallShop(calendar: Parameters<typeof createCalendar>[1]): Instance {
  return createInstance({
    name: 'small',
    machines: 2,
    jobOffset: Int32Array.of(0, 2, 4),
    machine: Int32Array.of(0, 0, 0, 0),
    duration: Int32Array.of(5, 4, 3, 2),
    frozen: Int32Array.of(0, -1, -1, -1),
    release: Int32Array.of(0, 2, 2, 2),
    calendar: createCalendar(2, calendar),
    modes: {
      offset: Int32Array.of(0, 2, 4, 6, 8),
      machine: Int32Array.of(0, 1, 0, 1, 0, 1, 0, 1),
      duration: Int32Array.of(5, 6, 4, 5, 3, 4, 2, 3),
      chosen: Int32Array.of(0, 2, 4, 6),
    },
  });
}

test('what is free waits for started work, and for downtimes that have begun', () => {
  const shop = kernelShopOf(smallShop([{ machine: 1, from: 2, to: 9, resumable: true }]), 40);
  expect(shop?.base).toBe(2);
  // Machine 0 is busy for 3, machine 1 is down for 7, and the first job is busy for 3.
  expect([...(shop?.operation ?? [])]).toEqual([-1, -1, -1, 1, 2, 3]);
  expect([...(shop?.instance.duration ?? [])]).toEqual([3, 7, 3, 4, 3, 2]);
});

test('later downtimes do not fit, unless they come after the horizon', () => {
  const later = smallShop([{ machine: 1, from: 12, to: 19, resumable: false }]);
  expect(kernelShopOf(later, 40)).toBeNull();
  expect(kernelShopOf(later, 12)).not.toBeNull();
});

/** The same with setups, transport, least lags and graphs, some of each. */
function shopWithParts(seed: number): Instance {
  const shop = replaceInstance(randomShop(seed, false), {
    due: null,
    weight: null,
    deadline: null,
  });
  const { precedence } = shop;
  const isOpen = precedence === null ? null : new Int32Array(precedence.pred.length).fill(-1);
  return replaceInstance(shop, {
    resources: null,
    precedence: precedence === null ? null : { ...precedence, maxLag: isOpen ?? new Int32Array() },
  });
}

test('setups after started work count from its end, and before a downtime from its end', () => {
  const shop = replaceInstance(smallShop([{ machine: 1, from: 2, to: 9, resumable: true }]), {
    setups: {
      families: 2,
      family: Int32Array.of(1, 0, 1, 0),
      matrixOf: Int32Array.of(0, 0),
      time: Int32Array.of(0, 4, 6, 0),
      first: Int32Array.of(2, 3),
      anticipatory: Uint8Array.of(1, 1),
    },
  });
  const kernel = kernelShopOf(shop, 40);
  // Both machines have a dummy; then comes the started operation, of no duration, and what follows it.
  expect([...(kernel?.operation ?? [])]).toEqual([-1, -1, -1, 1, 2, 3]);
  expect([...(kernel?.instance.duration ?? [])]).toEqual([5, 9, 0, 4, 3, 2]);
  expect([...(kernel?.instance.release ?? [])]).toEqual([0, 0, 5, 2, 2, 2]);
  const { families = 0, time = [], first = [] } = kernel?.instance.setups ?? {};
  expect(families).toBe(4);
  // From the dummy of machine 0, on which family 1 was last, and from that of machine 1, on which nothing was.
  expect([...time.slice(2 * families, 2 * families + 2)]).toEqual([6, 0]);
  expect([...time.slice(3 * families, 3 * families + 2)]).toEqual([2, 3]);
  expect([...first]).toEqual([2, 3, 0, 0]);
});

test.each([
  ['with alternatives', shopOf],
  ['with setups, transport and graphs', shopWithParts],
])('its schedules of shops %s keep every rule, and are no longer than before', async (_, shop) => {
  let searched = 0;
  let shortened = 0;
  for (let seed = 1; seed <= cases; seed++) {
    const random = createRandom(seed);
    const engine = createRepairEngine(anySchedule(shop(seed)), {}, { tooLate: 'skip' });
    for (let now = random.integer(0, 15), i = 0; i < 3; now += random.integer(0, 25), i++) {
      const events = randomEvents(engine.schedule, now, random);
      const result = await engine.handle(events, now, { policy: { objective: 'makespan' } });
      const { compensated, schedule, task } = result;
      const faultsOf = (one: typeof schedule) => shopOracle(task.instance, one.start, one.mode);
      expect(faultsOf(schedule), `seed ${seed}, at ${now}`).toEqual([]);
      if (compensated === null) continue;
      const limits = { iterations: 200, goal: 0, seed, isOver: () => false };
      const found = searchByKernel(compensated, limits);
      if (found === null) continue;
      searched++;
      expect(faultsOf(found.schedule), `seed ${seed}, at ${now}`).toEqual([]);
      expect(found.schedule.makespan).toBeLessThanOrEqual(compensated.makespan);
      if (found.schedule.makespan < compensated.makespan) shortened++;
    }
  }
  expect(searched).toBeGreaterThan(cases / 4);
  expect(shortened).toBeGreaterThan(cases / 10);
});
