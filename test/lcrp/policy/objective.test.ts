import { describe, expect, it } from 'vitest';
import { generateRandom } from '../../../src/jssp/generator.js';
import { createInstance, replaceInstance } from '../../../src/jssp/instance.js';
import { totalWeightedTardiness } from '../../../src/jssp/objectives.js';
import { createSchedule, type Schedule } from '../../../src/jssp/schedule.js';
import { findMethod } from '../../../src/lcrp/baselines/find-method.js';
import { postpone } from '../../../src/lcrp/baselines/postpone.js';
import {
  createRepairEngine,
  lcrp,
  measureRepair,
  policy,
  type RepairResult,
  repair,
} from '../../../src/lcrp/index.js';
import { withObjective } from '../../../src/lcrp/policy/policy.js';
import { dispatchBest } from '../../../src/search/construct/dispatch.js';
import { optimize } from '../../../src/search/optimize.js';
import { createHeuristicPlanner } from '../../../src/search/planners.js';

const jobs = 25;
const plain = generateRandom({ jobs, machines: 5, seed: 7 });

/** The shop with due dates that a schedule of it meets, some units after the end of each job. */
function shopWithDueDates(slack: number): Schedule {
  const { schedule } = dispatchBest(plain, 1);
  const due = Int32Array.from({ length: jobs }, (_, job) => {
    return schedule.end[plain.jobOffset[job + 1] - 1] + slack;
  });
  return dispatchBest(replaceInstance(plain, { due }), 1).schedule;
}

const rush = {
  ...({ kind: 'arrival', at: 40 } as const),
  job: {
    name: 'RUSH',
    due: 140,
    weight: 5,
    operations: [0, 1, 2, 3, 4].map((machine) => ({ machine, duration: 15 })),
  },
};

describe('where jobs have due dates', () => {
  it('a rush order is rushed, whatever the makespan does', async () => {
    const schedule = shopWithDueDates(300);
    expect(totalWeightedTardiness(schedule)).toBe(0);
    const shop = { schedule, events: [rush], now: 40 };
    const repaired = await repair(shop);
    expect(repaired.policy.objective).toBe('total-weighted-tardiness');
    const late = totalWeightedTardiness(repaired.schedule);
    const byMakespan = await repair(shop, { objective: 'makespan' });
    expect(byMakespan.policy.objective).toBe('makespan');
    expect(totalWeightedTardiness(byMakespan.schedule)).toBeGreaterThan(0);
    expect(late).toBeLessThan(totalWeightedTardiness(byMakespan.schedule));
  });

  it('policies, searches and rules aim at them unless they say otherwise', async () => {
    const { instance } = shopWithDueDates(0);
    const tardiness = 'total-weighted-tardiness';
    expect(withObjective(instance, policy()).objective).toBe(tardiness);
    expect(withObjective(instance, policy('high-stability'))).toEqual(
      policy('high-stability', { objective: tardiness }),
    );
    expect(withObjective(instance, policy({ objective: 'makespan' })).objective).toBe('makespan');
    expect(withObjective(plain, policy()).objective).toBe('makespan');
    const { value, schedule } = await optimize(instance, { budget: { iterations: 50 }, seed: 1 });
    expect(value).toBe(totalWeightedTardiness(schedule));
    const rules = await createHeuristicPlanner('dispatch:best')?.plan(instance, { seed: 1 });
    expect(rules).toEqual(dispatchBest(instance, 1, tardiness).schedule);
  });
});

describe('the makespan breaks ties of the tardiness', () => {
  it('a repair that leaves nothing late is the one which minimises the makespan', async () => {
    for (const slack of [600, 2000]) {
      const schedule = shopWithDueDates(slack);
      const easy = { ...rush, job: { ...rush.job, due: 2000 } };
      const breakdown = { kind: 'breakdown', machine: 1, from: 40, to: 170 } as const;
      for (const events of [[rush], [easy], [breakdown], [easy, breakdown]]) {
        const shop = { schedule, events, now: 40 };
        const byDue = await repair(shop);
        const byMakespan = await repair(shop, { objective: 'makespan' });
        if (totalWeightedTardiness(byMakespan.schedule) > 0) continue;
        expect(totalWeightedTardiness(byDue.schedule)).toBe(0);
        expect(byDue.schedule.makespan).toBeLessThanOrEqual(byMakespan.schedule.makespan);
        expect(measureRepair(byDue).edited_operations).toBeLessThanOrEqual(
          measureRepair(byMakespan).edited_operations,
        );
      }
    }
  });
});

