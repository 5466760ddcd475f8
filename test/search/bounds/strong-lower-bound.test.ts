import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { lowerBound } from '../../../src/jssp/bounds.js';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { resolveSource, resolveSources } from '../../../src/jssp/suites.js';
import { strongLowerBound } from '../../../src/search/bounds/strong-lower-bound.js';
import { arbitraryTiny } from './arbitrary-tiny.js';
import { optimum } from './optimum.js';

/** Says stop from the given call on, and counts the calls after that. */
function stopAfter(calls: number): { isOver: () => boolean; late: () => number } {
  let asked = 0;
  return { isOver: () => ++asked > calls, late: () => Math.max(0, asked - calls) };
}

describe('the strong lower bound', () => {
  it('never exceeds the optimum of instances with all features, whatever the options', () => {
    fc.assert(
      fc.property(
        arbitraryTiny({ downtimes: true }),
        fc.option(fc.nat(10)),
        fc.option(fc.nat(100), { nil: undefined }),
        fc.nat(20),
        fc.option(fc.nat(60)),
        (instance, slack, start, maxNodes, calls) => {
          const least = optimum(instance);
          const bound = strongLowerBound(instance, {
            maxNodes,
            ...(slack === null ? {} : { upperBound: least + slack }),
            ...(start === undefined ? {} : { start }),
            ...(calls === null ? {} : { isOver: stopAfter(calls).isOver }),
          });
          expect(bound.value).toBeLessThanOrEqual(least);
          expect(bound.value).toBeGreaterThanOrEqual(lowerBound(instance).value);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is the optimum of instances without downtimes if nothing limits the branching', () => {
    fc.assert(
      fc.property(arbitraryTiny({ downtimes: false }), (instance) => {
        const { value } = strongLowerBound(instance, { maxNodes: Infinity });
        expect(value).toBe(optimum(instance));
      }),
      { numRuns: 1000 },
    );
  });

  it('names the simple bound where that is enough, and its own argument where it is not', () => {
    const la06 = resolveSource('la06').load();
    expect(strongLowerBound(la06, { upperBound: 926 })).toEqual(lowerBound(la06));
    expect(strongLowerBound(resolveSource('ft06').load(), { upperBound: 55 })).toEqual({
      value: 55,
      source: 'destructive improvement',
    });
  });

  it('depends on nothing but the instance and the options', () => {
    const instance = resolveSource('la19').load();
    const options = { maxNodes: 200 };
    expect(strongLowerBound(instance, options)).toEqual(strongLowerBound(instance, options));
  });

  it('stops soon after the request, and keeps the proven bound', () => {
    const instance = resolveSource('ta21').load();
    const simple = lowerBound(instance).value;
    const values = [0, 10, 100, 3000].map((calls) => {
      const { isOver, late } = stopAfter(calls);
      const { value } = strongLowerBound(instance, { isOver });
      expect(late()).toBeLessThan(10);
      return value;
    });
    expect(values[0]).toBe(simple);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(values[3]).toBeGreaterThan(simple);
  });

  it('holds while better and better schedules are found, and reports every rise', () => {
    fc.assert(
      fc.property(
        arbitraryTiny({ downtimes: false }),
        fc.nat(3),
        fc.integer({ min: 1, max: 50 }),
        (instance, slack, calls) => {
          const least = optimum(instance);
          let asked = 0;
          const rises: number[] = [];
          const { value } = strongLowerBound(instance, {
            maxNodes: Infinity,
            upperBoundNow: () => Math.max(least, least + slack - Math.floor(asked++ / calls)),
            onBound: (bound) => rises.push(bound),
          });
          expect(value).toBe(least);
          expect(rises).toEqual([...new Set(rises)].toSorted((a, b) => a - b));
          expect(rises.at(-1) ?? lowerBound(instance).value).toBe(least);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('abandons a trial as soon as a schedule within it is found', () => {
    const { load } = resolveSource('ft10');
    let asked = 0;
    // Without the news, the trials below 1,200 would go on for good.
    const { value } = strongLowerBound(load(), {
      start: 1199,
      upperBound: 1200,
      maxNodes: Infinity,
      upperBoundNow: () => (asked++ < 100 ? 1200 : 808),
    });
    expect(value).toBe(808);
    expect(asked).toBeLessThan(200);
  });

  it('never exceeds an upper bound that it is given', () => {
    const instance = resolveSource('ft10').load();
    expect(strongLowerBound(instance, { upperBound: 850 }).value).toBe(850);
    expect(strongLowerBound(instance, { upperBound: 100 }).value).toBe(100);
  });

  it('leaves very large instances to the simple bounds', () => {
    const steps = (k: number) => Array.from({ length: 101 }, () => [k, 3] as const);
    const large = instanceFromJobs(
      'large',
      Array.from({ length: 200 }, (_, j) => steps(j % 7)),
    );
    expect(strongLowerBound(large)).toEqual(lowerBound(large));
  });

  it('refuses options that are no numbers or negative', () => {
    const instance = instanceFromJobs('one', [[[0, 1]]]);
    for (const wrong of [{ upperBound: Number.NaN }, { start: -1 }, { maxNodes: -5 }]) {
      expect(() => strongLowerBound(instance, wrong)).toThrow(InputError);
    }
  });
});

test.each(['la', 'orb', 'ft', 'abz', 'swv', 'yn', 'ta', 'dmu'])(
  'propagation stays below the best known makespans of %s, upper bound unknown',
  (suite) => {
    for (const { load, bounds } of resolveSources(suite)) {
      const { value } = strongLowerBound(load(), { maxNodes: 0 });
      expect(value).toBeLessThanOrEqual(bounds?.upper ?? 0);
    }
  },
);

test.each(['la', 'orb', 'ft', 'abz'])(
  'branching stays below the best known makespans of %s, upper bound unknown',
  (suite) => {
    for (const { load, bounds } of resolveSources(suite)) {
      const { value } = strongLowerBound(load(), { maxNodes: 60 });
      expect(value).toBeLessThanOrEqual(bounds?.upper ?? 0);
    }
  },
);

test.each(['ft06', 'ft20', 'la16', 'la17', 'la18', 'la20', 'la22', 'la37', 'orb08', 'orb10'])(
  'the optimum of %s is proven within 1,000 nodes',
  (name) => {
    const { load, bounds } = resolveSource(name);
    const { value } = strongLowerBound(load(), { upperBound: bounds?.upper ?? 0 });
    expect(value).toBe(bounds?.upper);
  },
);
