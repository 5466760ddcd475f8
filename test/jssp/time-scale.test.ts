import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createInstance, MAX_TIME } from '../../src/jssp/instance.js';
import { clockOf, type TimeScale } from '../../src/jssp/shop-clock.js';
import { createTimeScale, formatTime, parseTime } from '../../src/jssp/time-scale.js';
import { wordsOf } from '../../src/jssp/words.js';

const zone = 'Europe/Berlin';
const monday: TimeScale = { epoch: '2026-11-23T06:00:00+01:00', unit: 60, zone };
/** Summer begins on the 29th, at 02:00. */
const spring = createTimeScale({ epoch: '2026-03-28T06:00', unit: 60, zone });
/** Summer ends on the 25th, at 03:00. */
const autumn = createTimeScale({ epoch: '2026-10-24T06:00', unit: 60, zone });

const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC'];

const scales = fc.record({
  epoch: fc
    .date({ min: new Date('1975-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => `${date.toISOString().slice(0, 19)}Z`),
  unit: fc.constantFrom(1, 7, 60, 900, 3600, 86_400),
  zone: fc.constantFrom(...zones),
});

test('a time that is written is read as the same one, in every zone and unit', () => {
  fc.assert(
    fc.property(scales, fc.integer({ min: 0, max: 30_000_000 }), (scale, time) => {
      const text = formatTime(scale, time);
      expect(typeof text === 'string' ? parseTime(scale, text) : text).toBe(time);
    }),
  );
});

test('of two times in the hour that comes twice, each is written as itself', () => {
  const first = parseTime(autumn, '2026-10-25T02:30+02:00');
  expect(parseTime(autumn, '2026-10-25T02:30+01:00')).toBe(first + 60);
  for (let time = first - 90; time <= first + 90; time++) {
    expect(parseTime(autumn, String(formatTime(autumn, time)))).toBe(time);
  }
});

describe('a time without an offset', () => {
  it('is what clocks show in the zone of the scale', () => {
    expect(parseTime(monday, '2026-11-23T14:10')).toBe(490);
    expect(parseTime(monday, '2026-11-23 14:10:00')).toBe(490);
    expect(parseTime(monday, '2026-11-23T13:10Z')).toBe(490);
    expect(parseTime(monday, '2026-11-23T18:55:00+05:45[Asia/Kathmandu]')).toBe(490);
    expect(formatTime(monday, 490)).toBe('2026-11-23T14:10:00+01:00');
  });

  it('is later by the gap if clocks skip it, as `compatible` of Temporal has it', () => {
    const gap = parseTime(spring, '2026-03-29T02:30');
    expect(formatTime(spring, gap)).toBe('2026-03-29T03:30:00+02:00');
    expect(parseTime(spring, '2026-03-29T06:00')).toBe(23 * 60);
  });

  it('is the first of two if clocks show it twice', () => {
    const fold = parseTime(autumn, '2026-10-25T02:30');
    expect(formatTime(autumn, fold)).toBe('2026-10-25T02:30:00+02:00');
    expect(parseTime(autumn, '2026-10-25T06:00')).toBe(25 * 60);
  });
});

test.each([
  ['tomorrow', /is no time; give day and hour/],
  ['2026-11-23', /is no time/],
  ['2026-02-30T06:00', /is no time/],
  ['2026-11-23T25:00', /is no time/],
  ['2026-11-23T06:00+02:00[Europe/Berlin]', /is no time/],
  ['2026-11-23T05:59', /is before the epoch; give 2026-11-23T06:00:00\+01:00 or later/],
  [
    '2026-11-23T06:01:30',
    /is between two units of time; give 2026-11-23T06:01:00\+01:00 or 2.*:02:00/,
  ],
  ['2026-11-23T06:00:30.123456+01:00', /is between two units of time/],
  ['9999-01-01T00:00', /is too late; give 4068-/],
])('the time %j is refused with one line', (text, problem) => {
  expect(() => parseTime(monday, text)).toThrow(problem);
});

test.each([
  [{ ...monday, epoch: 'now' }, /the epoch is "now"; give a time with its offset/],
  [{ ...monday, epoch: '2026-11-23T06:00' }, /give a time with its offset/],
  [{ ...monday, unit: 0 }, /the unit of time is 0; give the seconds/],
  [{ ...monday, unit: 1.5 }, /the unit of time is 1.5/],
  [{ ...monday, zone: 'Europe/Entenhausen' }, /the time zone is "Europe\/Entenhausen"; give one/],
])('an instance with the scale %j is refused', (timeScale, problem) => {
  expect(() => oneOperation(timeScale)).toThrow(problem);
});

test('a scale made of the clock on the wall has an epoch with its offset', () => {
  expect(spring.epoch).toBe('2026-03-28T06:00:00+01:00');
  expect(() => createTimeScale({ epoch: 'now', unit: 60, zone })).toThrow('"now" is no time');
});

describe('words for people', () => {
  const words = wordsOf(oneOperation(monday));

  it('have the day, or the hour alone on the day of a time that is near', () => {
    expect(words.time(490)).toBe('Mon 23 Nov 14:10');
    expect(words.time(490, 0)).toBe('14:10');
    expect(words.time(490 + 1440, 0)).toBe('Tue 24 Nov 14:10');
    expect(words.time(44 * 1440)).toBe('Wed 6 Jan 2027 06:00');
    expect(clockOf({ ...monday, unit: 1 }).time(5)).toBe('Mon 23 Nov 06:00:05');
  });

  it('are those of Intl', () => {
    const text = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, hourCycle: 'h23', weekday: 'short', month: 'short', day: 'numeric' },
      ...{ year: 'numeric', hour: '2-digit', minute: '2-digit' },
    });
    const { time } = clockOf(monday);
    fc.assert(
      fc.property(fc.nat(5_000_000), (minute) => {
        const moment = Date.parse(monday.epoch) + minute * 60_000;
        const parts = text.formatToParts(moment).map(({ type, value }) => [type, value]);
        const { weekday, day, month, year, hour, minute: min } = Object.fromEntries(parts);
        const inYear = year === '2026' ? '' : ` ${year}`;
        expect(time(minute).replace(/ [+-]\d\d:\d\d$/, '')).toBe(
          `${weekday} ${day} ${month}${inYear} ${hour}:${min}`,
        );
      }),
    );
  });

  it('distinguish the two hours that clocks show alike', () => {
    const { time } = clockOf(autumn);
    const first = parseTime(autumn, '2026-10-25T02:30');
    expect([time(first), time(first + 60)]).toEqual([
      'Sun 25 Oct 02:30 +02:00',
      'Sun 25 Oct 02:30 +01:00',
    ]);
    expect([time(first - 60), time(first + 120)]).toEqual(['Sun 25 Oct 01:30', 'Sun 25 Oct 03:30']);
  });

  it('count days, hours and minutes', () => {
    expect([0, 12, 60, 90, 1500, 4560].map(words.duration)).toEqual([
      '0 min',
      '12 min',
      '1 h',
      '1 h 30 min',
      '25 h',
      '3 d 4 h',
    ]);
  });

  it('are numbers where there is no clock, or no year any more', () => {
    expect(wordsOf(oneOperation(null)).time(490)).toBe('490');
    expect(clockOf({ ...monday, unit: 86_400 }).time(MAX_TIME)).toBe(String(MAX_TIME));
    expect(formatTime({ ...monday, unit: 86_400 }, MAX_TIME)).toBe(MAX_TIME);
  });
});

function oneOperation(timeScale: TimeScale | null) {
  return createInstance({
    name: 'one',
    machines: 1,
    jobOffset: Int32Array.of(0, 1),
    machine: Int32Array.of(0),
    duration: Int32Array.of(5),
    timeScale,
  });
}
