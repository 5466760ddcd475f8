import { expect, test, vi } from 'vitest';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { compensate } from '../../../src/lcrp/phases/compensate.js';
import { recomputeWithinLimits } from '../../../src/lcrp/phases/fallback.js';
import { grow } from '../../../src/lcrp/phases/growth.js';
import type * as reorder from '../../../src/lcrp/phases/reorder.js';
import { updateStatus } from '../../../src/lcrp/phases/status.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';

const closed = vi.hoisted(() => ({ count: 0 }));

vi.mock('../../../src/lcrp/phases/reorder.js', () => ({
  openReordering: (): reorder.Reordering => ({
    cost: Number.POSITIVE_INFINITY,
    evaluations: 0,
    improve: () => {
      throw new Error('the kernel fails');
    },
    schedule: () => {
      throw new Error('there is none');
    },
    close: () => {
      closed.count++;
    },
  }),
}));

test('a search that throws gives its kernel back', () => {
  const shop = instanceFromJobs('shop', [[[0, 3]], [[0, 4]], [[0, 5]]]);
  const schedule = createSchedule(shop, Int32Array.of(0, 3, 7));
  const breakdown = { kind: 'breakdown', machine: 0, from: 1, to: 9, resumable: false } as const;
  const { task } = updateStatus({ schedule, events: [breakdown], now: 1 });
  const compensated = compensate(task);
  const values = { planned: schedule.makespan, value: compensated.makespan };
  const context = { seed: 1 };
  expect(() => grow(task, compensated, policy({ objective: 'makespan' }), values, context)).toThrow(
    'the kernel fails',
  );
  expect(closed.count).toBe(1);
  expect(() =>
    recomputeWithinLimits(task, compensated, policy({ objective: 'makespan' }), 10, context),
  ).toThrow('the kernel fails');
  expect(closed.count).toBe(2);
});
