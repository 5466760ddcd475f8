import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseCalendars } from '../../../src/jssp/shifts/calendar-file.js';
import { compileCalendars } from '../../../src/jssp/shifts/downtimes.js';
import { clockOf } from '../../../src/jssp/shop-clock.js';
import { createTimeScale } from '../../../src/jssp/time-scale.js';

const zone = 'Europe/Berlin';
const scaleFrom = (epoch: string) => createTimeScale({ epoch, unit: 60, zone });

/** When a machine works by a calendar, in words, from the epoch on for some days. */
function working(week: object, epoch: string, days = 1, rest: object = {}): string[] {
  const scale = scaleFrom(epoch);
  const calendars = parseCalendars({
    schema: 'alas-jssp/calendar@1',
    calendars: { ours: week },
    default: 'ours',
    ...rest,
  });
  const [{ working: spans }] = compileCalendars(calendars, ['Lathe'], scale, days * 1440);
  const { time } = clockOf(scale);
  return spans.map(({ from, to }) => `${time(from)} to ${time(to, from)}`);
}

describe('a weekly calendar', () => {
  const early = { days: ['Mon-Fri'], from: '06:00', to: '14:00' };

  it('has shifts on its days, joined where they meet, without their breaks', () => {
    const breaks = [{ from: '09:00', to: '09:15' }];
    const late = { days: ['Mon', 'wed'], from: '14:00', to: '22:00' };
    expect(working({ shifts: [{ ...early, breaks }, late] }, '2026-11-23T06:00', 2)).toEqual([
      'Mon 23 Nov 06:00 to 09:00',
      'Mon 23 Nov 09:15 to 22:00',
      'Tue 24 Nov 06:00 to 09:00',
      'Tue 24 Nov 09:15 to 14:00',
    ]);
  });

  it('has shifts that go over midnight, and their breaks on either side of it', () => {
    const breaks = [
      { from: '23:50', to: '00:10' },
      { from: '03:00', to: '03:30' },
    ];
    const night = { days: ['Sun-Mon'], from: '22:00', to: '06:00', breaks };
    expect(working({ shifts: [night] }, '2026-11-23T00:00')).toEqual([
      'Mon 23 Nov 00:10 to 03:00',
      'Mon 23 Nov 03:30 to 06:00',
      'Mon 23 Nov 22:00 to 23:50',
    ]);
  });

  it('continues after a break that lies in an overlapping shift', () => {
    const breaks = [{ from: '09:00', to: '09:30' }];
    const other = { days: ['Mon'], from: '08:00', to: '16:00', breaks: [] };
    expect(working({ shifts: [{ ...early, breaks }, other] }, '2026-11-23T00:00')).toEqual([
      'Mon 23 Nov 06:00 to 16:00',
    ]);
  });

  it('has no shift that begins on a holiday, but extra ones', () => {
    const night = { days: ['Mon-Sun'], from: '22:00', to: '06:00' };
    const week = {
      shifts: [night],
      holidays: ['2026-12-25', { from: '2026-12-26', to: '2026-12-27' }],
      extra: [{ date: '2026-12-27', from: '08:00', to: '10:00' }],
    };
    const holidays = { holidays: ['2026-12-28'] };
    expect(working(week, '2026-12-24T12:00', 6, holidays)).toEqual([
      'Thu 24 Dec 22:00 to Fri 25 Dec 06:00',
      'Sun 27 Dec 08:00 to 10:00',
      'Tue 29 Dec 22:00 to Wed 30 Dec 06:00',
    ]);
  });

  it('is an hour shorter in the night of spring, and longer in that of autumn', () => {
    const night = { shifts: [{ days: ['Mon-Sun'], from: '22:00', to: '06:00' }] };
    const lengths = (epoch: string) => {
      const scale = scaleFrom(epoch);
      const calendars = parseCalendars({
        schema: 'alas-jssp/calendar@1',
        calendars: { night },
        default: 'night',
      });
      const [{ working: spans }] = compileCalendars(calendars, ['Lathe'], scale, 3 * 1440);
      return spans.map(({ from, to }) => (to - from) / 60);
    };
    expect(lengths('2026-03-27T12:00')).toEqual([8, 7, 8]);
    expect(lengths('2026-10-23T12:00')).toEqual([8, 9, 8]);
  });

  it('takes hours that clocks skip or show twice as Temporal does', () => {
    const from = (hour: string, to: string) => ({
      shifts: [{ days: ['Sun'], from: hour, to }],
    });
    expect(working(from('02:30', '05:00'), '2026-03-28T12:00', 2)).toEqual([
      'Sun 29 Mar 03:30 to 05:00',
    ]);
    // All of it is skipped.
    expect(working(from('02:30', '03:15'), '2026-03-28T12:00', 2)).toEqual([]);
    expect(working(from('02:30', '05:00'), '2026-10-24T12:00', 2)).toEqual([
      'Sun 25 Oct 02:30 +02:00 to 05:00',
    ]);
  });
});

