import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { compensate } from '../../../src/lcrp/phases/compensate.js';
import { changedPlaces } from '../../../src/lcrp/phases/cost.js';
import { openReordering } from '../../../src/lcrp/phases/reorder.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import { validate } from '../../../src/validator/validate.js';
import { arbitraryTask, cases } from '../arbitrary-repair.js';

test('the cost that the search counts is that of the schedule: makespan and changed places', () => {
  let changed = 0;
  fc.assert(
    fc.property(arbitraryTask, fc.constantFrom(0, 0.01, 0.1), (task, rankChange) => {
      const compensated = compensate(task);
      const unit = compensated.makespan;
      const priced = policy({ objective: 'makespan', cost: { rankChange } });
      const reordering = openReordering(task, compensated, priced, unit, 1);
      const free = compensated.start
        .map((_, op) => op)
        .filter((op) => (task.instance.frozen?.[op] ?? -1) < 0);
      for (let pass = 0; pass < 2; pass++) reordering.improve(free, 100, () => false);
      const schedule = reordering.schedule();
      expect(validate(task.instance, schedule).violations).toEqual([]);
      const places = changedPlaces(task, schedule);
      changed += places;
      const frozenEnd = Math.max(
        0,
        ...[...schedule.end].filter((_, op) => (task.instance.frozen?.[op] ?? -1) >= 0),
      );
      // Nothing free can be done before what has started is: then the search sees less than that.
      if (schedule.makespan === frozenEnd) return;
      expect(reordering.cost).toBeCloseTo(schedule.makespan + rankChange * unit * places, 6);
    }),
    { numRuns: cases },
  );
  expect(changed).toBeGreaterThan(20);
});

test('realigned, as many starts as possible are the planned ones', () => {
  fc.assert(
    fc.property(arbitraryTask, (task) => {
      const compensated = compensate(task);
      const unit = compensated.makespan;
      const reordering = openReordering(
        task,
        compensated,
        policy({ objective: 'makespan' }),
        unit,
        1,
      );
      const { start, makespan } = reordering.schedule();
      // Not reordered and no better: the least right-shift, nothing earlier than planned.
      if (makespan !== compensated.makespan) return;
      start.forEach((time, op) => {
        if (task.planned[op] >= 0) expect(time).toBe(compensated.start[op]);
      });
    }),
    { numRuns: 100 },
  );
});

test('swapping back looks at the time at most as often as its limit on timed operations allows', () => {
  const jobs = Array.from({ length: 20_000 }, (_, job) => [[job % 5, 1] as const]);
  const instance = instanceFromJobs('many', jobs);
  const planned = createSchedule(
    instance,
    Int32Array.from(jobs, (_, job) => Math.floor(job / 5)),
  );
  const reversed = createSchedule(
    instance,
    planned.start.map((time) => planned.makespan - 1 - time),
  );
  const task = { instance, planned: planned.start, now: 0, affected: new Int32Array() };
  const rules = policy({ objective: 'makespan' });
  const reordering = openReordering(task, planned, rules, planned.makespan, 1, { from: reversed });
  let looks = 0;
  const isOver = () => {
    looks++;
    return false;
  };
  reordering.improve(
    planned.start.map((_, op) => op),
    0,
    isOver,
  );
  reordering.close();
  expect(looks).toBeGreaterThan(0);
  // One swap between two looks: 5,000 of 20,000 operations each.
  expect(looks).toBeLessThanOrEqual(100_000_000 / instance.operations);
});
