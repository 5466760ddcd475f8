import { createRandom } from '@alas-jssp/core/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateRandom } from '../../../src/jssp/generator.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';
import { meanDistance, replaceApart } from '../../../src/search/evolution/population.js';
import {
  createSolution,
  distance,
  orderByTime,
  type Solution,
} from '../../../src/search/evolution/solution.js';

const instance = generateRandom({ jobs: 6, machines: 4, seed: 1 });

/** Solutions of random orders, whose costs are drawn apart from them. */
const arbitrarySolutions = fc.nat().map((seed) => {
  const random = createRandom(seed);
  return Array.from({ length: 6 }, () => {
    const { start } = dispatch(instance, { rule: 'random', seed: random.integer(0, 1e6) });
    return createSolution(instance, random.integer(1, 99), orderByTime(start), start);
  });
});

const apartness = (one: Solution, other: Solution) => distance(instance, one, other);

const isApart = (one: Solution, apart: number) => (other: Solution) =>
  other === one || distance(instance, one, other) >= apart;

describe('a child that joins a population', () => {
  it('replaces the worst without a minimum distance, if it is better', () => {
    fc.assert(
      fc.property(arbitrarySolutions, ([child, ...members]) => {
        const costs = members.map(({ cost }) => cost);
        const stays = replaceApart(members, child, 0, apartness);
        const all = [...costs, child.cost].sort((a, b) => a - b);
        expect(members.map(({ cost }) => cost).sort((a, b) => a - b)).toEqual(all.slice(0, 5));
        expect(stays).toBe(members.includes(child));
      }),
    );
  });

  it('puts out one that is close to a better one, if there is any', () => {
    fc.assert(
      fc.property(arbitrarySolutions, fc.double({ min: 0, max: 1, noNaN: true }), (all, apart) => {
        const [child, ...members] = all;
        replaceApart(members, child, apart, apartness);
        const [out] = all.filter((each) => !members.includes(each));
        const best = Math.min(...all.map(({ cost }) => cost));
        expect(Math.min(...members.map(({ cost }) => cost))).toBe(best);
        // Where all keep the distance it is the worst.
        if (all.every((each) => all.every(isApart(each, apart)))) {
          expect(out.cost).toBe(Math.max(...all.map(({ cost }) => cost)));
        } else {
          const others = all.filter((each) => each !== out && each.cost <= out.cost);
          expect(others.every(isApart(out, apart)) && others.length < 5).toBe(false);
        }
      }),
    );
  });

  it('leaves no two that are the same', () => {
    fc.assert(
      fc.property(arbitrarySolutions, ([child, ...members]) => {
        const twin = { ...members[2] };
        expect(replaceApart(members, twin, 0.01, apartness)).toBe(false);
        expect(meanDistance([child, child], apartness)).toBe(0);
      }),
    );
  });
});
