import { join } from 'node:path';
import { createRandom } from '@alas-jssp/core/random';
import { describe, expect, it } from 'vitest';
import { planFaults, studyFaults, subjectsOf } from '../../../src/harness/index.js';
import { studyReport } from '../../../src/harness/study/report.js';
import { summarizeRounds } from '../../../src/harness/study/rounds.js';
import { equipAround } from '../../../src/harness/study/subjects.js';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import { dispatchBest } from '../../../src/search/construct/dispatch.js';
import { validate } from '../../../src/validator/index.js';
import { makeRecord, runTest, temporaryDirectory } from '../fixtures.js';

const subject = (name: string) => {
  const { schedule } = dispatchBest(resolveSource(name).load(), 1);
  return { suite: 'x', planner: 'dispatch:best', schedule };
};
const settings = { seed: 0, faults: 2, schedules: 2, lost: 0, judge: null };
const withoutTimes = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (key, one) => (key === 'seconds' ? 0 : one)));

describe('studyFaults', () => {
  it('puts faults of all classes into every schedule; the validator finds each, and full repairs it', async () => {
    const trials = await studyFaults([subject('ft06'), subject('la01')], { faults: 2 });
    expect(trials).toHaveLength(2 * 2 * Object.keys(planFaults).length);
    for (const { fault, found, endings } of trials) {
      expect({ fault, ...found }).toEqual({ fault, validator: true, planner: null });
      const isRepairable = fault !== 'makespan below a bound';
      expect({ fault, right: endings.full?.feasible }).toEqual({ fault, right: isRepairable });
      expect(endings['blind-repair']?.feasible).toBe(isRepairable);
      expect(endings['no-repair']?.feasible).toBe(false);
      expect(endings['no-validation']?.feasible).toBe(false);
    }
    const of = (name: string) => trials.filter(({ fault }) => fault === name);
    // What the instance says anyway is put right in place, and nothing else is touched.
    for (const { endings } of of('wrong machine')) {
      expect(endings.full).toMatchObject({ edited: 1, radius: 0, growth: 0 });
    }
    const { classes, variants } = studyReport(trials, [], settings);
    expect(classes).toHaveLength(24);
    expect(classes[23]).toMatchObject({ fault: null, plans: 92, by_validator: 92, by_neither: 0 });
    expect(classes[23].repaired).toBe(88);
    const [full, , believed] = variants;
    expect(full).toMatchObject({ variant: 'full', success: null });
    expect(believed).toMatchObject({ variant: 'no-validation', success_percent: { mean: 0 } });
    expect(believed.success?.difference).toBeCloseTo(-100 * (88 / 92));
  });

  it('comes to the same for equal seeds, and to other faults for others', async () => {
    const run = (seed: number) => studyFaults([subject('ft06')], { faults: 1, seed });
    expect(withoutTimes(await run(1))).toEqual(withoutTimes(await run(1)));
    expect(withoutTimes(await run(2))).not.toEqual(withoutTimes(await run(1)));
  });

  it('asks a model about each plan, and takes its word', async () => {
    const asked: number[] = [];
    const judge = async (_: unknown, { entries }: { entries: readonly unknown[] }) => {
      asked.push(entries.length);
      // It counts lines, and sees nothing else.
      return { valid: entries.length === 36, errors: [] };
    };
    const trials = await studyFaults([subject('ft06')], { faults: 1, judge });
    const { classes, variants } = studyReport(trials, [], { ...settings, judge: 'm' });
    expect(asked).toHaveLength(23);
    const by = (name: string) => classes.find(({ fault }) => fault === name)?.by_planner;
    expect([by('missing operation'), by('duplicate operation'), by('wrong machine')]).toEqual([
      1, 1, 0,
    ]);
    const self = variants.find(({ variant }) => variant === 'self-validation');
    expect(self?.success_percent.mean).toBeCloseTo((100 * 2) / 23);
  });

  it('leaves out classes for which a shop has no place', async () => {
    const tiny = instanceFromJobs('tiny', [[[0, 3]], [[1, 4]]]);
    const { schedule } = dispatchBest(tiny, 1);
    const trials = await studyFaults([{ suite: 'x', planner: 'p', schedule }], { faults: 1 });
    const names = new Set(trials.map(({ fault }) => fault));
    expect(names).not.toContain('precedence swap');
    expect(names).not.toContain('machine double-booking');
    expect(names).toContain('wrong duration');
  });
});

describe('a shop with every rule around a schedule', () => {
  it('breaks none of them, and has a place for every fault', () => {
    for (const name of ['ft06', 'la21', 'abz7']) {
      const { schedule } = subject(name);
      const ruled = equipAround(schedule, createRandom(7));
      expect(validate(ruled.instance, ruled).violations).toEqual([]);
      expect(ruled.start).toEqual(schedule.start);
      const { calendar, deadline, frozen, release } = ruled.instance;
      expect([calendar, deadline, frozen, release].every((rule) => rule !== null)).toBe(true);
    }
  });
});

describe('subjectsOf', () => {
  const run = { sources: [resolveSource('ft06')], optimize: '200-iterations', suite: 'ft06' };

  it('takes what was saved, plans again what a heuristic planned, and never what is made wrong', async () => {
    const out = join(temporaryDirectory(), 'run');
    const planners = ['insertion', 'degraded:0.1'];
    const saved = await runTest({ ...run, planners, repair: true, saveSchedules: true, out });
    const named = { directory: out, ...saved };
    const { subjects, lost } = await subjectsOf([named]);
    const best = saved.records.find(({ planner }) => planner === 'insertion');
    expect(subjects.map(({ planner }) => planner)).toEqual(['insertion']);
    expect([subjects[0].schedule.makespan, lost]).toEqual([best?.makespan, 0]);
    const again = await subjectsOf([{ ...named, directory: 'nowhere' }]);
    expect(again.subjects[0].schedule.makespan).toBe(best?.stages.plan?.makespan);
  });

  it('says so where there is nothing valid', async () => {
    const made = await runTest({ ...run, planners: ['degraded:0.5'], optimize: undefined });
    await expect(subjectsOf([{ directory: 'nowhere', ...made }])).rejects.toThrow(
      'no valid schedule',
    );
  });
});

describe('summarizeRounds', () => {
  const round = (by: 'lcrp' | 'llm', before: number | null, after: number) => ({
    ...{ by, violations_before: before, violations_after: after },
    ...{ edited_operations: 4, edit_radius: 2 },
  });
  const record = (replicate: number, rounds: ReturnType<typeof round>[] | null) => {
    const right = makeRecord({ makespan: 110, replicate });
    if (rounds === null) return right;
    const { plan } = makeRecord({ makespan: null }).stages;
    const repair = { ...({ phase: 'plan', rounds } as NonNullable<typeof right.repair>) };
    return { ...right, stages: { ...right.stages, plan }, repair };
  };

  it('tells the error rate after each round; what was right needs none', () => {
    const records = [
      record(0, null),
      record(1, [round('llm', 8, 12), round('llm', 8, 2), round('lcrp', 2, 0)]),
      record(2, [round('llm', 6, 0)]),
      record(3, [round('lcrp', null, 0)]),
    ];
    const rows = summarizeRounds(records).map((row) => [
      ...[row.round, row.records, row.ran, row.wrong, row.violations, row.edited_operations],
    ]);
    expect(rows).toEqual([
      [0, 3, 3, 2, 14 / 3, null],
      [1, 3, 2, 1, 8 / 3, 4],
      [2, 3, 1, 1, 2 / 3, 4],
      [3, 3, 1, 0, 0, 4],
    ]);
  });
});
