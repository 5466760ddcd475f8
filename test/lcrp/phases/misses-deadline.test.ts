import { expect, test } from 'vitest';
import { parseInstance } from '../../../src/jssp/formats/read-instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { missesDeadline } from '../../../src/lcrp/phases/cost.js';

test('a deadline is missed by any step that ends after it, not only by the last one', () => {
  const operations = [
    { machine: 0, duration: 50 },
    { machine: 1, duration: 20, after: [] },
  ];
  const shop = {
    schema: 'alas-jssp/instance@2',
    name: 'graph',
    machines: 2,
    jobs: [{ deadline: 60, operations }],
  };
  const instance = parseInstance(JSON.stringify(shop), {});
  expect(missesDeadline(createSchedule(instance, Int32Array.of(10, 0)))).toBe(false);
  expect(missesDeadline(createSchedule(instance, Int32Array.of(11, 0)))).toBe(true);
});
