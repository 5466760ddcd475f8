import { createRandom } from '@alas-jssp/core/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateRandom } from '../../../src/jssp/generator.js';
import { semiActive } from '../../../src/jssp/timing.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';
import { createEvolution, usualTuning } from '../../../src/search/evolution/evolution.js';
import { orderByTime, sequencesOf } from '../../../src/search/evolution/solution.js';
import { searchWindows } from '../../../src/search/evolution/windows.js';
import { combineZones, sortZones, zoneBegin } from '../../../src/search/evolution/zones.js';
import { createKernel } from '../../../src/search/kernel.js';
import { createProblem } from '../../../src/search/problem.js';
import {
  createExchange,
  createExchangeBuffers,
  workOnIsland,
} from '../../../src/search/threads/exchange.js';

const instance = generateRandom({ jobs: 20, machines: 10, seed: 3 });
const first = orderByTime(dispatch(instance, { rule: 'mwkr' }).start);

/** The best order of windows in one zone of the first order. */
function searchZone(index: number, count: number, seed: number): Int32Array {
  const kernel = createKernel(instance);
  kernel.load(first);
  kernel.exports.configure(6, 12, 5, false);
  kernel.exports.start();
  let slices = 0;
  const driver = {
    used: () => slices / 20,
    worked: () => void slices++,
    secure: () => {},
    takeBetter: () => null,
    zone: { index, count },
    takeGuest: () => null,
    own: () => ({ order: first, cost: 0 }),
  };
  const tuning = { ...usualTuning, windowDepth: 3, deviation: 0 };
  const search = searchWindows(kernel, createRandom(seed), tuning, driver);
  while (!search.next().done);
  return kernel.bestOrder();
}

/** Whether every operation comes after its predecessor in the job. */
const keepsJobs = (order: Int32Array) => {
  const place = new Int32Array(order.length);
  order.forEach((op, i) => {
    place[op] = i;
  });
  return instance.jobOf.every(
    (job, op) => op === 0 || instance.jobOf[op - 1] !== job || place[op - 1] < place[op],
  );
};

describe('zones of an order', () => {
  it('are changed by one island each, and combine to an order of all operations', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 4 }), fc.nat(1000), (count, seed) => {
        const own = searchZone(0, count, seed);
        const order = searchZone(count - 1, count, seed + 1);
        // Sorting by time may rearrange other zones, but on no machine.
        const others = new Set(first.subarray(zoneBegin(200, 1, count)));
        const turns = (of: Int32Array) => sequencesOf(instance, of).filter((op) => others.has(op));
        expect(new Set(own.subarray(zoneBegin(200, 1, count)))).toEqual(others);
        expect(turns(own)).toEqual(turns(first));
        const combined = combineZones(own, { island: count - 1, order, cost: 0 }, count);
        if (combined === null) throw new Error('zones contain different operations');
        expect(combined.toSorted()).toEqual(Int32Array.from({ length: 200 }, (_, op) => op));
        expect(keepsJobs(combined)).toBe(true);
        const middle = zoneBegin(200, count - 1, count);
        expect(combined.subarray(0, middle)).toEqual(own.subarray(0, middle));
        expect(combined.subarray(middle)).toEqual(order.subarray(middle));
        const sequences = sequencesOf(instance, combined);
        const sorted = sortZones(combined, semiActive(instance, sequences).start, count);
        expect(sequencesOf(instance, sorted)).toEqual(sequences);
        expect(keepsJobs(sorted)).toBe(true);
        expect(sorted.slice(middle).toSorted()).toEqual(combined.slice(middle).toSorted());
      }),
      { numRuns: 20 },
    );
  });

  it('do not combine if they contain different operations', () => {
    const other = first.toReversed();
    expect(combineZones(first, { island: 1, order: other, cost: 0 }, 2)).toBeNull();
  });

  it('of islands that share a solution lead to solutions with the cost that they report', () => {
    const islands = [0, 1];
    const [evolutions, exchange] = [
      islands.map((index) =>
        createEvolution(createProblem(instance, 'makespan'), {
          seed: index,
          tuning: {
            ...usualTuning,
            windowsFrom: 0,
            zonesFrom: 0,
            windowDepth: 3,
            windowCutoff: 50,
          },
          iterations: Number.POSITIVE_INFINITY,
          leastTardiness: null,
          zone: { index, count: 2 },
        }),
      ),
      createExchange(createExchangeBuffers(2, 200), 200),
    ];
    const costs: number[] = [];
    for (let slice = 1; slice <= 4096; slice++) {
      exchange.spend(slice / 4097);
      for (const island of islands) {
        workOnIsland(evolutions[island], exchange, island, slice, islands);
      }
      costs.push(evolutions[1].cost);
    }
    expect(costs).toEqual(costs.toSorted((a, b) => b - a));
    for (const { best } of evolutions) {
      const { makespan } = semiActive(instance, sequencesOf(instance, best?.order as Int32Array));
      expect(best?.cost).toBe(makespan);
    }
  });

  it('are not used by a search alone, or in small shops', () => {
    const problem = createProblem(instance, 'makespan');
    const settings = {
      seed: 1,
      tuning: { ...usualTuning, windowsFrom: 0, zonesFrom: 200 },
      iterations: Number.POSITIVE_INFINITY,
      leastTardiness: null,
    };
    const zone = { index: 0, count: 2 };
    const smaller = { ...usualTuning, windowsFrom: 0 };
    expect(createEvolution(problem, { ...settings, zone }).share).toBeDefined();
    expect(createEvolution(problem, settings).share).toBeUndefined();
    expect(createEvolution(problem, { ...settings, zone, tuning: smaller }).share).toBeUndefined();
  });
});
