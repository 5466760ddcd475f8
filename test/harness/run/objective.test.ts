import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pairRecords } from '../../../src/harness/records/pair.js';
import { readPlan } from '../../../src/jssp/formats/read-plan.js';
import { withDueDates } from '../../../src/jssp/generator.js';
import { totalWeightedTardiness } from '../../../src/jssp/objectives.js';
import { scheduleFromPlan } from '../../../src/jssp/plan.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';
import { rules } from '../../../src/search/construct/rules.js';
import { makeRecord, runTest, type TestRun, temporaryDirectory } from '../fixtures.js';

const objective = 'total-weighted-tardiness';
const options: TestRun = {
  suite: 'la17',
  planners: ['dispatch:best', 'degraded:0.3', 'search:2k-iterations'],
  objective,
  dueTightness: 1.6,
  repair: true,
};

describe('a run for total weighted tardiness', () => {
  it('minimises it in planners, repair and search, and records it with bounds of its own', async () => {
    const out = temporaryDirectory();
    const optimized = { ...options, optimize: '20k-iterations', saveSchedules: true, out };
    const { records, summary } = await runTest(optimized);
    const la17 = withDueDates(resolveSource('la17').load(), 1.6);
    for (const { planner, makespan, tardiness, improvements, ...record } of records) {
      const file = `la17__${planner.replaceAll(':', '-')}__full__0.json`;
      const { plan } = readPlan(join(out, 'schedules', file));
      const schedule = scheduleFromPlan(la17, plan);
      expect([makespan, tardiness]).toEqual([schedule.makespan, totalWeightedTardiness(schedule)]);
      // Singer and Pinedo 1998 prove it optimal.
      expect(tardiness).toBeGreaterThanOrEqual(65);
      expect(improvements.at(-1)).toMatchObject({ value: tardiness });
      expect(record).toMatchObject({ objective, upper_bound: null, gap_percent: null });
      expect(record.lower_bound).toBeLessThanOrEqual(65);
    }
    expect(Math.min(...records.map(({ tardiness }) => tardiness ?? 0))).toBe(65);
    const [best] = summary.overall;
    expect(best).toMatchObject({ objective, tardiness_mean: records[0].tardiness });
  });

  it('has the best rule by that objective, not the shortest schedule', async () => {
    const la17 = withDueDates(resolveSource('la17').load(), 1.6);
    const values = rules
      .filter(({ name }) => !/random/i.test(name))
      .map((rule) => totalWeightedTardiness(dispatch(la17, { rule })));
    const { records } = await runTest({ ...options, planners: ['dispatch:best'] });
    expect(records[0].tardiness).toBeLessThanOrEqual(Math.min(...values));
    const short = await runTest({ ...options, planners: ['dispatch:best'], objective: 'makespan' });
    expect(records[0].makespan).toBeGreaterThan(short.records[0].makespan ?? 0);
    expect(short.records[0]).toMatchObject({ upper_bound: 784, tardiness: expect.any(Number) });
  });

  it('refuses instances without due dates, and says how they get some', async () => {
    await expect(runTest({ ...options, dueTightness: null })).rejects.toThrow(
      'no job of la17 has a due date, so that none can be late; add --due-tightness 1.3',
    );
    await expect(runTest({ ...options, dueTightness: 0 })).rejects.toThrow('due tightness is 0');
  });

  it('is gone on with under the same due dates only', async () => {
    const out = temporaryDirectory();
    const run = { ...options, planners: ['insertion'], out };
    await runTest(run);
    await expect(runTest({ ...run, dueTightness: 1.3, resume: true })).rejects.toThrow('tightness');
  });
});

describe('a pair of records for total weighted tardiness', () => {
  const record = (makespan: number, tardiness: number) =>
    makeRecord({ makespan, tardiness, objective, lower_bound: 90, upper_bound: null });

  it('is compared by it, and refuted by its bound', () => {
    expect(pairRecords(record(70, 100), record(50, 200))).toMatchObject({
      verdict: 'better',
      change_percent: -50,
      reason: 'tardiness 100, was 200',
      run: { makespan: 70, feasible: true },
    });
    expect(pairRecords(record(70, 80), record(50, 200))).toMatchObject({
      verdict: 'incomparable',
      reason: 'tardiness 80 contradicts the lower bound 90',
      run: { feasible: false, tardiness: null },
    });
  });
});
