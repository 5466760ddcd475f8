import { describe, expect, it } from 'vitest';
import { instanceFromJobs, MAX_TIME, replaceInstance } from '../../src/jssp/instance.js';
import { MAX_TOTAL_WEIGHT } from '../../src/jssp/instance-checks.js';
import { objectives, objectiveValue, totalWeightedTardiness } from '../../src/jssp/objectives.js';
import { createSchedule } from '../../src/jssp/schedule.js';

const shop = instanceFromJobs('shop', [
  [
    [0, 3],
    [1, 2],
  ],
  [[1, 4]],
  [[0, 1]],
  [],
]);
const due = Int32Array.of(4, -1, 9, 0);
const weight = Int32Array.of(5, 7, 2, 3);
const starts = Int32Array.of(0, 10, 3, 12);

describe('totalWeightedTardiness', () => {
  it('sums weight × lateness of the jobs that have a due date', () => {
    const tardy = createSchedule(replaceInstance(shop, { due, weight }), starts);
    expect(totalWeightedTardiness(tardy)).toBe(5 * (12 - 4) + 2 * (13 - 9));
  });

  it('weighs every job 1 where there are no weights, and nothing where there are no due dates', () => {
    const plain = createSchedule(replaceInstance(shop, { due }), starts);
    expect(totalWeightedTardiness(plain)).toBe(12 - 4 + (13 - 9));
    expect(totalWeightedTardiness(createSchedule(shop, starts))).toBe(0);
    const weighted = replaceInstance(shop, { weight });
    expect(totalWeightedTardiness(createSchedule(weighted, starts))).toBe(0);
  });

  it('counts no credit for jobs that are early', () => {
    const early = createSchedule(replaceInstance(shop, { due, weight }), Int32Array.of(0, 3, 5, 3));
    expect(totalWeightedTardiness(early)).toBe(5 * (5 - 4));
  });

  it('takes completions through the calendar', () => {
    const calendar = {
      offset: Int32Array.of(0, 0, 1),
      from: Int32Array.of(11),
      to: Int32Array.of(18),
      resumable: Uint8Array.of(1),
    };
    const tardy = createSchedule(replaceInstance(shop, { due, weight, calendar }), starts);
    expect(totalWeightedTardiness(tardy)).toBe(5 * (12 + 7 - 4) + 2 * (13 - 9));
  });

  it('ignores unscheduled operations, as the makespan does', () => {
    const cut = createSchedule(replaceInstance(shop, { due, weight }), Int32Array.of(2, -1, -1, 9));
    expect(totalWeightedTardiness(cut)).toBe(5 * (5 - 4) + 2 * (10 - 9));
  });

  it('is exact for the heaviest jobs that end at the last moment', () => {
    expect(Number.isSafeInteger(MAX_TOTAL_WEIGHT * MAX_TIME)).toBe(true);
    expect(Number.isSafeInteger((MAX_TOTAL_WEIGHT + 1) * MAX_TIME)).toBe(false);
    const heavy = replaceInstance(instanceFromJobs('heavy', [[[0, 1]]]), {
      due: Int32Array.of(0),
      weight: Int32Array.of(MAX_TOTAL_WEIGHT),
    });
    const late = createSchedule(heavy, Int32Array.of(MAX_TIME - 1));
    expect(totalWeightedTardiness(late)).toBe(MAX_TOTAL_WEIGHT * MAX_TIME);
  });
});

describe('objectiveValue', () => {
  it('is the makespan or the total weighted tardiness', () => {
    const schedule = createSchedule(replaceInstance(shop, { due, weight }), starts);
    expect(objectives.map((objective) => objectiveValue(schedule, objective))).toEqual([13, 48]);
  });
});
