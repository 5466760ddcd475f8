import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectiveValue } from '../../src/jssp/objectives.js';
import { plannedTimes } from '../../src/lcrp/compensate.js';
import { changedPlaces, repairCost } from '../../src/lcrp/cost.js';
import { createRepairEngine } from '../../src/lcrp/engine.js';
import { lcrp } from '../../src/lcrp/lcrp.js';
import { defaultPolicy, type RepairPolicy } from '../../src/lcrp/policy.js';
import type { Repaired, RepairTask } from '../../src/lcrp/task.js';
import { validate } from '../../src/validator/validate.js';
import { eventsFor } from '../disruption/arbitraries.js';
import {
  arbitraryPolicy,
  arbitrarySchedule,
  arbitrarySteps,
  arbitraryTask,
  cases,
} from './arbitrary-repair.js';

/** Without a fallback nothing is put off. */
function repairNow(task: RepairTask, policy: RepairPolicy, seed = 1): Repaired {
  const repaired = lcrp.repair(task, policy, { seed });
  if (repaired instanceof Promise) throw new Error('a promise without a fallback');
  return repaired;
}

test('whatever happens, repairs are feasible, keep the past, and cost no more than compensation', () => {
  const phases = new Set<string>();
  fc.assert(
    fc.property(arbitraryTask, arbitraryPolicy, (task, policy) => {
      const repaired = repairNow(task, policy);
      const { schedule, compensated } = repaired;
      phases.add(repaired.phase);
      expect(validate(task.instance, schedule).violations).toEqual([]);
      task.instance.frozen?.forEach((start, op) => {
        if (start >= 0) expect(schedule.start[op]).toBe(start);
      });
      if (compensated === null) throw new Error('no compensation');
      const unit = objectiveValue(compensated, policy.objective);
      expect(objectiveValue(schedule, policy.objective)).toBeLessThanOrEqual(unit);
      expect(repairCost(task, schedule, policy, unit)).toBeLessThanOrEqual(unit);
    }),
    { numRuns: cases },
  );
  // Growth is rare in small shops.
  expect([...phases]).toEqual(expect.arrayContaining(['compensation', 'reordering', 'status']));
});

test('only operations of the neighbourhood change their place, and limits keep others out of it', () => {
  let changed = 0;
  fc.assert(
    fc.property(arbitraryTask, arbitraryPolicy, (task, policy) => {
      const { schedule, neighbourhood, compensated } = repairNow(task, policy);
      if (neighbourhood === null || compensated === null) throw new Error('a recompute');
      const { instance, planned } = task;
      const { limits } = policy;
      const inside = new Set(neighbourhood);
      if (limits.mostChanged !== null) expect(inside.size).toBeLessThanOrEqual(limits.mostChanged);
      for (const op of inside) {
        expect(instance.frozen?.[op] ?? -1).toBe(-1);
        expect(limits.pinned).not.toContain(op);
        expect(limits.untouchableMachines).not.toContain(instance.machine[op]);
        if (planned[op] >= 0) expect(planned[op]).toBeGreaterThanOrEqual(limits.notBefore ?? 0);
      }
      for (let k = 0; k < instance.machines; k++) {
        const queue = [...instance.machineOperations.keys()].filter(
          (op) => instance.machine[op] === k && instance.duration[op] > 0,
        );
        const before = queue.toSorted((a, b) => compensated.start[a] - compensated.start[b]);
        const after = queue.toSorted((a, b) => schedule.start[a] - schedule.start[b]);
        before.forEach((op, place) => {
          if (after[place] === op) return;
          changed++;
          expect(inside).toContain(op);
        });
      }
      for (const op of limits.pinned) {
        if (op >= instance.operations) continue;
        expect(schedule.start[op]).toBe(compensated.start[op]);
      }
    }),
    { numRuns: cases },
  );
  expect(changed).toBeGreaterThan(0);
});

test('equal tasks, policies and seeds give equal repairs', () => {
  fc.assert(
    fc.property(arbitraryTask, arbitraryPolicy, fc.nat(), (task, policy, seed) => {
      expect(repairNow(task, policy, seed)).toEqual(repairNow(task, policy, seed));
    }),
    { numRuns: 100 },
  );
});

test('an engine follows its repairs from one disruption to the next', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitrarySchedule,
      arbitrarySteps,
      arbitraryPolicy,
      async (schedule, steps, policy) => {
        const engine = createRepairEngine(schedule, policy, { tooLate: 'skip' });
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
      const policy: RepairPolicy = {
        ...defaultPolicy,
        budget: { rounds: 1, evaluations: 20, seconds: null },
        radius: { first: 1, most: 1 },
        fallback: { degradation: -1, iterations: 300 },
      };
      const local = repairNow(task, { ...policy, fallback: null });
      const { schedule, phase, neighbourhood } = await lcrp.repair(task, policy, { seed: 1 });
      expect(validate(task.instance, schedule).violations).toEqual([]);
      const unit = local.compensated?.makespan ?? 0;
      const cost = repairCost(task, schedule, policy, unit);
      expect(cost).toBeLessThanOrEqual(repairCost(task, local.schedule, policy, unit));
      if (phase !== 'recompute') return;
      recomputed++;
      expect(neighbourhood).toBe(null);
      expect(cost).toBeLessThan(repairCost(task, local.schedule, policy, unit));
    }),
    { numRuns: 60 },
  );
  expect(recomputed).toBeGreaterThan(0);
});

test('changed places are counted among what is free and planned', () => {
  fc.assert(
    fc.property(arbitraryTask, (task) => {
      const compensated = repairNow(task, {
        ...defaultPolicy,
        budget: { rounds: 0, evaluations: 1, seconds: null },
      });
      expect(changedPlaces(task, compensated.schedule)).toBe(0);
      expect(plannedTimes(task).length).toBe(task.instance.operations);
    }),
    { numRuns: 50 },
  );
});
