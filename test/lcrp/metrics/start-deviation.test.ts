import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchUpTime, startDeviation } from '../../../src/lcrp/metrics/start-deviation.js';
import type { Times } from '../../../src/lcrp/task.js';

const times = (...pairs: [number, number][]): Times => ({
  start: Int32Array.from(pairs, ([start]) => start),
  end: Int32Array.from(pairs, ([, end]) => end),
});

test('sums, averages and counts moves, forth and back', () => {
  const before = times([0, 4], [4, 6], [10, 12], [-1, -1], [7, 9]);
  const after = times([0, 4], [7, 9], [8, 10], [3, 4], [-1, -1]);
  expect(startDeviation(before, after, () => true)).toEqual({
    compared: 3,
    changed: Int32Array.of(1, 2),
    shift_total: 5,
    shift_mean: 5 / 3,
    shift_max: 3,
    wip_moves: 1,
    wip_units: 2,
  });
  expect(startDeviation(before, after, (op) => op === 0)).toMatchObject({
    compared: 1,
    shift_total: 0,
  });
  expect(startDeviation(before, after, () => false)).toMatchObject({ compared: 0, shift_mean: 0 });
});

const moments = fc
  .array(
    fc
      .tuple(
        fc.integer({ min: -1, max: 15 }),
        fc.nat(6),
        fc.integer({ min: 0, max: 15 }),
        fc.nat(6),
      )
      .map(([a, d, b, e]): [[number, number], [number, number]] => [
        a < 0 ? [-1, -1] : [a, a + d],
        [b, b + e],
      ]),
    { maxLength: 6 },
  )
  .map((pairs) => ({
    before: times(...pairs.map(([before]) => before)),
    after: times(...pairs.map(([, after]) => after)),
  }));

/** To come (0), running (1) or done (2) at a time; unplanned operations count as done. */
const stateAt = ({ start, end }: Times, op: number, time: number) =>
  start[op] < 0 || time >= end[op] ? 2 : time >= start[op] ? 1 : 0;

test('schedules match up one after the last time at which an operation is in another state', () => {
  fc.assert(
    fc.property(moments, ({ before, after }) => {
      let expected = 0;
      for (let op = 0; op < after.start.length; op++) {
        for (let time = 0; time < 30; time++) {
          if (stateAt(before, op, time) !== stateAt(after, op, time)) {
            expected = Math.max(expected, time + 1);
          }
        }
      }
      // What is new but takes no time is in no other state for any length of time.
      const isInstant = after.start.some(
        (start, op) => before.end[op] < 0 && start === after.end[op],
      );
      if (isInstant) expect(matchUpTime(before, after)).toBeGreaterThanOrEqual(expected);
      else expect(matchUpTime(before, after)).toBe(expected);
    }),
    { numRuns: 1000 },
  );
  expect(matchUpTime(times([0, 1]), times([-1, -1]))).toBeNull();
});
