import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lcrp } from '../../../src/lcrp/lcrp.js';
import { updateStatus } from '../../../src/lcrp/phases/status.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import type { MethodResult } from '../../../src/lcrp/task.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';
import { arbitraryInstance } from '../../arbitraries.js';
import { arbitraryChoices, eventsFor } from '../../disruption/arbitraries.js';

const arbitraryShop = arbitraryInstance({ maxMachines: 2, maxJobs: 6, deadlines: true });

test('a repair is the same whatever was repaired before, deadlines missed and early starts priced', () => {
  const careful = policy({
    cost: { rankChange: 0.003, movedEarlier: 0.02 },
    budget: { passes: 2, evaluations: 300 },
  });
  let missed = 0;
  fc.assert(
    fc.property(
      arbitraryShop,
      arbitraryShop,
      fc.nat(30),
      arbitraryChoices,
      (one, other, now, choices) => {
        const [task, before] = [one, other].map((instance) => {
          const schedule = dispatch(instance, { rule: 'mwkr' });
          const events = eventsFor(schedule, now, choices);
          return updateStatus({ schedule, events, now }, { tooLate: 'skip' }).task;
        });
        const made = (some: typeof task) => lcrp.repair(some, careful, { seed: 1 }) as MethodResult;
        const first = made(task);
        made(before);
        const again = made(task);
        expect(again.evaluations).toBe(first.evaluations);
        expect(again.schedule.start).toEqual(first.schedule.start);
        const { deadline, jobOffset } = task.instance;
        const isMissed = (by: number, job: number) =>
          by >= 0 && first.schedule.end[jobOffset[job + 1] - 1] > by;
        if (first.evaluations > 0 && deadline?.some(isMissed)) missed++;
      },
    ),
    { numRuns: 2000 },
  );
  expect(missed).toBeGreaterThan(0);
});
