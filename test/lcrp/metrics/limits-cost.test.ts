import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectiveValue } from '../../../src/jssp/objectives.js';
import { repair } from '../../../src/lcrp/engine.js';
import { costOfLimits } from '../../../src/lcrp/metrics/limits-cost.js';
import { hasLimits } from '../../../src/lcrp/policy/policy.js';
import { eventsFor } from '../../disruption/arbitraries.js';
import {
  arbitraryPolicy,
  arbitrarySchedule,
  arbitrarySteps,
  fittingPolicy,
} from '../arbitrary-repair.js';

test('limits cost what the same repair gains without them, and that is never less than nothing', async () => {
  let costly = 0;
  await fc.assert(
    fc.asyncProperty(
      arbitrarySchedule,
      arbitrarySteps,
      arbitraryPolicy,
      async (schedule, [{ later, choices }], wanted) => {
        const policy = fittingPolicy(schedule.instance, wanted);
        const execution = { schedule, events: eventsFor(schedule, later, choices), now: later };
        const result = await repair(execution, policy, { tooLate: 'skip' });
        const cost = await costOfLimits(result);
        expect(cost === null).toBe(!hasLimits(policy));
        if (cost === null) return;
        expect(cost.within).toBe(objectiveValue(result.schedule, policy.objective));
        expect(cost.without).toBeLessThanOrEqual(cost.within);
        if (cost.without < cost.within) costly++;
      },
    ),
    { numRuns: 200 },
  );
  expect(costly).toBeGreaterThan(0);
});
