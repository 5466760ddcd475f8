import { AlasError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectives } from '../../../src/jssp/objectives.js';
import { decideFeasibility } from '../../../src/search/bounds/feasibility.js';
import { refuseInfeasible } from '../../../src/search/bounds/infeasibility.js';
import { createProblem } from '../../../src/search/problem.js';
import { isFeasible } from '../../../src/validator/index.js';
import { arbitraryTinyPinned } from '../arbitrary-pinned.js';
import { optimum } from './optimum.js';

const never = () => false;
/** Campaigns ask for more. */
const numRuns = Number(process.env.ALAS_JSSP_FEASIBILITY_CASES ?? 400);

describe('a decision whether there is a feasible schedule', () => {
  it.each(objectives)('agrees with enumeration on tiny shops, by %s', (objective) => {
    const seen = { possible: 0, refuted: 0, undecided: 0 };
    fc.assert(
      fc.property(arbitraryTinyPinned({ deadlines: true }), (shop) => {
        const exists = optimum(shop, { deadlines: true }) < Number.POSITIVE_INFINITY;
        try {
          refuseInfeasible(shop);
        } catch (error) {
          expect(error).toBeInstanceOf(AlasError);
          expect(exists).toBe(false);
          return;
        }
        const problem = createProblem(shop, objective);
        const { verdict, schedule } = decideFeasibility(problem, 1000, never);
        seen[verdict]++;
        expect(verdict).toBe(exists ? 'possible' : 'refuted');
        if (schedule !== null) expect(isFeasible(shop, schedule.start)).toBe(true);
      }),
      { numRuns, seed: 1 },
    );
    expect(seen.possible).toBeGreaterThan(0.2 * numRuns);
    expect(seen.refuted).toBeGreaterThan(0.02 * numRuns);
    expect(seen.undecided).toBe(0);
  });
});
