import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvents } from '../../../src/disruption/events-json.js';
import { readInstance } from '../../../src/jssp/formats/read-instance.js';
import { readPlan } from '../../../src/jssp/formats/read-plan.js';
import { isFree } from '../../../src/jssp/instance.js';
import { objectives, objectiveValue } from '../../../src/jssp/objectives.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { lcrp } from '../../../src/lcrp/lcrp.js';
import { compensate } from '../../../src/lcrp/phases/compensate.js';
import { repairCost } from '../../../src/lcrp/phases/cost.js';
import { openReordering } from '../../../src/lcrp/phases/reorder.js';
import { updateStatus } from '../../../src/lcrp/phases/status.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import type { RepairTask } from '../../../src/lcrp/task.js';
import { arbitraryTask, cases } from '../arbitrary-repair.js';
import { countOrders, enumerateCosts } from '../enumerated-cost.js';

test('the cost that the search counts is that of the schedule: objective, places and early starts', () => {
  let early = 0;
  fc.assert(
    fc.property(
      arbitraryTask,
      fc.constantFrom(...objectives),
      fc.constantFrom(0, 0.01),
      fc.constantFrom(0.003, 0.03, 0.2),
      (task, objective, rankChange, movedEarlier) => {
        const compensated = compensate(task);
        const unit = objectiveValue(compensated, objective);
        const priced = policy({ objective, cost: { rankChange, movedEarlier } });
        const reordering = openReordering(task, compensated, priced, unit, 1);
        const free = compensated.start.map((_, op) => op).filter((op) => isFree(task.instance, op));
        for (let pass = 0; pass < 2; pass++) reordering.improve(free, 100, () => false);
        const schedule = reordering.schedule();
        const cost = repairCost(task, schedule, priced, unit);
        reordering.close();
        if (cost === Number.POSITIVE_INFINITY) return;
        expect(reordering.cost).toBeCloseTo(cost, 6);
        if (schedule.start.some((time, op) => time < task.planned[op])) early++;
      },
    ),
    { numRuns: cases },
  );
  expect(early).toBeGreaterThan(10);
});

test('on tiny shops hardly any order costs less than what reordering finds, by enumeration', () => {
  const seen = { tasks: 0, least: 0 };
  const arbitraryPrice = fc.constantFrom(0.005, 0.03, 0.2);
  fc.assert(
    fc.property(arbitraryTask, arbitraryPrice, (task, movedEarlier) => {
      if (task.instance.deadline !== null || countOrders(task) > 2000) return;
      const compensated = compensate(task);
      const unit = compensated.makespan;
      const priced = policy({ objective: 'makespan', cost: { rankChange: 0, movedEarlier } });
      const { least } = enumerateCosts(task, compensated, priced);
      const reordering = openReordering(task, compensated, priced, unit, 1);
      const free = compensated.start.map((_, op) => op).filter((op) => isFree(task.instance, op));
      for (let pass = 0; pass < 3; pass++) reordering.improve(free, 1000, () => false);
      const cost = repairCost(task, reordering.schedule(), priced, unit);
      reordering.close();
      expect(cost).toBeGreaterThan(least - 1e-6);
      if (unit > least) seen.tasks++;
      if (unit > least && cost < least + 1e-6) seen.least++;
    }),
    { numRuns: 4 * cases },
  );
  expect(seen.tasks).toBeGreaterThan(50);
  expect(seen.least / seen.tasks).toBeGreaterThan(0.9);
}, 120_000);

/** The shop of the walk through docs/design/lcrp.md, when its machine has broken down. */
function exampleTask(): RepairTask {
  const file = (name: string) =>
    fileURLToPath(new URL(`../../../examples/five-by-three/${name}`, import.meta.url));
  const instance = readInstance(file('shop.json'));
  const start = new Int32Array(instance.operations).fill(-1);
  for (const { job, step, start: time } of readPlan(file('plan.json'), instance).plan.entries) {
    start[instance.jobOffset[job] + step] = time;
  }
  const { events } = readEvents(file('events.json'));
  return updateStatus({ schedule: createSchedule(instance, start), events, now: 4 }).task;
}

test('with a price on early starts, the example is repaired to the least cost that enumeration finds', () => {
  const task = exampleTask();
  const compensated = compensate(task);
  expect(compensated.makespan).toBe(44);
  for (const movedEarlier of [0.005, 0.02, 0.05, 0.2]) {
    const priced = policy({ objective: 'makespan', cost: { rankChange: 0, movedEarlier } });
    const { least, leastWithoutEarly } = enumerateCosts(task, compensated, priced);
    expect(leastWithoutEarly).toBe(38);
    const repaired = lcrp.repair(task, priced, { seed: 1 });
    if (repaired instanceof Promise) throw new Error('a promise without a fallback');
    const cost = repairCost(task, repaired.schedule, priced, compensated.makespan);
    expect(cost).toBeCloseTo(least, 6);
  }
}, 60_000);
