import { createRandom } from '@alas-jssp/core/random';
import { describe, expect, it } from 'vitest';
import { enumerate } from '../../../packages/lab/src/shops/enumerate.js';
import { instanceOf, planOf } from '../../../packages/lab/src/shops/instances.js';
import {
  judgePlain,
  plainMakespan,
  plainTardiness,
} from '../../../packages/lab/src/shops/plain-judge.js';
import {
  type Feature,
  randomShop,
  type ShopSize,
  SIZES,
} from '../../../packages/lab/src/shops/random-shop.js';
import type { PlainShop } from '../../../packages/lab/src/shops/shop.js';
import type { Objective } from '../../../src/jssp/objectives.js';
import { isClassic } from '../../../src/jssp/shop-parts.js';
import { hasPins } from '../../../src/search/create-search.js';
import { createFlexibleEvolution } from '../../../src/search/flexible/evolution.js';
import { fitsFlexibleKernel } from '../../../src/search/flexible/fits.js';
import { createProblem } from '../../../src/search/problem.js';

const both = ['makespan', 'total-weighted-tardiness'] as const;
const others: Feature[] = ['transport', 'waiting', 'graphs', 'releases', 'due-dates', 'deadlines'];

/** Features that the kernel knows: alternatives, half of the others, and setups or downtimes. */
function featuresOf(seed: number): Set<Feature> {
  const random = createRandom(`terms ${seed}`);
  const some = others.filter(() => random.next() < 0.5);
  const one: Feature[] = random.next() < 0.4 ? ['setups'] : ['downtimes'];
  return new Set<Feature>(['alternatives', ...some, ...(random.next() < 0.8 ? one : [])]);
}

/** A random shop without choices that take no time, which the kernel leaves to another search. */
function drawShop(seed: number, size: ShopSize): PlainShop {
  const shop = randomShop(seed, featuresOf(seed), size);
  const operations = shop.operations.map((one) => ({
    ...one,
    modes: one.modes.map((mode) => ({
      ...mode,
      duration: Math.max(one.modes.length > 1 ? 1 : 0, mode.duration),
    })),
  }));
  return { ...shop, operations };
}

/** The shop once a plan has been followed for a while. */
function inExecution(shop: PlainShop, { start, mode }: ReturnType<typeof planOf>, now: number) {
  const operations = shop.operations.map((one, op) => {
    const begun = start[op];
    if (begun === null || begun >= now) return { ...one, release: Math.max(one.release, now) };
    return { ...one, chosen: mode[op], frozen: begun };
  });
  return { ...shop, operations };
}

/** The best schedule of a short search of the kernel; null if the kernel leaves the shop to another search. */
function searched(shop: PlainShop, objective: Objective, seed: number, iterations: number) {
  const instance = instanceOf(shop);
  if (isClassic(instance) || hasPins(instance) || !fitsFlexibleKernel(instance, objective))
    return null;
  const problem = createProblem(instance, objective);
  const evolution = createFlexibleEvolution(problem, { seed, iterations }, null);
  while (evolution.iterations < iterations && evolution.restarts < 4) evolution.advance();
  if (evolution.best === null) throw new Error('nothing found');
  const { start, instance: assigned } = problem.scheduleOf(evolution.best.order);
  return { cost: evolution.best.cost, plan: planOf(assigned, start) };
}

/** What a plan costs: Infinity if it breaks a deadline. */
function costOf(shop: PlainShop, objective: Objective, plan: ReturnType<typeof planOf>) {
  const faults = judgePlain(shop, plan);
  expect(faults.filter((fault) => !fault.startsWith('deadline'))).toEqual([]);
  if (faults.length > 0) return Number.POSITIVE_INFINITY;
  return (objective === 'makespan' ? plainMakespan : plainTardiness)(shop, plan);
}

describe('the search of flexible shops with due dates, deadlines and downtimes', () => {
  it('finds schedules that cost what it says, in the eyes of the oracle', () => {
    let count = 0;
    for (let seed = 0; seed < 150; seed++) {
      const shop = drawShop(seed, SIZES.medium);
      for (const objective of both) {
        const found = searched(shop, objective, seed, 150);
        if (found === null) continue;
        count++;
        expect({ seed, objective, cost: found.cost }).toEqual({
          seed,
          objective,
          cost: costOf(shop, objective, found.plan),
        });
        const begun = inExecution(shop, found.plan, 25);
        const later = searched(begun, objective, seed, 50);
        expect({ seed, objective, later: later?.cost }).toEqual({
          seed,
          objective,
          later: later === null ? undefined : costOf(begun, objective, later.plan),
        });
      }
    }
    expect(count).toBeGreaterThan(200);
  });

  it('finds the optimum of tiny shops', () => {
    let count = 0;
    for (let seed = 0; seed < 80; seed++) {
      const shop = drawShop(seed, SIZES.tiny);
      for (const objective of both) {
        const found = searched(shop, objective, seed, 600);
        if (found === null) continue;
        const optimum = enumerate(shop, objective, 100_000);
        if (optimum === null) continue;
        count++;
        const value = optimum.value ?? Number.POSITIVE_INFINITY;
        expect({ seed, objective, cost: found.cost }).toEqual({ seed, objective, cost: value });
      }
    }
    expect(count).toBeGreaterThan(60);
  });
});
