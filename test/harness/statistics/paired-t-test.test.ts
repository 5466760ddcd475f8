import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairedTTest } from '../../../src/harness/statistics/paired-t-test.js';
import { DEPRESSION, MAIZE, SIXTY, SLEEP } from './examples.js';

const differences = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 40 });

describe('pairedTTest', () => {
  // t = 4.0621, p = 0.00283 is what textbooks and R print of Student's data; scipy 1.17.1 for the digits.
  it.each([
    ['sleep', SLEEP, 4.062127683382037, 0.002832890197384273],
    ['maize', MAIZE, 2.14798746133112, 0.049702944021800866],
    ['depression', DEPRESSION, 3.035375415648591, 0.016176627434908098],
    ['sixty', SIXTY, 2.23476897504994, 0.02923265479885789],
    ['thirty', SIXTY.slice(0, 30), 1.522380482491839, 0.1387446280692635],
  ])('finds what is published: %s', (_, values, t, p) => {
    const test = pairedTTest(values);
    expect(test?.t).toBeCloseTo(t, 10);
    expect(test?.p).toBeCloseTo(p, 10);
    expect(test?.freedom).toBe(values.length - 1);
  });

  it.each([[[]], [[3]], [[2, 2, 2]], [[0, 0]]])('has nothing to say of %j', (values) => {
    expect(pairedTTest(values)).toBeNull();
  });

  it('does not care which of the two comes first, nor for the unit', () => {
    fc.assert(
      fc.property(differences, fc.integer({ min: 1, max: 9 }), (values, factor) => {
        const test = pairedTTest(values);
        const turned = pairedTTest(values.map((value) => -factor * value));
        expect(turned === null).toBe(test === null);
        if (test === null || turned === null) return;
        expect(turned.t).toBeCloseTo(-test.t, 9);
        expect(turned.p).toBeCloseTo(test.p, 9);
      }),
    );
  });
});
