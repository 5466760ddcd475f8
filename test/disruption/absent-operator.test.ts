import { expect, test } from 'vitest';
import { applyEvents, type EventInput } from '../../src/disruption/index.js';
import { instanceFromJson } from '../../src/jssp/formats/instance-json.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { repair } from '../../src/lcrp/engine.js';

/** Ana turns A for 20, and then B for 5. */
const instance = instanceFromJson(
  {
    schema: 'alas-jssp/instance@2',
    machines: ['Lathe'],
    resources: [{ name: 'Ana' }],
    jobs: [
      { operations: [{ machine: 'Lathe', duration: 20, needs: { Ana: 1 } }] },
      { operations: [{ machine: 'Lathe', duration: 5, needs: { Ana: 1 } }] },
    ],
  },
  { name: 'lathe' },
);
const plan = createSchedule(instance, Int32Array.of(0, 20));
const absence: EventInput = { kind: 'capacity', resource: 0, from: 10, to: 30 };

test('work that an absence interrupts is lost, unless its machine is reported to be down meanwhile', async () => {
  expect([...applyEvents(plan, [absence], 10).lost]).toEqual([0]);
  const alone = await repair({ schedule: plan, events: [absence], now: 10 });
  expect(alone.schedule.makespan).toBe(30 + 20 + 5);

  const down: EventInput = { kind: 'breakdown', machine: 0, from: 10, to: 30 };
  const events = [down, absence];
  expect([...applyEvents(plan, events, 10).lost]).toEqual([]);
  const { schedule } = await repair({ schedule: plan, events, now: 10 });
  expect([...schedule.start]).toEqual([0, 40]);
  expect([...schedule.end]).toEqual([40, 45]);
});
