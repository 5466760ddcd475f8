import { createRandom } from '@alas-jssp/core/random';
import { describe, expect, it } from 'vitest';
import { instanceOf, modeNumbers, planOf } from '../../packages/lab/src/shops/instances.js';
import { judgePlain } from '../../packages/lab/src/shops/plain-judge.js';
import { buildPlan, inExecution } from '../../packages/lab/src/shops/random-plan.js';
import { featuresOf, randomShop, SIZES } from '../../packages/lab/src/shops/random-shop.js';
import type { PlainPlan, PlainShop } from '../../packages/lab/src/shops/shop.js';
import { assignModes, type Instance } from '../../src/jssp/instance.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { listOf, timeList, withModes } from '../../src/jssp/shop-timing/lists.js';
import { createShopTimer } from '../../src/jssp/shop-timing/timer.js';

const CASES = 150;

/** The faults of a list's schedule by the plain judge, apart from missed deadlines. */
function faultsOf(shop: PlainShop, instance: Instance, start: Int32Array): string[] {
  return judgePlain(shop, planOf(instance, start)).filter((fault) => !fault.startsWith('deadline'));
}

function scheduleOf(shop: PlainShop, plan: PlainPlan) {
  const instance = instanceOf(shop);
  const assigned =
    instance.modes === null ? instance : assignModes(instance, modeNumbers(shop, plan.mode));
  return createSchedule(
    assigned,
    Int32Array.from(plan.start, (time) => time ?? -1),
  );
}

describe('timing lists of random shops', () => {
  it('has no fault for the plain judge, and starts nothing later than the schedule of the list', () => {
    let timed = 0;
    for (let seed = 0; seed < CASES; seed++) {
      const features = featuresOf(seed);
      const random = createRandom(`timing ${seed}`);
      let shop = randomShop(seed, features, seed % 3 === 0 ? SIZES.medium : SIZES.small);
      const plan = buildPlan(shop, random);
      if (plan === null) continue;
      if (seed % 2 === 0) shop = inExecution(shop, plan, random.integer(0, 20));
      // A setup in progress is not protected.
      if (judgePlain(shop, plan).some((fault) => !fault.startsWith('deadline'))) continue;
      const schedule = scheduleOf(shop, plan);
      const { order, modes } = listOf(schedule);
      const start = timeList(instanceOf(shop), order, modes);
      const isSure = !features.has('setup-resources');
      if (start === null) {
        expect({ seed, isSure }).toEqual({ seed, isSure: false });
        continue;
      }
      timed++;
      expect({ seed, faults: faultsOf(shop, withModes(instanceOf(shop), modes), start) }).toEqual({
        seed,
        faults: [],
      });
      if (isSure)
        expect({ seed, later: start.filter((time, op) => time > schedule.start[op]) }).toEqual({
          seed,
          later: new Int32Array(),
        });
    }
    expect(timed).toBeGreaterThan(CASES / 2);
  });

  it('has no fault for random lists, pins among them; a timer that has timed others gives the same', () => {
    let timed = 0;
    for (let seed = 0; seed < CASES; seed++) {
      const random = createRandom(`lists ${seed}`);
      let shop = randomShop(seed, featuresOf(seed), SIZES.small);
      const plan = buildPlan(shop, random);
      if (plan === null) continue;
      if (seed % 2 === 0) shop = pinSome(shop, plan);
      // What frozen operations violate among themselves is not looked at.
      const frozen = shop.operations.map((one) => one.frozen);
      if (judgePlain(shop, { ...plan, start: frozen }).length > 0) continue;
      const instance = instanceOf(shop);
      const timer = createShopTimer(instance);
      for (let list = 0; list < 5; list++) {
        const modes = Int32Array.from({ length: instance.operations }, (_, op) =>
          random.integer(timer.table.modeOffset[op], timer.table.modeOffset[op + 1] - 1),
        );
        const order = randomOrder(instance, random);
        const start = timeList(instance, order, modes);
        const missed = timer.time(order, modes);
        expect({ seed, none: start === null }).toEqual({ seed, none: missed > 0 });
        if (start === null) continue;
        timed++;
        expect(timer.start).toEqual(start);
        expect({ seed, faults: faultsOf(shop, withModes(instance, modes), start) }).toEqual({
          seed,
          faults: [],
        });
      }
    }
    expect(timed).toBeGreaterThan(CASES);
  });
});

/** Every third operation of a plan pinned. */
function pinSome(shop: PlainShop, plan: PlainPlan): PlainShop {
  return {
    ...shop,
    operations: shop.operations.map((one, op) =>
      op % 3 === 1 ? { ...one, chosen: plan.mode[op], frozen: plan.start[op] } : one,
    ),
  };
}

function randomOrder({ jobOf, jobOffset }: Instance, random: ReturnType<typeof createRandom>) {
  const next = jobOffset.slice();
  return Int32Array.from(random.shuffle(Array.from(jobOf)), (job) => next[job]++);
}
