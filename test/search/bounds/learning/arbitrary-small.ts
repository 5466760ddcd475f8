import fc from 'fast-check';
import { type Instance, instanceFromJobs } from '../../../../src/jssp/instance.js';

/** Random shops of up to 7 jobs on 6 machines, with zero durations; every third with recirculation. */
export function arbitrarySmall(): fc.Arbitrary<Instance> {
  return fc
    .record({
      jobs: fc.integer({ min: 2, max: 7 }),
      machines: fc.integer({ min: 1, max: 6 }),
      recirculates: fc.integer({ min: 0, max: 2 }).map((draw) => draw === 0),
      longest: fc.integer({ min: 1, max: 30 }),
    })
    .chain(({ jobs, machines, recirculates, longest }) => {
      const numbers = Array.from({ length: machines }, (_, k) => k);
      const route = recirculates
        ? fc.array(fc.nat(machines - 1), { minLength: machines, maxLength: machines })
        : fc.shuffledSubarray(numbers, { minLength: machines });
      const durations = fc.array(fc.nat(longest), { minLength: machines, maxLength: machines });
      const job = fc
        .tuple(route, durations)
        .map(([visits, times]) => visits.map((k, step) => [k, times[step]] as const));
      return fc.array(job, { minLength: jobs, maxLength: jobs });
    })
    .map((steps) => instanceFromJobs('small', steps));
}
