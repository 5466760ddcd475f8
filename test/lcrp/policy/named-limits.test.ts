import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../packages/workflow/src/index.js';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { createRepairEngine, repair } from '../../../src/lcrp/engine.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import type { LimitChanges } from '../../../src/lcrp/policy/policy.js';
import { openShop } from '../../../src/pipeline/shop/index.js';

/** Two jobs, `10` and `WO-2`, each on `Lathe` and then on `Mill 1`; steps are called like numbers, and alike. */
const instance = replaceInstance(
  instanceFromJobs('named', [
    [
      [0, 10],
      [1, 10],
    ],
    [
      [0, 10],
      [1, 10],
    ],
  ]),
  {
    names: {
      jobs: ['10', 'WO-2'],
      machines: ['Lathe', 'Mill 1'],
      operations: ['turning', 'turning', 'turning', 'milling'],
    },
  },
);
const schedule = createSchedule(instance, Int32Array.of(0, 30, 10, 20));
const events = [{ kind: 'breakdown', machine: 'Lathe', from: 10, to: 18 }] as const;
const pin = (job: number | string, step: number | string): LimitChanges => ({
  pinned: [{ job, step }],
});

test.each([pin('10', 'turning (2)'), pin('Job1', 'turning (2)'), pin(0, 'Step2'), pin('10', 1)])(
  '%j keeps the second step of the first job at its start',
  async (limits) => {
    const { schedule: repaired } = await repair({ schedule, events, now: 5 }, { limits });
    expect(repaired.start[1]).toBe(30);
  },
);

test('engines and shops know the names of limits, and keep numbers', async () => {
  const limits = { ...pin('WO-2', 'milling'), untouchableMachines: ['Mill 1', 'Machine0'] };
  const counted = { pinned: [{ job: 1, step: 1 }], untouchableMachines: [1, 0] };
  const engine = createRepairEngine(schedule);
  engine.changePolicy({ limits });
  expect(engine.policy.limits).toMatchObject(counted);
  const store = createMemoryStore();
  const shop = await openShop({ store, schedule, policy: { limits } });
  await shop.report(events, { now: 5 });
  expect([...shop.schedule.start]).toEqual([0, 38, 18, 28]);
});

test.each<[LimitChanges, string]>([
  [
    pin('WO-3', 0),
    '$.policy.limits.pinned[0].job: this is "WO-3", which does not exist; did you mean WO-2?',
  ],
  [
    pin('11', 0),
    '$.policy.limits.pinned[0].job: this is "11", which does not exist; did you mean 10?',
  ],
  [
    pin('10', 'turning'),
    '$.policy.limits.pinned[0].step: this is "turning", of which there are 2; say which: turning (1), turning (2)',
  ],
  [pin(1, 'drilling'), '$.policy.limits.pinned[0].step: this is "drilling", which does not exist'],
  [pin(5, 'milling'), '$.policy.limits.pinned[0].job: this is 5, which does not exist'],
  [pin('Job9', 'milling'), '$.policy.limits.pinned[0].job: this is 8, which does not exist'],
  [
    { untouchableMachines: [0, 'Mill 2'] },
    '$.policy.limits.untouchableMachines[1]: this is "Mill 2", which does not exist; did you mean Mill 1?',
  ],
])('%j is refused by what it names', (limits, message) => {
  expect(() => createRepairEngine(schedule, { limits })).toThrow(message);
});

test('a policy without a shop knows no names, and says who does', () => {
  expect(() => policy({ limits: pin('WO-2', 0) })).toThrow(
    'give a job as a whole number from 0, or a name that the shop of the repair has',
  );
});
