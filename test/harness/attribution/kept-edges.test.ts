import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keptNeighbours, keptOrders } from '../../../src/harness/attribution/kept-edges.js';
import type { Instance } from '../../../src/jssp/instance.js';
import { planFromSchedule } from '../../../src/jssp/plan.js';
import { resolveSources } from '../../../src/jssp/suites.js';
import { randomSchedule } from '../../../src/search/construct/random-order.js';
import { isFeasible } from '../../../src/validator/index.js';
import { arbitraryInstance } from '../../arbitraries.js';

/** The neighbours of every machine by the definition: no other working operation starts in between. */
function neighboursOf({ operations, machine, duration }: Instance, time: ArrayLike<number>) {
  const pairs = new Set<string>();
  const isWorking = (op: number) => duration[op] > 0 && !Number.isNaN(time[op]);
  for (let a = 0; a < operations; a++) {
    for (let b = 0; b < operations; b++) {
      if (!isWorking(a) || !isWorking(b) || machine[a] !== machine[b]) continue;
      if (time[a] >= time[b]) continue;
      let isNext = true;
      for (let c = 0; c < operations; c++) {
        if (c === a || c === b || !isWorking(c) || machine[c] !== machine[a]) continue;
        if (time[c] >= time[a] && time[c] <= time[b]) isNext = false;
      }
      if (isNext) pairs.add(`${a} ${b}`);
    }
  }
  return pairs;
}

const [{ load }] = resolveSources('ft06');

describe('keptNeighbours', () => {
  it('counts the neighbours of the plan that are neighbours of the schedule', () => {
    fc.assert(
      fc.property(arbitraryInstance(), fc.nat(), fc.nat(), (instance, one, other) => {
        const plan = randomSchedule(instance, one).start;
        const final = randomSchedule(instance, other).start;
        const claimed = neighboursOf(instance, plan);
        const made = neighboursOf(instance, final);
        const kept = [...claimed].filter((pair) => made.has(pair)).length;
        const share = keptNeighbours(instance, Float64Array.from(plan), final);
        expect(share).toBe(claimed.size === 0 ? null : kept / claimed.size);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps all of a plan that is the schedule, and none of its reverse', () => {
    const instance = load();
    const { start } = randomSchedule(instance, 1);
    expect(keptNeighbours(instance, Float64Array.from(start), start)).toBe(1);
    expect(
      keptNeighbours(
        instance,
        Float64Array.from(start, (time) => -time),
        start,
      ),
    ).toBe(0);
  });
});

describe('keptOrders', () => {
  it('compares the plan with random plans of the same operations only', () => {
    const instance = load();
    const schedule = randomSchedule(instance, 3);
    const plan = planFromSchedule(schedule);
    const whole = keptOrders(instance, plan, schedule, 1);
    expect(whole).toMatchObject({ claimed: 36, pairs: { kept: 1 }, neighbours: { kept: 1 } });
    expect(whole.pairs.by_chance).toBeGreaterThan(0.4);
    expect(whole.pairs.by_chance).toBeLessThan(0.8);
    expect(whole.neighbours.by_chance).toBeLessThan(whole.pairs.by_chance ?? 0);
    const some = { entries: plan.entries.slice(0, 2) };
    // Two operations of one job are on different machines: there is no pair to keep.
    expect(keptOrders(instance, some, schedule, 1)).toMatchObject({
      claimed: 2,
      pairs: { kept: null, by_chance: null, by_rule: null },
    });
  });

  it('gives a random plan what chance gives it', () => {
    const instance = load();
    const final = randomSchedule(instance, 'final');
    let kept = 0;
    let chance = 0;
    for (let draw = 0; draw < 60; draw++) {
      const { pairs } = keptOrders(instance, randomSchedule(instance, `own ${draw}`), final, draw);
      kept += (pairs.kept ?? 0) / 60;
      chance += (pairs.by_chance ?? 0) / 60;
    }
    // The standard deviation of one draw is about 0.06.
    expect(Math.abs(kept - chance)).toBeLessThan(0.03);
  });
});

describe('randomSchedule', () => {
  it('is feasible, and equal for equal seeds', () => {
    fc.assert(
      fc.property(arbitraryInstance(), fc.nat(), (instance, seed) => {
        const { start } = randomSchedule(instance, seed);
        expect(isFeasible(instance, start)).toBe(true);
        expect(randomSchedule(instance, seed).start).toEqual(start);
      }),
      { numRuns: 60 },
    );
  });

  it('draws different orders for different seeds', () => {
    const drawn = Array.from({ length: 20 }, (_, seed) =>
      randomSchedule(load(), seed).start.join(),
    );
    expect(new Set(drawn).size).toBe(20);
  });
});
