import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judge } from '../../src/judge/judge.js';
import { bundledNames, bundledPlan, bundledProblem } from '../../src/papers/bundled.js';
import { faultKeys } from './faults.js';
import { randomCase } from './generate.js';
import { mutated } from './mutate.js';
import { findFaults } from './oracle.js';
import { randomOf } from './random.js';
import { compareOnMutatedPlans } from './trial.js';

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

it('finds nothing in valid plans, nor does the oracle', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const { problem, plan } = randomCase(seed);
      expect(faultKeys(findFaults(problem, plan))).toEqual([]);
      expect(judge(problem, plan).violations).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

it('finds nothing that is rewritten in a plan that goes on as it was', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 50, max: 250 }), (seed, now) => {
      const { problem, plan } = randomCase(seed);
      expect(faultKeys(findFaults(problem, plan, { plan, now }))).toEqual([]);
      expect(judge(problem, plan, { plan, now }).violations).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

it('says of 2,000 mutated plans what the oracle says, with all codes but rare ones among them', () => {
  const { disagreements, counts, valid } = compareOnMutatedPlans(2000, 1);
  expect(
    disagreements.map(({ seed, planIndex, invented, missed }) => ({
      seed,
      planIndex,
      invented,
      missed,
    })),
  ).toEqual([]);
  expect(valid).toBeGreaterThan(100);
  expect([...counts.values()].filter((count) => count > 0).length).toBeGreaterThan(30);
});

it('says of plans that come with the package, and of what is changed in them, what the oracle says', () => {
  for (const name of bundledNames('plans')) {
    const plan = bundledPlan(name);
    const problem = bundledProblem(plan.problem);
    for (let seed = 0; seed < 20; seed++) {
      const changed = seed === 0 ? plan : mutated(randomOf(seed), problem, plan);
      const past = { plan, now: 12 * 60 + 5 * seed };
      const found = judge(problem, changed, past).violations;
      expect(faultKeys(found), `${name} ${seed}`).toEqual(
        faultKeys(findFaults(problem, changed, past)),
      );
    }
  }
});
