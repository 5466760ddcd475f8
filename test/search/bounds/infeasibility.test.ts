import { describe, expect, it } from 'vitest';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { refuseInfeasible } from '../../../src/search/bounds/infeasibility.js';
import { isFeasible } from '../../../src/validator/index.js';

const shop = instanceFromJobs('shop', [
  [
    [0, 3],
    [1, 2],
  ],
  [[1, 4]],
  [],
]);

describe('an instance without a feasible schedule', () => {
  const impossible = {
    'a frozen start before its job is that far': {
      changes: { frozen: Int32Array.of(2, 4, -1) },
      reason: 'job 1, step 2 is frozen at 4, but its job is not that far before 5',
    },
    'a pinned start that comes too early': {
      changes: { frozen: Int32Array.of(-1, 2, -1) },
      reason: 'job 1, step 2 is frozen at 2, but its job is not that far before 3',
    },
    'two frozen operations at once on a machine': {
      changes: { frozen: Int32Array.of(-1, 9, 6) },
      reason: 'job 2, step 1 and job 1, step 2 are frozen at 6 and 9 on machine 1 and overlap',
    },
    'a deadline that the job alone misses': {
      changes: { deadline: Int32Array.of(4, -1, -1) },
      reason: 'job 1 has the deadline 4, but is not done before 5',
    },
  };

  it.each(Object.entries(impossible))('is refused: %s', (_, { changes, reason }) => {
    const given = replaceInstance(shop, changes);
    const schedule = createSchedule(given, Int32Array.of(0, 9, 9));
    expect(isFeasible(given, schedule.start)).toBe(false);
    expect(() => refuseInfeasible(given)).toThrow(
      expect.objectContaining({
        code: 'no_feasible_schedule',
        message: `no schedule of shop is feasible: ${reason}`,
      }),
    );
  });
});
