import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../src/harness/records/compare.js';
import { recordKey, recordSchema } from '../../src/harness/records/record.js';
import { savedFiles } from '../../src/harness/run/file-names.js';
import { readRun } from '../../src/harness/run/stored-run.js';
import { sum } from '../../src/harness/statistics/descriptive.js';
import { readInstance } from '../../src/jssp/formats/read-instance.js';
import { readPlan } from '../../src/jssp/formats/read-plan.js';
import { resolveSources } from '../../src/jssp/suites.js';
import { validate } from '../../src/validator/index.js';
import { runTest, temporaryDirectory, withoutSeconds } from './fixtures.js';

const sources = resolveSources('ft06');
const all = ['none', 'right-shift', 'affected', 'dispatch', 'lcrp'];
const options = { sources, planners: ['dispatch:random'], replicates: 2 };
const disruption = (methods: readonly string[], policy?: string) => ({
  spec: 'breakdowns:mtbf=0.5+arrivals+delays',
  methods,
  policy,
});

describe('a run that executes schedules', () => {
  it('makes the records of a method whatever the others are, on any number of workers', async () => {
    const { records } = await runTest({ ...options, disruption: disruption(all) });
    expect(records).toHaveLength(10);
    const expected = new Map(withoutSeconds(records).map((record) => [recordKey(record), record]));
    const some = fc.tuple(fc.shuffledSubarray(all, { minLength: 1 }), fc.constantFrom(1, 2));
    await fc.assert(
      fc.asyncProperty(some, async ([methods, workers]) => {
        const run = await runTest({ ...options, disruption: disruption(methods), workers });
        expect(run.records).toHaveLength(2 * methods.length);
        for (const record of withoutSeconds(run.records)) {
          expect(record).toEqual(expected.get(recordKey(record)));
        }
      }),
      { numRuns: 5 },
    );
  });

  it('has the same plan and the same events for each method, and other ones for each replicate', async () => {
    const methods = ['affected', 'lcrp'];
    const { records } = await runTest({ ...options, disruption: disruption(methods) });
    const eventsOf = (i: number) => {
      const { steps = [], skipped = [] } = records[i].disruption ?? {};
      return [
        ...steps.flatMap(({ events }) => events),
        ...skipped.map(({ event }) => event),
      ].sort();
    };
    for (let i = 0; i < records.length; i += 2) {
      expect(records[i].stages).toEqual(records[i + 1].stages);
      // A delay without a step is told with the step that it came to; these have one.
      expect(eventsOf(i)).toEqual(eventsOf(i + 1));
    }
    expect(eventsOf(0)).not.toEqual(eventsOf(2));
  });

  it('tells everything in records that can be read again, and measures nothing against bounds', async () => {
    const out = temporaryDirectory();
    const run = { ...options, disruption: disruption(['none', 'lcrp']), out, saveSchedules: true };
    const { records, summary, manifest } = await runTest(run);
    expect(readRun(out)).toEqual({ manifest, records });
    expect(manifest.spec.disruption).toMatchObject({
      methods: ['none', 'lcrp'],
      policy: 'default',
    });
    for (const record of records) {
      const { method, disruption: told, repair, status } = record;
      expect(recordSchema.parse(record)).toEqual(record);
      expect(record).toMatchObject({ gap_percent: null, proven_optimal: false });
      expect(repair).toMatchObject({
        phase: method === 'none' ? 'status' : expect.any(String),
        seed_coverage: null,
        edited_operations: sum((told?.steps ?? []).map((step) => step.edited_operations)),
        shift_total: sum((told?.steps ?? []).map((step) => step.shift_total)),
        wip_moves: sum((told?.steps ?? []).map((step) => step.wip_moves)),
      });
      expect(status).toBe(told?.finished ? 'ok' : 'infeasible');
      const files = savedFiles(out, record);
      const instance = readInstance(files.instance);
      const { plan, instance: named } = readPlan(files.schedule, instance);
      expect(`${named}.json`).toBe(basename(files.instance));
      const { valid, makespan } = validate(instance, plan);
      expect([valid, valid ? makespan : null]).toEqual([record.feasible, record.makespan]);
    }
    const [none, lcrp] = summary.overall;
    expect([none.method, lcrp.method]).toEqual(['none', 'lcrp']);
    expect(lcrp).toMatchObject({ executed: 2, feasible: 2, gap_percent: null, measured: 0 });
    expect(lcrp.degradation_percent).toBeCloseTo(
      records.reduce(
        (sum, { disruption }) => sum + (disruption?.outcome.degradation_percent ?? 0),
        0,
      ) / 2,
    );
    expect(lcrp.latency_p99_seconds).toBeGreaterThanOrEqual(lcrp.latency_p50_seconds as number);
  });

  it('makes what is missing when it is resumed, by the methods that lack it', async () => {
    const out = temporaryDirectory();
    const run = { ...options, disruption: disruption(['right-shift', 'lcrp']), out };
    const { records } = await runTest(run);
    const file = join(out, 'records.jsonl');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    writeFileSync(file, `${lines.filter((_, i) => i % 3 === 0).join('\n')}\n`);
    const resumed = await runTest({ ...run, resume: true, workers: 2 });
    expect(withoutSeconds(resumed.records)).toEqual(withoutSeconds(records));
    await expect(
      runTest({ ...run, disruption: { ...run.disruption, spec: 'light' }, resume: true }),
    ).rejects.toThrow('disruption light instead of breakdowns');
    await expect(
      runTest({ ...run, disruption: disruption(['lcrp']), resume: true }),
    ).rejects.toThrow('repair methods lcrp instead of right-shift, lcrp');
    await expect(runTest({ ...run, disruption: null, resume: true })).rejects.toThrow(
      'disruption none instead of breakdowns',
    );
  });

  it('is not resumed with other events in the same file', async () => {
    const spec = join(temporaryDirectory(), 'events.json');
    const write = (...events: object[]) =>
      writeFileSync(spec, JSON.stringify({ schema: 'alas-jssp/events@1', events }));
    write({ kind: 'cancellation', at: 9, job: 1 });
    const run = {
      ...options,
      sources: [sources[0]],
      disruption: { spec },
      out: temporaryDirectory(),
    };
    const { records } = await runTest(run);
    expect(records[0].disruption?.steps[0].events).toEqual(['cancellation:at=9,job=1']);
    write();
    await expect(runTest({ ...run, resume: true })).rejects.toThrow('with other events');
    write({ kind: 'cancellation', at: 9, job: 7 });
    const { out: _, ...anew } = run;
    await expect(runTest(anew)).rejects.toThrow(`${spec}:$.events[0].job: this is "Job7"`);
  });

  it('repairs an infeasible plan first, and tells of both', async () => {
    const plan = join(temporaryDirectory(), 'plan.csv');
    writeFileSync(plan, 'job,step,machine,start,end\n1,1,2,0,1\n');
    const run = {
      sources: [sources[0]],
      planners: [`file:${plan}`],
      disruption: disruption(['right-shift']),
    };
    const [unrepaired] = (await runTest(run)).records;
    expect(unrepaired).toMatchObject({
      method: 'right-shift',
      status: 'infeasible',
      disruption: null,
      repair: null,
    });
    const [repaired] = (await runTest({ ...run, repair: true })).records;
    expect(repaired).toMatchObject({
      status: 'ok',
      stages: { plan: { feasible: false }, repair: { feasible: true } },
      repair: { phase: 'compensation', inserted: 35, edited_jobs: expect.any(Number) },
    });
    expect(repaired.seconds.total).toBeGreaterThan(repaired.seconds.execute as number);
  });

  it('is compared method by method, and policy by policy, but only under the same events', async () => {
    const run = await runTest({ ...options, disruption: disruption(['right-shift', 'lcrp']) });
    const compared = { method: 'lcrp', baselineMethod: 'right-shift' };
    const { pairs, baseline_only } = compareRuns(run, run, compared);
    expect(pairs).toHaveLength(2);
    expect(baseline_only).toBe(0);
    for (const { run: record, baseline, change_percent } of pairs) {
      expect([record.method, baseline.method]).toEqual(['lcrp', 'right-shift']);
      expect(record.gap_percent).toBeNull();
      expect(change_percent).toBeLessThanOrEqual(0);
    }
    expect(() => compareRuns(run, run, { method: 'none' })).toThrow(
      'the run has no method none; it has right-shift, lcrp',
    );
    const stable = await runTest({
      ...options,
      disruption: disruption(['lcrp'], 'high-stability'),
    });
    expect(compareRuns(stable, run).settings).toContainEqual(
      expect.objectContaining({ words: 'policy', run: 'high-stability', baseline: 'default' }),
    );
    expect(() => compareRuns(run, stable)).toThrow('methods it lacks: right-shift');
    const planned = await runTest(options);
    expect(() => compareRuns(run, planned)).toThrow(/disruption breakdowns\S+ instead of none/);
  });
});
