import { describe, expect, it } from 'vitest';
import { instanceFromJobs, MAX_TIME } from '../../src/jssp/instance.js';
import { createSchedule, machineSequences } from '../../src/jssp/schedule.js';

const shop = instanceFromJobs('shop', [
  [
    [0, 3],
    [1, 2],
  ],
  [
    [0, 0],
    [1, 4],
  ],
]);

describe('createSchedule', () => {
  it('derives completion times and the makespan, and leaves gaps where nothing is scheduled', () => {
    const { end, makespan } = createSchedule(shop, Int32Array.of(1, -1, 4, 4));
    expect([...end]).toEqual([4, -1, 4, 8]);
    expect(makespan).toBe(8);
  });

  it('refuses start times of another number of operations', () => {
    expect(() => createSchedule(shop, Int32Array.of(1))).toThrow(
      '1 start times for 4 operations of shop',
    );
  });

  it('refuses start times beyond all time, whose completion times would not fit', () => {
    expect(createSchedule(shop, Int32Array.of(MAX_TIME, -1, -1, -1)).makespan).toBe(MAX_TIME + 3);
    expect(() => createSchedule(shop, Int32Array.of(0, MAX_TIME + 1, 0, 0))).toThrow(
      'job 1, step 2 of shop starts at 1073741824, but times go up to 1073741823',
    );
  });
});

describe('machineSequences', () => {
  it('orders each machine by start, then completion, then operation', () => {
    const schedule = createSchedule(shop, Int32Array.of(2, 5, 2, 0));
    expect([...machineSequences(schedule)]).toEqual([2, 0, 3, 1]);
  });
});
