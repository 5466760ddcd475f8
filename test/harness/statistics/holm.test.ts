import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holm } from '../../../src/harness/statistics/holm.js';

const probability = fc.double({ min: 0, max: 1, noNaN: true });
const some = fc.array(fc.option(probability, { freq: 5 }), { maxLength: 30 });

describe('holm', () => {
  it('multiplies the smallest by their number, the next by one less, and never falls', () => {
    // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(holm([0.5, null, 0.9])).toEqual([1, null, 1]);
    expect(holm([0.02, 0.02])).toEqual([0.04, 0.04]);
    expect(holm([])).toEqual([]);
  });

  it('keeps the order, is never smaller, never above 1, nor above Bonferroni’s', () => {
    fc.assert(
      fc.property(some, (values) => {
        const corrected = holm(values);
        const tests = values.filter((value) => value !== null).length;
        values.forEach((p, i) => {
          const own = corrected[i];
          if (p === null || own === null) {
            expect(own).toBe(p);
            return;
          }
          expect(own).toBeGreaterThanOrEqual(p);
          expect(own).toBeLessThanOrEqual(Math.min(1, tests * p));
          values.forEach((other, k) => {
            if (other !== null && other <= p) expect(corrected[k]).toBeLessThanOrEqual(own);
          });
        });
      }),
    );
  });
});
