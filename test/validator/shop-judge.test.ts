import { createRandom } from '@alas-jssp/core/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignModes, instanceFromJobs } from '../../src/jssp/instance.js';
import { countViolations, createJudge, validate } from '../../src/validator/index.js';
import { arbitraryStarts, uncheckedSchedule } from './arbitraries.js';
import { arbitraryShop, randomChoice } from './arbitrary-shops.js';
import { listSchedule } from './list-scheduler.js';

const arbitraryHearing = arbitraryShop.chain((instance) =>
  fc.record({
    instance: fc.constant(instance),
    schedules: fc.array(
      arbitraryStarts(instance, listSchedule(instance, Array.from(instance.jobOf))),
      { minLength: 1, maxLength: 6 },
    ),
    seed: fc.nat(1e9),
  }),
);

describe('the judge of shops', () => {
  it('gives the verdict and the count of validate, whatever it judged before', () => {
    fc.assert(
      fc.property(arbitraryHearing, ({ instance, schedules, seed }) => {
        const random = createRandom(seed);
        const judge = createJudge(instance);
        for (const starts of schedules) {
          const modes = random.integer(0, 1) === 0 ? null : randomChoice(instance, random);
          const assigned = modes === null ? instance : assignModes(instance, modes);
          const { total, counts } = validate(instance, uncheckedSchedule(assigned, starts));
          const expected = total - counts.below_lower_bound;
          expect(judge.countViolations(starts, modes ?? undefined)).toBe(expected);
          expect(judge.isFeasible(starts, modes ?? undefined)).toBe(expected === 0);
          if (instance.frozen === null) expect(countViolations(assigned, starts)).toBe(expected);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('refuses modes that are not those of the operations', () => {
    const classic = instanceFromJobs('one', [[[0, 1]]]);
    expect(() => createJudge(classic).isFeasible(Int32Array.of(0), Int32Array.of(0))).toThrow(
      'one has no modes',
    );
  });
});
