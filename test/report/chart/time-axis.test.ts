import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clockOf } from '../../../src/jssp/shop-clock.js';
import { axisMarks } from '../../../src/report/chart/time-axis.js';

const scaleIn = (zone: string, epoch: string) => ({ epoch, unit: 60, zone });

test('marks without a clock are round numbers', () => {
  expect(axisMarks(0, 100, 5, null).map(({ label }) => label)).toEqual([
    ...['0', '20', '40', '60', '80', '100'],
  ]);
});

test('marks on a clock are full hours of its zone, and days where one begins', () => {
  const scale = scaleIn('Europe/Berlin', '2026-11-23T06:00:00+01:00');
  const labels = axisMarks(0, 24 * 60, 8, scale).map(({ label }) => label);
  expect(labels).toEqual([
    ...['06:00', '09:00', '12:00', '15:00', '18:00', '21:00', 'Tue 24 Nov', '03:00', '06:00'],
  ]);
});

test('marks rise and keep to full hours, also when clocks are changed and where offsets are odd', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom('2026-03-07T00:00:00Z', '2026-03-28T00:00:00Z', '2026-10-24T00:00:00Z'),
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 10, max: 20_000 }),
      (zone, epoch, from, span) => {
        const scale = scaleIn(zone, epoch);
        const marks = axisMarks(from, from + span, 10, scale);
        expect(marks.length).toBeLessThan(14);
        marks.forEach(({ time, label }, i) => {
          if (i > 0) expect(time).toBeGreaterThan(marks[i - 1].time);
          expect(time).toBeGreaterThanOrEqual(from);
          expect(time).toBeLessThanOrEqual(from + span);
          const whole = clockOf(scale).time(time);
          expect(whole.startsWith(label) || whole.endsWith(label)).toBe(true);
        });
      },
    ),
    { numRuns: 300 },
  );
});
