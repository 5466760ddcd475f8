import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { createKineticQueues } from '../../../src/search/construct/ready-queues.js';

test('a queue gives out the least critical ratio at any time, in whatever order jobs come and go', () => {
  const job = fc.record({
    due: fc.oneof({ weight: 5, arbitrary: fc.nat(60) }, { weight: 1, arbitrary: fc.constant(-1) }),
    work: fc.integer({ min: 1, max: 30 }),
  });
  const moves = fc.array(fc.record({ pop: fc.boolean(), wait: fc.nat(4) }), { minLength: 40 });
  fc.assert(
    fc.property(fc.array(job, { minLength: 1, maxLength: 20 }), moves, (jobs, steps) => {
      const instance = instanceFromJobs(
        'queue',
        jobs.map(({ work }) => [[0, work]]),
      );
      const due = jobs.map((one) => (one.due < 0 ? Number.POSITIVE_INFINITY : one.due));
      const work = Float64Array.from(instance.duration);
      const queues = createKineticQueues(instance, Float64Array.from(due), work);
      const inside: number[] = [];
      let now = 0;
      let pushed = 0;
      for (const { pop, wait } of steps) {
        now += wait;
        if (pop && inside.length > 0) {
          const ratio = (one: number) => (due[one] - now) / work[one];
          const least = Math.min(...inside.map(ratio));
          const expected = Math.min(...inside.filter((one) => ratio(one) === least));
          expect(queues.pop(0, now)).toBe(expected);
          inside.splice(inside.indexOf(expected), 1);
        } else if (pushed < jobs.length) {
          queues.push(pushed, pushed, now);
          inside.push(pushed++);
        }
        expect(queues.size[0]).toBe(inside.length);
      }
    }),
    { numRuns: 500 },
  );
});
