import { expect, it } from 'vitest';
import { createInstance } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { repair } from '../../../src/lcrp/index.js';

it('keeps a deadline that dispatching keeps, where the objective has nothing to win', async () => {
  const instance = createInstance({
    name: 'two-jobs',
    machines: 1,
    jobOffset: Int32Array.of(0, 1, 2),
    machine: Int32Array.of(0, 0),
    duration: Int32Array.of(10, 11),
    deadline: Int32Array.of(-1, 22),
  });
  const schedule = createSchedule(instance, Int32Array.of(0, 10));
  const down = { kind: 'breakdown', machine: 0, from: 0, to: 5 } as const;
  const objective = 'total-weighted-tardiness';
  const repaired = await repair({ schedule, events: [down], now: 0 }, { objective });
  expect([...repaired.schedule.start]).toEqual([16, 5]);
});
