import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRepairEngine } from '../../src/lcrp/engine.js';
import { lcrp } from '../../src/lcrp/lcrp.js';
import { plannedTimes } from '../../src/lcrp/phases/compensate.js';
import { changedPlaces, repairCost } from '../../src/lcrp/phases/cost.js';
import { policy } from '../../src/lcrp/policy/make-policy.js';
import type { RepairPolicy } from '../../src/lcrp/policy/policy.js';
import type { MethodResult, RepairTask } from '../../src/lcrp/task.js';
import { validate } from '../../src/validator/validate.js';
import { eventsFor } from '../disruption/arbitraries.js';
import {
  arbitraryPolicy,
  arbitrarySchedule,
  arbitrarySteps,
  arbitraryTask,
  cases,
  fittingPolicy,
} from './arbitrary-repair.js';

/** Without a fallback nothing is put off. */
function repairNow(task: RepairTask, policy: RepairPolicy, seed = 1): MethodResult {
  const repaired = lcrp.repair(task, policy, { seed });
  if (repaired instanceof Promise) throw new Error('a promise without a fallback');
  return repaired;
}

test('an engine follows its repairs from one disruption to the next', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitrarySchedule,
      arbitrarySteps,
      arbitraryPolicy,
      async (schedule, steps, any) => {
        const limited = fittingPolicy(schedule.instance, any);
        const engine = createRepairEngine(schedule, limited, { tooLate: 'skip' });
        let now = 0;
        for (const { later, choices } of steps) {
          now += later;
          const before = engine.schedule;
          const { task, applied } = await engine.handle(eventsFor(before, now, choices), now);
          expect(engine.now).toBe(now);
          expect(engine.instance).toBe(task.instance);
          expect(validate(engine.instance, engine.schedule).violations).toEqual([]);
          applied.oldOf.forEach((old, op) => {
            if (old < 0 || before.start[old] >= now || applied.lost.includes(op)) return;
            expect(engine.schedule.start[op]).toBe(before.start[old]);
          });
        }
      },
    ),
    { numRuns: cases / 2 },
  );
});

test('with a threshold that is crossed all that is free is recomputed, and the cheaper result is kept', async () => {
  let recomputed = 0;
  await fc.assert(
    fc.asyncProperty(arbitraryTask, async (task) => {
      const budget = { passes: 1, evaluations: 20 };
      const quick = policy({ objective: 'makespan', budget, radius: { first: 1, most: 1 } });
      const always = { ...quick, fallback: { degradation: -1, iterations: 300 } };
      const local = repairNow(task, quick);
      const { schedule, phase, neighbourhood, reordered } = await lcrp.repair(task, always, {
        seed: 1,
      });
      expect(validate(task.instance, schedule).violations).toEqual([]);
      const unit = local.compensated?.makespan ?? 0;
      const cost = repairCost(task, schedule, always, unit);
      expect(reordered?.start).toEqual(local.reordered?.start);
      expect(cost).toBeLessThanOrEqual(repairCost(task, local.schedule, always, unit));
      // What dispatching makes better is there already.
      if (phase !== 'recompute' || local.phase === 'recompute') return;
      recomputed++;
      expect(neighbourhood).toBe(null);
      expect(cost).toBeLessThan(repairCost(task, local.schedule, always, unit));
    }),
    { numRuns: 60 },
  );
  expect(recomputed).toBeGreaterThan(0);
});

test('changed places are counted among free planned operations', () => {
  fc.assert(
    fc.property(arbitraryTask, (task) => {
      const compensated = repairNow(task, policy({ objective: 'makespan', budget: { passes: 0 } }));
      expect(changedPlaces(task, compensated.schedule)).toBe(0);
      expect(plannedTimes(task).length).toBe(task.instance.operations);
    }),
    { numRuns: 50 },
  );
});
