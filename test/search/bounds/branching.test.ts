import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveSource } from '../../../src/jssp/suites.js';
import { createBranching } from '../../../src/search/bounds/branching.js';
import { createPropagation } from '../../../src/search/bounds/propagation.js';
import { arbitraryTiny } from './arbitrary-tiny.js';
import { optimum } from './optimum.js';

const never = () => false;

test('branching without limit finds out whether there is a schedule', () => {
  fc.assert(
    fc.property(arbitraryTiny({ downtimes: false }), (instance) => {
      const least = optimum(instance);
      const known = createPropagation(instance, never);
      const branching = createBranching(instance, known, never);
      for (const trial of [least - 2, least - 1, least, least + 1].filter((time) => time >= 0)) {
        const verdict = known.reset(trial) ? branching.search(trial, Infinity) : 'refuted';
        expect(verdict).toBe(trial < least ? 'refuted' : 'possible');
      }
    }),
    { numRuns: 500 },
  );
});

test('branching ends after the nodes it is given, with no verdict', () => {
  const instance = resolveSource('ft10').load();
  const known = createPropagation(instance, never);
  const branching = createBranching(instance, known, never);
  expect(known.reset(929)).toBe(true);
  expect(branching.search(929, 30)).toBe('undecided');
  expect(branching.nodes()).toBe(30);
});
