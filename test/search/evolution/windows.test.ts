import { createRandom } from '@alas-jssp/core/random';
import { describe, expect, it } from 'vitest';
import { createCalendar } from '../../../src/jssp/calendar.js';
import { generateRandom } from '../../../src/jssp/generator.js';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { semiActive } from '../../../src/jssp/timing.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';
import { createEvolution, usualTuning } from '../../../src/search/evolution/evolution.js';
import { orderByTime, sequencesOf } from '../../../src/search/evolution/solution.js';
import { hasWindows, searchWindows } from '../../../src/search/evolution/windows.js';
import { createKernel } from '../../../src/search/kernel.js';
import { createProblem } from '../../../src/search/problem.js';

const instance = generateRandom({ jobs: 20, machines: 10, seed: 3 });

/** The part of a driver that concerns other islands, of which there are none. */
const alone = {
  takeBetter: () => null,
  zone: null,
  takeGuest: () => null,
  own: () => ({ order: new Int32Array(), cost: 0 }),
};

/** A search that receives the used share of its budget after some numbers of slices. */
function searchOf(slices: number, tuning: object, shop = instance) {
  const evolution = createEvolution(createProblem(shop, 'makespan'), {
    seed: 1,
    tuning: { ...usualTuning, windowsFrom: 0, ...tuning },
    iterations: Number.POSITIVE_INFINITY,
    leastTardiness: null,
  });
  const costs: number[] = [];
  for (let slice = 0; slice < slices; slice++) {
    evolution.spend(slice / slices);
    evolution.advance();
    costs.push(evolution.cost);
  }
  return { evolution, costs };
}

describe('a search of windows', () => {
  it('has the cost that its best order has, which never rises', () => {
    const { evolution, costs } = searchOf(60, { deviation: 0.05 });
    const order = evolution.best?.order as Int32Array;
    const { makespan } = semiActive(instance, sequencesOf(instance, order));
    expect(evolution.cost).toBe(makespan);
    expect(costs).toEqual(costs.toSorted((a, b) => b - a));
    expect(costs[59]).toBeLessThan(costs[0]);
    expect(evolution.population).toBe(0);
  });

  it('gives equal results for equal reports of the budget', () => {
    expect(searchOf(30, {}).costs).toEqual(searchOf(30, {}).costs);
  });

  it('hands its best over to a population when its share is used up', () => {
    const { evolution, costs } = searchOf(60, { windowShare: 0.5 });
    expect(evolution.population).toBeGreaterThan(0);
    expect(evolution.best?.cost).toBe(Math.min(...costs));
  });

  it('continues from better solutions of other islands, as often as it may', () => {
    const hard = generateRandom({ jobs: 30, machines: 20, seed: 5 });
    const best = searchOf(300, {}, hard).evolution.best;
    const order = best?.order as Int32Array;
    const costsBesideIt = (adoptions: number) => {
      const evolution = createEvolution(createProblem(hard, 'makespan'), {
        seed: 2,
        tuning: { ...usualTuning, windowsFrom: 0, adoptions },
        iterations: Number.POSITIVE_INFINITY,
        leastTardiness: null,
      });
      return Array.from({ length: 8 }, (_, slice) => {
        evolution.spend(slice / 16);
        evolution.invite(order);
        evolution.advance();
        return evolution.cost;
      });
    };
    expect(Math.min(...costsBesideIt(0))).toBeGreaterThan(best?.cost as number);
    const costs = costsBesideIt(4);
    expect(costs[3]).toBeGreaterThan(best?.cost as number);
    expect(costs[7]).toBeLessThanOrEqual(best?.cost as number);
  });

  it('is omitted if the budget is unknown', () => {
    const evolution = createEvolution(createProblem(instance, 'makespan'), {
      seed: 1,
      tuning: { ...usualTuning, windowsFrom: 0 },
      iterations: Number.POSITIVE_INFINITY,
      leastTardiness: null,
    });
    for (let slice = 0; slice < 60; slice++) evolution.advance();
    expect(evolution.population).toBeGreaterThan(0);
  });

  it('can be stopped after every window, also where none is worth a search', () => {
    // A path of one operation goes around all windows but those that contain it.
    const jobs = Array.from({ length: 100 }, (_, job) => [[1 + (job % 9), 1]] as const);
    const around = instanceFromJobs('around', [[[0, 1000]], ...jobs]);
    const kernel = createKernel(around);
    kernel.load(orderByTime(dispatch(around, { rule: 'mwkr' }).start));
    kernel.exports.start();
    let opened = 0;
    const driver = { ...alone, used: () => 0, worked: () => {}, secure: () => void opened++ };
    const tuning = { ...usualTuning, windowDepth: 0.1 };
    const search = searchWindows(kernel, createRandom(1), tuning, driver);
    for (let slice = 0; slice < 50; slice++) search.next();
    expect(opened).toBeGreaterThan(0);
    expect(opened).toBeLessThanOrEqual(50);
  });

  it('leaves windows early where the order is too long for them, and late where they come often', () => {
    const iterationsOf = (sweeps: number) => {
      const large = generateRandom({ jobs: 100, machines: 50, seed: 4 });
      const kernel = createKernel(large);
      kernel.load(orderByTime(dispatch(large, { rule: 'mwkr' }).start));
      kernel.exports.start();
      let slices = 0;
      let windows = 0;
      let iterations = 0;
      const driver = {
        ...alone,
        used: () => slices / 150,
        worked: (count: number) => {
          slices++;
          iterations += count;
        },
        secure: () => void windows++,
      };
      const search = searchWindows(kernel, createRandom(1), { ...usualTuning, sweeps }, driver);
      while (!search.next().done);
      return iterations / windows;
    };
    expect(iterationsOf(1000)).toBeLessThan(0.7 * iterationsOf(0));
  });

  it('is for the makespan of large shops without downtimes', () => {
    const from = (windowsFrom: number) => ({ ...usualTuning, windowsFrom });
    const due = replaceInstance(instance, { due: new Int32Array(20).fill(100) });
    const downtime = { machine: 0, from: 300, to: 500, resumable: false };
    const down = replaceInstance(instance, { calendar: createCalendar(10, [downtime]) });
    expect(hasWindows(createProblem(instance, 'makespan'), from(200))).toBe(true);
    expect(hasWindows(createProblem(instance, 'makespan'), from(201))).toBe(false);
    expect(hasWindows(createProblem(due, 'total-weighted-tardiness'), from(0))).toBe(false);
    expect(hasWindows(createProblem(down, 'makespan'), from(0))).toBe(false);
  });
});
