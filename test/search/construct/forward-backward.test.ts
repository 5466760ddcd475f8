import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateRandom } from '../../../src/jssp/generator.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';
import { forwardBackward } from '../../../src/search/evolution/starts.js';
import { validate } from '../../../src/validator/index.js';
import { arbitraryExecution } from '../arbitrary-execution.js';
import { earlierStarts, faults } from '../oracle.js';

describe('forward-backward improvement', () => {
  it('gives complete, feasible schedules without delay of instances in execution', () => {
    fc.assert(
      fc.property(arbitraryExecution({ downtimes: true }), fc.nat(), (instance, seed) => {
        let schedule = dispatch(instance, { rule: 'random', seed });
        for (let pass = 0; pass < 3; pass++) {
          schedule = forwardBackward(instance, schedule);
          expect(faults(instance, schedule.start)).toEqual([]);
          expect(earlierStarts(instance, schedule.start, 'now')).toEqual([]);
          expect(validate(instance, schedule).violations).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each([1, 2, 3])('takes some percent off what MWKR gives, instance %d', (seed) => {
    const instance = generateRandom({ jobs: 60, machines: 60, seed });
    const first = dispatch(instance, { rule: 'mwkr' });
    let schedule = first;
    const makespans = Array.from({ length: 8 }, () => {
      schedule = forwardBackward(instance, schedule);
      return schedule.makespan;
    });
    expect(Math.min(...makespans)).toBeLessThan(0.99 * first.makespan);
  });

  it('finds nothing to change in a schedule of one machine', () => {
    const instance = generateRandom({ jobs: 5, machines: 1, seed: 1 });
    const schedule = dispatch(instance, { rule: 'spt' });
    expect(forwardBackward(instance, schedule).start).toEqual(schedule.start);
  });
});
