import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completionTime, createCalendar, earliestStart } from '../../../src/jssp/calendar.js';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { remainderOf } from '../../../src/lcrp/phases/remainder.js';

/** Two jobs on two machines; a machine that is down from 4 to 11, and again later. */
const shop = instanceFromJobs(
  'two',
  [
    [
      [0, 3],
      [1, 5],
    ],
    [
      [1, 4],
      [0, 6],
    ],
  ],
  2,
);

test('a downtime that has begun is a release, and a later one stays', () => {
  const calendar = createCalendar(2, [
    { machine: 0, from: 4, to: 11, resumable: true },
    { machine: 0, from: 11, to: 12, resumable: false },
    { machine: 0, from: 20, to: 30, resumable: true },
  ]);
  const release = Int32Array.of(4, 4, 4, 4);
  const { instance } = remainderOf(replaceInstance(shop, { calendar, release }));
  expect(Array.from(instance.release ?? [])).toEqual([12, 4, 4, 12]);
  expect(Array.from(instance.calendar?.from ?? [])).toEqual([20]);
});

test('without later downtimes there is no calendar', () => {
  const calendar = createCalendar(2, [{ machine: 1, from: 0, to: 9, resumable: false }]);
  const { instance } = remainderOf(replaceInstance(shop, { calendar }));
  expect(instance.calendar).toBeNull();
  expect(Array.from(instance.release ?? [])).toEqual([0, 9, 9, 0]);
});

const spans = fc.array(
  fc.record({
    machine: fc.nat(1),
    gap: fc.nat(6),
    length: fc.integer({ min: 1, max: 6 }),
    resumable: fc.boolean(),
  }),
  { maxLength: 8 },
);

test('operations start and end as with the calendar of the whole shop', () => {
  const releases = fc.array(fc.nat(12), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(spans, releases, fc.nat(30), (list, begin, from) => {
      const free = [0, 0];
      const downtimes = list.map(({ machine, gap, length, resumable }) => {
        const start = free[machine] + gap;
        free[machine] = start + length;
        return { machine, from: start, to: start + length, resumable };
      });
      const calendar = createCalendar(2, downtimes);
      const whole = replaceInstance(shop, { calendar, release: Int32Array.from(begin) });
      const { instance } = remainderOf(whole);
      for (let op = 0; op < 4; op++) {
        const start = earliestStart(whole, op, from);
        expect(earliestStart(instance, op, from)).toBe(start);
        expect(completionTime(instance, op, start)).toBe(completionTime(whole, op, start));
      }
    }),
  );
});
