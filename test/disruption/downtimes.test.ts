import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDowntime, endDowntime, replaceDowntimes } from '../../src/disruption/downtimes.js';
import { type Downtime, downtimesOf } from '../../src/jssp/calendar.js';
import { createInstance } from '../../src/jssp/instance.js';
import { arbitraryCalendar } from '../arbitraries.js';

const down = (from: number, to: number, resumable: boolean): Downtime => ({ from, to, resumable });
const added = fc
  .tuple(fc.nat(60), fc.integer({ min: 1, max: 30 }), fc.boolean())
  .map(([from, length, resumable]) => down(from, from + length, resumable));

/** What a machine does at a time: 0 works, 1 is down, 2 is down and loses what it was doing. */
const stateAt = (downtimes: readonly Downtime[], time: number): number => {
  const at = downtimes.filter(({ from, to }) => from <= time && time < to);
  return Math.max(0, ...at.map(({ resumable }) => (resumable ? 1 : 2)));
};

test('at every time a machine is down as the stricter of its downtimes says', () => {
  fc.assert(
    fc.property(arbitraryCalendar(1), added, (calendar, extra) => {
      const before = downtimesOf(calendar, 0);
      const after = addDowntime(before, extra);
      for (let time = 0; time < 120; time++) {
        expect(stateAt(after, time)).toBe(Math.max(stateAt(before, time), stateAt([extra], time)));
      }
      // Sorted and apart, as instances want it.
      expect(() =>
        createInstance({
          name: 'x',
          machines: 1,
          jobOffset: Int32Array.of(0, 0),
          machine: new Int32Array(0),
          duration: new Int32Array(0),
          calendar: replaceDowntimes(calendar, 1, 0, after),
        }),
      ).not.toThrow();
    }),
    { numRuns: 500 },
  );
});

test('downtimes that only touch stay apart, overlapping ones of a kind become one', () => {
  expect(addDowntime([down(5, 9, true)], down(9, 12, true))).toEqual([
    down(5, 9, true),
    down(9, 12, true),
  ]);
  expect(addDowntime([down(5, 9, true)], down(8, 12, true))).toEqual([down(5, 12, true)]);
  expect(addDowntime([down(5, 20, true)], down(8, 12, false))).toEqual([
    down(5, 8, true),
    down(8, 12, false),
    down(12, 20, true),
  ]);
});

test('a downtime ends early; one that has just begun goes away; one must be there', () => {
  const downtimes = [down(5, 9, true), down(12, 20, false)];
  expect(endDowntime(downtimes, 14)).toEqual([down(5, 9, true), down(12, 14, false)]);
  expect(endDowntime(downtimes, 5)).toEqual([down(12, 20, false)]);
  expect(endDowntime(downtimes, 9)).toBeUndefined();
});

test('replacing the downtimes of a machine leaves those of the others', () => {
  fc.assert(
    fc.property(arbitraryCalendar(3), added, (calendar, extra) => {
      const after = replaceDowntimes(calendar, 3, 1, [extra]);
      expect(downtimesOf(after, 0)).toEqual(downtimesOf(calendar, 0));
      expect(downtimesOf(after, 1)).toEqual([extra]);
      expect(downtimesOf(after, 2)).toEqual(downtimesOf(calendar, 2));
      expect(replaceDowntimes(after, 3, 1, downtimesOf(calendar, 1))).toEqual(calendar);
    }),
  );
});