test('a machine works when the clock on the wall says so', () => {
  const minute = fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15);
  const text = (at: number) =>
    `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
  const shifts = fc.array(
    fc.record({ day: fc.nat(6), from: minute, to: minute }).filter(({ from, to }) => from !== to),
    { minLength: 1, maxLength: 4 },
  );
  const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  const scale = createTimeScale({ epoch: '2026-11-23T06:00', unit: 900, zone });
  const days = 10;
  fc.assert(
    fc.property(shifts, (list) => {
      const week = {
        shifts: list.map(({ day, from, to }) => ({
          days: [names[day]],
          from: text(from),
          to: text(to),
        })),
      };
      const calendars = parseCalendars({
        schema: 'alas-jssp/calendar@1',
        calendars: { week },
        machines: { Lathe: 'week' },
      });
      const [{ working: spans, downtimes }] = compileCalendars(
        calendars,
        ['Lathe'],
        scale,
        days * 96,
      );
      const times = Array.from({ length: days * 96 }, (_, time) => time);
      const within = (list: readonly { from: number; to: number }[]) =>
        times.filter((time) => list.some(({ from, to }) => from <= time && time < to));
      const expected = times.filter((time) => {
        // Monday at midnight is 24 quarters before the epoch.
        const quarter = time + 24;
        return list.some(({ day, from, to }) => {
          const length = (((to - from) / 15 + 96 - 1) % 96) + 1;
          return (quarter - (day * 96 + from / 15) + 14 * 96) % 672 < length;
        });
      });
      expect(within(spans)).toEqual(expected);
      expect(within(downtimes)).toEqual(times.filter((time) => !expected.includes(time)));
    }),
    { numRuns: 30 },
  );
});

describe('refused with the place is', () => {
  const read = (week: object, rest: object = {}) =>
    working(week, '2026-11-23T06:00', 1, { ...rest });
  const early = { days: ['Mon'], from: '06:00', to: '14:00' };

  it.each([
    [{ shifts: [{ ...early, days: ['Monday'] }] }, /days\[0\]: .* give days like/],
    [{ shifts: [{ ...early, from: '6:00' }] }, /from: this is "6:00"; give an hour like "06:00"/],
    [{ shifts: [{ ...early, to: '06:00' }] }, /shifts\[0\]: the shift ends when it begins/],
    [
      { shifts: [{ ...early, breaks: [{ from: '13:50', to: '14:10' }] }] },
      /the break from 13:50 to 14:10 is not within the shift from 06:00 to 14:00/,
    ],
    [{ shifts: [], holidays: ['2026-02-30'] }, /holidays\[0\]/],
    [{ shifts: [], groups: [] }, /the key "groups" is unknown/],
  ])('the calendar %j', (week, problem) => {
    expect(() => read(week)).toThrow(problem);
  });

  it('a calendar that there is not, or a machine without one', () => {
    const week = { shifts: [early] };
    expect(() => read(week, { default: 'our' })).toThrow(
      '$.default: there is no calendar "our"; did you mean ours?',
    );
    expect(() => read(week, { default: undefined, machines: { 'Lathe 2': 'ours' } })).toThrow(
      'the machine "Lathe" has no calendar; did you mean Lathe 2? Else name',
    );
  });

  it('a shift that ends between two units of time', () => {
    const scale = createTimeScale({ epoch: '2026-11-23T06:00', unit: 3600, zone });
    const calendars = parseCalendars({
      schema: 'alas-jssp/calendar@1',
      calendars: { ours: { shifts: [{ ...early, to: '14:30' }] } },
      default: 'ours',
    });
    expect(() => compileCalendars(calendars, ['Lathe'], scale, 24)).toThrow(
      /2026-11-23T14:30 is between two units of time; use a finer unit/,
    );
  });
});
