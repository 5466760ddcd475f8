import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCalendar, listDowntimes } from '../../src/jssp/calendar.js';
import { arbitraryCalendar } from '../arbitraries.js';

test('a calendar is made of its downtimes again, in whatever order they come', () => {
  const calendars = arbitraryCalendar(4).filter((calendar) => calendar !== null);
  fc.assert(
    fc.property(calendars, fc.nat(), (calendar, turn) => {
      const downtimes = listDowntimes(calendar);
      expect(downtimes).toHaveLength(calendar.from.length);
      const turned = downtimes.map((_, i) => downtimes[(i + turn) % downtimes.length]);
      expect(createCalendar(4, turned)).toEqual(calendar);
      expect(createCalendar(4, turned.reverse())).toEqual(calendar);
    }),
  );
});

test('downtimes are listed machine by machine', () => {
  const calendar = createCalendar(3, [
    { machine: 2, from: 4, to: 6, resumable: true },
    { machine: 0, from: 7, to: 9, resumable: false },
    { machine: 0, from: 1, to: 3, resumable: true },
  ]);
  expect([...calendar.offset]).toEqual([0, 2, 2, 3]);
  expect(listDowntimes(calendar)).toEqual([
    { machine: 0, from: 1, to: 3, resumable: true },
    { machine: 0, from: 7, to: 9, resumable: false },
    { machine: 2, from: 4, to: 6, resumable: true },
  ]);
});
