import { expect, test } from 'vitest';
import type { EventInput } from '../../../src/disruption/index.js';
import { instanceFromJson } from '../../../src/jssp/formats/instance-json.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { repair } from '../../../src/lcrp/engine.js';

const away = (from: number, to: number): EventInput => ({
  kind: 'capacity',
  resource: 0,
  from,
  to,
});

/** Ana does one operation at a time, of four jobs that have a machine each; the last ones are due at 20. */
function benches(durations: readonly number[]) {
  const machines = durations.map((_, i) => `Bench ${i + 1}`);
  const jobs = durations.map((duration, i) => ({
    ...(i < 2 ? {} : { due: 20 }),
    operations: [{ machine: machines[i], duration, needs: { Ana: 1 } }],
  }));
  const schema = 'alas-jssp/instance@2';
  const file = { schema, machines, resources: [{ name: 'Ana' }], jobs };
  return instanceFromJson(file, { name: 'benches' });
}

test('an operation takes the operator before another one that is on another machine and can wait', async () => {
  const instance = benches([5, 5, 5]);
  const plan = createSchedule(instance, Int32Array.of(0, 5, 10));
  const { schedule } = await repair({ schedule: plan, events: [away(0, 10)], now: 0 });
  expect(schedule.start[2]).toBeLessThanOrEqual(15);
});

test('work behind the end of a shift is traced to the operations that used the shift up', async () => {
  const instance = benches([7, 7, 4]);
  const plan = createSchedule(instance, Int32Array.of(0, 7, 14));
  // Ana is away for the first 4, and again from 20 to 100.
  const events = [away(0, 4), away(20, 100)];
  const { schedule } = await repair({ schedule: plan, events, now: 0 });
  expect(schedule.end[2]).toBeLessThanOrEqual(20);
});
