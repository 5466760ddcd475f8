import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { benchmarks } from '../../../src/jssp/benchmark-index.js';
import { nearestNames } from '../src/nearest-names.js';

const names = [...benchmarks().keys()];

describe('nearestNames', () => {
  it('puts the closest candidates first', () => {
    expect(nearestNames('swvl1', ['ta01', 'swv01', 'swv11', 'swv12', 'dmu01'])).toEqual([
      'swv01',
      'swv11',
      'swv12',
    ]);
  });

  it('ignores case', () => {
    expect(nearestNames('PAPRE', ['classic', 'paper'])).toEqual(['paper']);
  });

  it('offers nothing for a word that resembles none', () => {
    expect(nearestNames('quicksort', names)).toEqual([]);
  });

  it('finds any name again after one wrong letter', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.nat(4),
        fc.constantFrom('x', '%'),
        (name, at, c) => {
          const i = at % name.length;
          const misspelled = name.slice(0, i) + c + name.slice(i + 1);
          expect(nearestNames(misspelled, names, names.length)).toContain(name);
        },
      ),
    );
  });
});
