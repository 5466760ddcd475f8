import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instanceFromJobs, MAX_TIME } from '../../src/jssp/instance.js';
import {
  isSchedule,
  operationAt,
  planFromSchedule,
  scheduleFromPlan,
} from '../../src/jssp/plan.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { semiActive } from '../../src/jssp/timing.js';
import { arbitraryInstanceAndSequences } from '../arbitraries.js';

const shop = instanceFromJobs('shop', [
  [
    [0, 3],
    [1, 2],
  ],
  [],
  [[1, 4]],
]);

describe('plans', () => {
  it('preserve a schedule in both directions', () => {
    fc.assert(
      fc.property(arbitraryInstanceAndSequences({ downtimes: true }), ([instance, sequences]) => {
        const schedule = semiActive(instance, sequences);
        const plan = planFromSchedule(schedule);
        expect(isSchedule(plan)).toBe(false);
        expect(plan.makespan).toBe(schedule.makespan);
        expect(scheduleFromPlan(instance, plan)).toEqual(schedule);
      }),
    );
  });

  it('give a schedule its start times only, and the first of several for an operation', () => {
    const schedule = scheduleFromPlan(shop, {
      entries: [
        { job: 0, step: 0, machine: 9, start: 2, end: 99 },
        { job: 0, step: 0, machine: 0, start: 7, end: 10 },
        { job: 1, step: 0, machine: 0, start: 1, end: 4 },
        { job: 2, step: 0, machine: 1, start: 1.5, end: 5.5 },
        { job: 0, step: 1, machine: 1, start: MAX_TIME + 1, end: MAX_TIME + 3 },
      ],
    });
    expect([...schedule.start]).toEqual([2, -1, -1]);
    expect([...schedule.end]).toEqual([5, -1, -1]);
    expect(schedule.makespan).toBe(5);
  });

  it('are distinguished from schedules by their start times, not by naming an instance', () => {
    const document = { schema: 'alas-jssp/plan@1', instance: 'ft06', entries: [], start: null };
    expect(isSchedule(document)).toBe(false);
    expect(isSchedule(createSchedule(shop, new Int32Array(3)))).toBe(true);
  });

  it('find operations by job and step and nothing else', () => {
    expect(operationAt(shop, 0, 1)).toBe(1);
    expect(operationAt(shop, 2, 0)).toBe(2);
    for (const [job, step] of [
      [1, 0],
      [0, 2],
      [-1, 0],
      [3, 0],
      [0, -1],
      [0.5, 0],
      [0, Number.NaN],
    ]) {
      expect(operationAt(shop, job, step)).toBe(-1);
    }
  });
});
