import { expect, test } from 'vitest';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { lcrp } from '../../../src/lcrp/lcrp.js';
import { aimOf } from '../../../src/lcrp/phases/aim.js';
import { compensate } from '../../../src/lcrp/phases/compensate.js';
import { updateStatus } from '../../../src/lcrp/phases/status.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';

/** Two machines; both jobs take the first and then the second, 10 each. */
const shop = instanceFromJobs('two', [
  [
    [0, 10],
    [1, 10],
  ],
  [
    [0, 10],
    [1, 10],
  ],
]);
const plan = createSchedule(shop, Int32Array.from([0, 10, 10, 20]));

/** A job of one long operation on the second machine, which compensation puts last. */
const rush = {
  kind: 'arrival',
  job: { operations: [{ machine: 1, duration: 15 }], due: 20, weight: 50 },
} as const;

test('the aim is the promise of the plan if everything was planned', () => {
  const breakdown = { kind: 'breakdown', machine: 0, from: 5, to: 9 } as const;
  const { task } = updateStatus({ schedule: plan, events: [breakdown], now: 5 });
  expect(compensate(task).makespan).toBe(34);
  expect(aimOf(task, 'makespan')).toBe(30);
});

test('new work was promised nothing: the aim is a lower bound of what it takes, not what compensation makes of it', () => {
  const { task } = updateStatus({ schedule: plan, events: [rush], now: 1 });
  expect(compensate(task).makespan).toBe(45);
  // The second machine has 35 to do, from 1 on.
  expect(aimOf(task, 'makespan')).toBe(36);
  expect(lcrp.repair(task, policy(), { seed: 1 })).toMatchObject({ phase: 'reordering' });
});

test('a rush job of great weight is not left behind', async () => {
  const schedule = createSchedule(
    replaceInstance(shop, { due: Int32Array.from([20, 30]), weight: Int32Array.from([1, 1]) }),
    plan.start,
  );
  const { task } = updateStatus({ schedule, events: [rush], now: 1 });
  const objective = 'total-weighted-tardiness';
  expect(aimOf(task, objective)).toBe(0);
  const { schedule: repaired } = await lcrp.repair(task, policy({ objective }), { seed: 1 });
  expect(repaired.start[4]).toBe(1);
});
