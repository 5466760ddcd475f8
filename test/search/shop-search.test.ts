import { createRandom } from '@alas-jssp/core/random';
import { describe, expect, it } from 'vitest';
import { enumerate } from '../../packages/lab/src/shops/enumerate.js';
import { instanceOf, planOf } from '../../packages/lab/src/shops/instances.js';
import {
  judgePlain,
  plainMakespan,
  plainTardiness,
} from '../../packages/lab/src/shops/plain-judge.js';
import { buildPlan } from '../../packages/lab/src/shops/random-plan.js';
import { featuresOf, randomShop, SIZES } from '../../packages/lab/src/shops/random-shop.js';
import { generateRandom } from '../../src/jssp/generator.js';
import { replaceInstance } from '../../src/jssp/instance.js';
import { dispatch, dispatchBest } from '../../src/search/construct/dispatch.js';
import { randomSchedule } from '../../src/search/construct/random-order.js';
import { rules } from '../../src/search/construct/rules.js';
import { optimize } from '../../src/search/optimize.js';

const CASES = 60;

describe('the search of random shops', () => {
  it('finds the optimum of tiny shops, or says that there is none, under both objectives', async () => {
    let solved = 0;
    for (let seed = 0; seed < CASES; seed++) {
      const shop = randomShop(seed, featuresOf(seed), SIZES.tiny);
      const instance = instanceOf(shop);
      for (const objective of ['makespan', 'total-weighted-tardiness'] as const) {
        const optimum = enumerate(shop, objective, 100_000);
        if (optimum === null) continue;
        const found = await optimize(instance, { objective, budget: { iterations: 600 } }).catch(
          (error) => error.code,
        );
        if (typeof found === 'string') {
          expect({ seed, objective, found, value: optimum.value }).toEqual({
            seed,
            objective,
            found,
            value: null,
          });
          continue;
        }
        solved++;
        const { schedule, value, lowerBound } = found;
        expect({
          seed,
          objective,
          faults: judgePlain(shop, planOf(schedule.instance, schedule.start)),
        }).toEqual({ seed, objective, faults: [] });
        const plan = planOf(schedule.instance, schedule.start);
        expect(value).toBe(
          objective === 'makespan' ? plainMakespan(shop, plan) : plainTardiness(shop, plan),
        );
        expect({ seed, objective, value }).toEqual({ seed, objective, value: optimum.value });
        expect(lowerBound.value).toBeLessThanOrEqual(value);
      }
    }
    expect(solved).toBeGreaterThan(CASES);
  });

  it('keeps everything in larger shops, by rules, at random and by search in two threads', async () => {
    for (let seed = 0; seed < CASES; seed++) {
      const shop = randomShop(seed, featuresOf(seed), SIZES.medium);
      if (buildPlan(shop, createRandom(seed)) === null) continue;
      const instance = instanceOf(shop);
      const faults = ({ instance: at, start }: { instance: typeof instance; start: Int32Array }) =>
        judgePlain(shop, planOf(at, start)).filter((fault) => !fault.startsWith('deadline'));
      const rule = rules[seed % rules.length];
      if (!rule.needsDueDates || instance.due)
        for (const generation of ['active', 'non-delay'] as const)
          expect({ seed, faults: faults(dispatch(instance, { rule, generation })) }).toEqual({
            seed,
            faults: [],
          });
      expect({ seed, faults: faults(randomSchedule(instance, seed)) }).toEqual({
        seed,
        faults: [],
      });
      const best = dispatchBest(instance).schedule;
      expect({ seed, faults: faults(best) }).toEqual({ seed, faults: [] });
      if (seed % 10 !== 0) continue;
      const found = await optimize(instance, { threads: 2, budget: { iterations: 2000 } }).catch(
        (error) => error.code,
      );
      if (typeof found === 'string') {
        expect(found).toMatch(/no_feasible|none_found/);
        continue;
      }
      expect({
        seed,
        faults: judgePlain(shop, planOf(found.schedule.instance, found.schedule.start)),
      }).toEqual({ seed, faults: [] });
    }
  });
});

it('searches a shop whose operations have one mode each as the classic shop it is', async () => {
  const classic = generateRandom({ jobs: 6, machines: 6, seed: 1 });
  const { operations, machine, duration } = classic;
  const own = Int32Array.from({ length: operations }, (_, op) => op);
  const offset = Int32Array.from({ length: operations + 1 }, (_, op) => op);
  const instance = replaceInstance(classic, { modes: { offset, machine, duration, chosen: own } });
  const budget = { iterations: 500 };
  const found = await optimize(instance, { budget });
  expect(found.schedule.instance).toBe(instance);
  expect(found.schedule.start).toEqual((await optimize(classic, { budget })).schedule.start);
});
