import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RunRecord, recordSchema } from '../../src/harness/records/record.js';
import { savedFiles, savedStages, stageFile } from '../../src/harness/run/file-names.js';
import { readRun } from '../../src/harness/run/stored-run.js';
import { readPlan } from '../../src/jssp/formats/read-plan.js';
import { resolveSources } from '../../src/jssp/suites.js';
import { renderRecords } from '../../src/report/record-table.js';
import { renderSummary } from '../../src/report/summary-table.js';
import { validate } from '../../src/validator/index.js';
import { runTest, temporaryDirectory, withoutSeconds } from './fixtures.js';

/** A planner that reads the same plan for every instance: job 1 all at once, and nothing else. */
function filePlanner(): string {
  const file = join(temporaryDirectory(), 'plan.csv');
  const steps = [1, 2, 3, 4, 5, 6].map((step) => `1,${step},0,0,1`);
  writeFileSync(file, ['job,step,machine,start,end', ...steps, '99,1,0,0,1'].join('\n'));
  return `file:${file}`;
}

describe('a run that repairs', () => {
  const sources = resolveSources('ft06,ft10');

  it('tells what was wrong, what the repair did, and the repaired schedule as the result', async () => {
    const out = temporaryDirectory();
    const planners = [filePlanner(), 'dispatch:mwkr'];
    const run = await runTest({ sources, planners, repair: true, out, saveSchedules: true });
    const [ft06, planned] = run.records;
    expect(ft06).toMatchObject({
      status: 'ok',
      feasible: true,
      violations: { unknown_job: 1, missing_operation: 30 },
      stages: { plan: { feasible: false, makespan: null }, repair: { feasible: true } },
      repair: {
        phase: 'plan',
        seed_coverage: 6 / 36,
        kept_order: null,
        dropped: { unknown_job: 1 },
        corrected: { machines: 5, ends: 5 },
        inserted: 30,
      },
    });
    expect(ft06.stages.repair?.makespan).toBe(ft06.makespan);
    expect(ft06.seconds.repair).toBeGreaterThan(0);
    expect(planned).toMatchObject({ repair: null, stages: { repair: null } });
    expect(run.summary.overall.map(({ repaired }) => repaired)).toEqual([2, 0]);

    const stored = readRun(out);
    expect(stored.manifest.spec.repair).toBe(true);
    expect(stored.records).toEqual(run.records);
    expect(() => recordSchema.parse(ft06)).not.toThrow();
    const [saved] = readdirSync(join(out, 'schedules')).filter((name) =>
      name.startsWith('ft06__file'),
    );
    const { plan } = readPlan(join(out, 'schedules', saved));
    expect(validate(sources[0].load(), plan)).toMatchObject({
      valid: true,
      makespan: ft06.makespan,
    });
    expect(renderRecords(run.records, 'md')).toContain('| covered % | kept order % |');
    expect(renderSummary(run.summary, 'md')).toContain('| repaired |');
  });

  it('keeps the plan of every stage on the way, and none of an earlier attempt', async () => {
    const out = temporaryDirectory();
    const planners = [filePlanner(), 'dispatch:mwkr'];
    const spec = { planners, repair: true, optimize: '300-iterations', saveSchedules: true };
    const run = { ...spec, sources: sources.slice(0, 1), out };
    const { records } = await runTest(run);
    const instance = sources[0].load();
    const judged = (file: string) => {
      const { valid, makespan } = validate(instance, readPlan(file).plan);
      return [valid, makespan];
    };
    const stagesIn = (record: RunRecord) => {
      const files = savedFiles(out, record);
      return savedStages(files).map((stage) => [stage, ...judged(stageFile(files, stage))]);
    };
    const [repaired, planned] = records;
    expect(stagesIn(repaired)).toEqual([
      ['plan', false, null],
      ['repair-1', true, repaired.stages.repair?.makespan],
      ['optimize', true, repaired.makespan],
    ]);
    expect(stagesIn(planned)).toEqual([
      ['plan', true, planned.stages.plan?.makespan],
      ['optimize', true, planned.makespan],
    ]);
    expect(readdirSync(join(out, 'stages'))).toHaveLength(5);

    const stale = stageFile(savedFiles(out, planned), 'repair-1');
    writeFileSync(stale, '{}');
    const file = join(out, 'records.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(0, 1).join('\n').concat('\n'));
    await runTest({ ...run, resume: true });
    expect(existsSync(stale)).toBe(false);
    expect(stagesIn(planned)).toHaveLength(2);
  });

  it('makes the same records on two workers, and searches on from what was repaired', async () => {
    const run = { sources, planners: [filePlanner()], repair: true, optimize: '1k-iterations' };
    const [one, two] = [await runTest(run), await runTest({ ...run, workers: 2 })];
    expect(withoutSeconds(two.records)).toEqual(withoutSeconds(one.records));
    for (const { makespan, stages } of one.records) {
      expect(stages.optimize?.makespan).toBe(makespan);
      expect(makespan).toBeLessThanOrEqual(stages.repair?.makespan as number);
    }
    // The repair leaves something to be found in one of them at least.
    expect(one.records.some(({ makespan, stages }) => makespan !== stages.repair?.makespan)).toBe(
      true,
    );
  });

  it('is not resumed without the repair', async () => {
    const out = temporaryDirectory();
    const run = { sources: resolveSources('ft06'), planners: ['dispatch:mwkr'], out };
    await runTest({ ...run, repair: true });
    const without = runTest({ ...run, repair: false, resume: true });
    await expect(without).rejects.toThrow('repair off instead of on');
    expect((await runTest({ ...run, resume: true })).manifest.spec.repair).toBe(true);
  });
});
