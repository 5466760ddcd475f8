import { expect, it } from 'vitest';
import { createCalendar } from '../../src/jssp/calendar.js';
import { instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import { createTimeScale } from '../../src/jssp/time-scale.js';
import { validate } from '../../src/validator/index.js';

const shop = replaceInstance(
  instanceFromJobs('hall', [
    [
      [0, 30],
      [1, 20],
      [0, 10],
    ],
    [[0, 40]],
  ]),
  {
    names: {
      jobs: ['WO-4711', 'WO-4712'],
      machines: ['Lathe 2', 'Mill'],
      operations: ['turning', '', 'turning', 'turning'],
    },
    timeScale: createTimeScale({ epoch: '2026-11-23T06:00', unit: 60, zone: 'Europe/Berlin' }),
    calendar: createCalendar(2, [{ machine: 1, from: 200, to: 240, resumable: false }]),
  },
);
const entry = (job: number, step: number, machine: number, start: number, end: number) => ({
  ...{ job, step, machine, start, end },
});

it('describes violations with the names and the clock of the shop', () => {
  const { violations } = validate(shop, {
    entries: [
      entry(0, 0, 0, 0, 30),
      entry(0, 1, 1, 190, 210),
      entry(0, 2, 0, 200, 205),
      entry(1, 0, 0, 20, 60),
      entry(1, 0, 0, 90, 130),
    ],
  });
  expect(violations.map(({ code, message }) => `${code}: ${message}`).sort()).toEqual([
    'downtime: WO-4711, step 2 runs from Mon 23 Nov 09:10 to Mon 23 Nov 09:30, into the downtime from Mon 23 Nov 09:20 to Mon 23 Nov 10:00 of Mill',
    'duplicate_operation: WO-4712, turning is in the plan again, at Mon 23 Nov 07:30',
    'job_precedence: WO-4711, turning (2) on Lathe 2 starts at Mon 23 Nov 09:20, before WO-4711, step 2 ends at Mon 23 Nov 09:30',
    'machine_overlap: WO-4712, turning starts on Lathe 2 at Mon 23 Nov 06:20, before WO-4711, turning (1) leaves it at Mon 23 Nov 06:30',
    'wrong_duration: WO-4711, turning (2) starts at Mon 23 Nov 09:20 and is said to end at Mon 23 Nov 09:25, but its duration of 10 min ends at Mon 23 Nov 09:30',
  ]);
});

it('describes warnings with them, too', () => {
  const { warnings } = validate(shop, {
    entries: [
      entry(0, 0, 0, 60, 90),
      entry(0, 1, 1, 90, 110),
      entry(0, 2, 0, 110, 120),
      entry(1, 0, 0, 120, 160),
    ],
  });
  expect(warnings.map(({ message }) => message)).toEqual([
    'nothing starts before Mon 23 Nov 07:00, but work could start at Mon 23 Nov 06:00',
  ]);
});