it('a policy that states no objective takes that of the shop it repairs', async () => {
  const rules = policy('high-stability', { target: 0.9 });
  expect(rules.objective).toBeNull();
  const schedule = shopWithDueDates(300);
  const repaired = await repair({ schedule, events: [rush], now: 40 }, rules);
  expect(repaired.policy).toEqual(
    policy('high-stability', { target: 0.9, objective: 'total-weighted-tardiness' }),
  );
  expect(repaired.policy.cost.rankChange).toBe(0.0005);
  const { task } = repaired;
  const direct = await lcrp.repair(task, rules, { seed: 0 });
  expect(direct.schedule.start).toEqual(repaired.schedule.start);
  const withoutDates = dispatchBest(plain, 1).schedule;
  const other = await repair({ schedule: withoutDates, events: [], now: 0 }, rules);
  expect(other.policy.objective).toBe('makespan');
});

describe('a dense plan of 88 jobs on 10 machines, after a breakdown of two hours', () => {
  const dense = generateRandom({ jobs: 88, machines: 10, seed: 2 });
  const planned = dispatchBest(dense, 1, 'makespan').schedule;
  const due = Int32Array.from({ length: 88 }, (_, job) => {
    return Math.ceil(1.05 * planned.end[dense.jobOffset[job + 1] - 1]);
  });
  const schedule = createSchedule(replaceInstance(dense, { due }), planned.start);
  const events = [{ kind: 'breakdown', machine: 3, from: 300, to: 420 } as const];
  const shop = { schedule, events, now: 300 };

  it('moves few operations where few are enough to be as planned again', async () => {
    const shifted = await repair(shop, { budget: { passes: 0 } });
    const repaired = await repair(shop);
    expect(measureRepair(shifted).edited_operations).toBe(298);
    expect(measureRepair(repaired).edited_operations).toBeLessThan(100);
    expect(totalWeightedTardiness(repaired.schedule)).toBe(0);
    expect(repaired.schedule.makespan).toBe(planned.makespan);
  });
});

describe('a machine without idle time, whose jobs are due when they end but for four', () => {
  const durations = Array.from({ length: 40 }, (_, job) => 10 + (job % 3));
  const ends = durations.map((_, job) => durations.slice(0, job + 1).reduce((a, b) => a + b));
  const schedule = createSchedule(
    createInstance({
      ...{
        name: 'dense',
        machines: 1,
        jobOffset: Int32Array.from({ length: 41 }, (_, job) => job),
      },
      ...{ machine: new Int32Array(40), duration: Int32Array.from(durations) },
      due: Int32Array.from(ends, (end, job) => (job % 10 === 7 ? 600 : end)),
    }),
    Int32Array.from(ends, (end, job) => end - durations[job]),
  );
  const moved = ({ edits }: RepairResult) => edits.operation.length;

  it('a breakdown moves those that have time, and a repair is no tardier than that', async () => {
    const shop = {
      ...{ schedule, now: 5 },
      events: [{ kind: 'breakdown', machine: 0, from: 12, to: 30 } as const],
    };
    const few = await repair(shop, {}, { method: postpone });
    const late = totalWeightedTardiness(few.schedule);
    const shifted = await repair(shop, {}, { method: findMethod('affected') });
    expect(moved(few)).toBeLessThan(moved(shifted) / 2);
    expect(late).toBeLessThan(totalWeightedTardiness(shifted.schedule));
    expect(totalWeightedTardiness((await repair(shop)).schedule)).toBeLessThanOrEqual(late);
  });

  it('a rush order takes the place of one that has time, where few may move', async () => {
    const operations = [{ machine: 0, duration: 10 }];
    const job = { name: 'RUSH', due: 110, weight: 5, operations };
    const shop = { schedule, now: 5, events: [{ kind: 'arrival', at: 5, job } as const] };
    const few = await repair(shop, {}, { method: postpone });
    expect(totalWeightedTardiness(few.schedule)).toBe(0);
    expect(moved(few)).toBe(2);
    expect(totalWeightedTardiness((await repair(shop)).schedule)).toBe(0);
  });
});

it('the first due date that arrives in a shop without any makes the tardiness its objective', async () => {
  const schedule = dispatchBest(plain, 1).schedule;
  const engine = createRepairEngine(schedule);
  const none = await engine.handle([], 10);
  expect(none.policy.objective).toBe('makespan');
  const { policy: rules, schedule: rushed } = await engine.handle([rush], 40);
  expect(rules.objective).toBe('total-weighted-tardiness');
  expect(engine.policy.objective).toBeNull();
  const byMakespan = await repair({ schedule, events: [rush], now: 40 }, { objective: 'makespan' });
  expect(totalWeightedTardiness(rushed)).toBeLessThan(totalWeightedTardiness(byMakespan.schedule));
});
