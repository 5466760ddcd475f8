import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLost, startedOperations, workedBy } from '../../src/disruption/progress.js';
import { completionTime } from '../../src/jssp/calendar.js';
import { createInstance, instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { arbitraryCalendar } from '../arbitraries.js';
import { messageOf } from '../jssp/formats/refusal.js';

const running = fc
  .tuple(arbitraryCalendar(1), fc.integer({ min: 1, max: 40 }), fc.nat(40))
  .map(([calendar, duration, start]) => ({
    instance: createInstance({
      name: 'one',
      machines: 1,
      jobOffset: Int32Array.of(0, 1),
      machine: Int32Array.of(0),
      duration: Int32Array.of(duration),
      calendar,
    }),
    start,
  }));

test('work continues at every time except in resumable downtimes', () => {
  fc.assert(
    fc.property(running, fc.nat(120), ({ instance, start }, time) => {
      const { calendar, duration } = instance;
      let worked = 0;
      for (let t = start; t < time; t++) {
        const i = calendar?.from.findIndex((from, k) => from <= t && t < calendar.to[k]) ?? -1;
        if (i < 0 || calendar?.resumable[i] === 0) worked++;
      }
      expect(workedBy(instance, 0, start, time)).toBe(worked);
      const end = completionTime(instance, 0, start);
      expect(worked >= duration[0]).toBe(time >= end);
    }),
    { numRuns: 500 },
  );
});

test('an operation is lost if a non-resumable downtime begins from now on while it runs', () => {
  fc.assert(
    fc.property(running, fc.nat(80), ({ instance, start }, now) => {
      const { calendar } = instance;
      const end = completionTime(instance, 0, start);
      const met = Array.from(calendar?.from ?? []).some(
        (from, i) =>
          calendar?.resumable[i] === 0 && from >= now && from < end && calendar.to[i] > start,
      );
      expect(isLost(instance, 0, start, now)).toBe(met);
    }),
    { numRuns: 500 },
  );
});

const two = instanceFromJobs('two', [
  [
    [0, 3],
    [1, 4],
  ],
]);

test('operations with a start before now have started, those with a start at now have not, frozen ones have', () => {
  const schedule = createSchedule(two, Int32Array.of(0, 3));
  expect(startedOperations(schedule, 0)).toEqual(Int32Array.of(-1, -1));
  expect(startedOperations(schedule, 3)).toEqual(Int32Array.of(0, -1));
  expect(startedOperations(schedule, 4)).toEqual(Int32Array.of(0, 3));
  const frozen = replaceInstance(two, { frozen: Int32Array.of(0, 3) });
  expect(startedOperations(createSchedule(frozen, Int32Array.of(0, 3)), 3)).toEqual(
    Int32Array.of(0, 3),
  );
});

test('clock and schedule must fit the instance in execution', () => {
  const frozen = replaceInstance(two, { frozen: Int32Array.of(5, -1) });
  const kept = createSchedule(frozen, Int32Array.of(5, 8));
  expect(messageOf(() => startedOperations(kept, 4))).toBe(
    'now is 4, but job 1, step 1 of two has started at 5; give 5 or later',
  );
  expect(messageOf(() => startedOperations(kept, 1.5))).toBe('now is 1.5; give 0 to 1073741823');
  const moved = createSchedule(frozen, Int32Array.of(6, 9));
  expect(messageOf(() => startedOperations(moved, 9))).toMatch('but it has started at 5; give a');
  const jumped = createSchedule(two, Int32Array.of(4, 0));
  expect(messageOf(() => startedOperations(jumped, 3))).toMatch(
    'before the step before it is done',
  );
});
