import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/harness/records/record.js';
import { formatRecord } from '../../src/harness/records/record-file.js';
import type { BenchmarkResult } from '../../src/harness/run/run.js';
import { readRun } from '../../src/harness/run/stored-run.js';
import { readPlan } from '../../src/jssp/formats/read-plan.js';
import { resolveSources } from '../../src/jssp/suites.js';
import { validate } from '../../src/validator/index.js';
import {
  namedSource,
  runTest,
  type TestRun,
  temporaryDirectory,
  UNRULY,
  withoutSeconds,
} from './fixtures.js';

const options: TestRun = {
  sources: resolveSources('ft06,la03,la21'),
  planners: ['dispatch:mwkr', 'insertion'],
  replicates: 2,
  optimize: '2k-iterations',
};

const TELLING = 'module:test/harness/planners/telling.mjs';

/** Makes a run and aborts it as soon as its first search is under way. */
async function abortedInSearch(run: TestRun): Promise<BenchmarkResult> {
  const controller = new AbortController();
  const channel = new BroadcastChannel('plans');
  channel.onmessage = () => controller.abort();
  try {
    return await runTest({ ...run, signal: controller.signal });
  } finally {
    channel.close();
  }
}

let whole: BenchmarkResult;
beforeAll(async () => {
  whole = await runTest(options);
});

describe('a run with an optimize stage', () => {
  it('tells what each stage came to, and the last one as the result', () => {
    expect(whole.manifest.spec.optimize).toBe('2k-iterations');
    for (const record of whole.records) {
      const { makespan, gap_percent, feasible, lower_bound, stages, seconds } = record;
      const { plan, optimize } = stages;
      expect(optimize).toMatchObject({ makespan, gap_percent, feasible, lower_bound });
      expect(optimize?.makespan).toBeLessThan(plan?.makespan as number);
      expect(seconds.optimize).toBeGreaterThan(0);
    }
    expect(whole.summary.overall.map(({ optimized }) => optimized)).toEqual([6, 6]);
  });

  it('has plans that are the same without it', async () => {
    const planned = await runTest({ ...options, optimize: undefined });
    const plans = ({ records }: BenchmarkResult) =>
      withoutSeconds(records).map(({ stages }) => stages.plan);
    expect(plans(whole)).toEqual(plans(planned));
    expect(planned.records.map(({ stages }) => stages.optimize)).toEqual(Array(12).fill(null));
    expect(planned.manifest.spec.optimize).toBeNull();
  });

  it('gives each replicate a search of its own', () => {
    const [first, second] = whole.records
      .filter(({ instance, planner }) => instance === 'la21' && planner === 'insertion')
      .map(({ makespan }) => makespan);
    expect(first).not.toBe(second);
  });

  it('makes the same records on two workers, also when it was aborted and resumed', async () => {
    const out = temporaryDirectory();
    const controller = new AbortController();
    const first = await runTest({
      ...options,
      out,
      workers: 2,
      signal: controller.signal,
      onProgress: ({ done }) => done === 5 && controller.abort(),
    });
    expect(first.interrupted).toBe(true);
    const resumed = await runTest({ ...options, out, workers: 2, resume: true });
    expect(withoutSeconds(resumed.records)).toEqual(withoutSeconds(whole.records));
    expect(readRun(out).manifest.spec.optimize).toBe('2k-iterations');
  });

  it('is not resumed with another budget', async () => {
    const out = temporaryDirectory();
    const run = { ...options, sources: resolveSources('ft06'), out };
    await runTest(run);
    const resume = (optimize: string | null) => runTest({ ...run, optimize, resume: true });
    await expect(resume('3k-iterations')).rejects.toThrow(
      'optimize 3k-iterations instead of 2k-iterations',
    );
    await expect(resume(null)).rejects.toThrow('optimize none instead of 2k-iterations');
  });

  it('saves the schedule that the search ended with', async () => {
    const out = temporaryDirectory();
    const [source] = resolveSources('la21');
    const run = { ...options, sources: [source], planners: ['insertion'], replicates: 1 };
    const { records } = await runTest({ ...run, out, saveSchedules: true });
    const { plan } = readPlan(join(out, 'schedules', 'la21__insertion__full__0.json'));
    const { makespan } = records[0];
    expect(validate(source.load(), plan)).toMatchObject({ valid: true, makespan });
  });

  it('stops at a bound by itself', async () => {
    const { records, interrupted } = await runTest({
      ...options,
      sources: resolveSources('ft06'),
      optimize: '1h',
    });
    expect(interrupted).toBe(false);
    for (const record of records) expect(record).toMatchObject({ makespan: 55 });
  });

  it('keeps the best of a search that it ends when it is aborted, and does it again when resumed', async () => {
    const out = temporaryDirectory();
    const [source] = resolveSources('ta41');
    const run = (resume: boolean) =>
      abortedInSearch({
        ...options,
        sources: [source],
        planners: [TELLING],
        replicates: 1,
        optimize: '1h',
        out,
        resume,
        saveSchedules: true,
      });
    for (const resume of [false, true]) {
      const { interrupted, records, summary } = await run(resume);
      expect(interrupted).toBe(true);
      expect(summary).toMatchObject({ records: 1, planned: 1, interrupted: true });
      expect(records).toMatchObject([
        { status: 'ok', stages: { optimize: { status: 'interrupted' } } },
      ]);
      const [{ makespan, stages }] = records;
      expect(makespan).toBeLessThan(stages.plan?.makespan as number);
      expect(readRun(out)).toMatchObject({ records, manifest: { outcome: { interrupted: true } } });
      const [file] = readdirSync(join(out, 'schedules'));
      const { plan } = readPlan(join(out, 'schedules', file));
      expect(validate(source.load(), plan)).toMatchObject({ valid: true, makespan });
    }
  });

  it('takes no search that was cut short for a finished one when it is resumed', async () => {
    const out = temporaryDirectory();
    await runTest({ ...options, out });
    const { stages, ...record } = whole.records[4];
    const optimize = { ...stages.optimize, makespan: 9999, status: 'interrupted' } as const;
    const cut = { ...record, makespan: 9999, stages: { ...stages, optimize } } as RunRecord;
    const lines = whole.records.with(4, cut).map(formatRecord);
    writeFileSync(join(out, 'records.jsonl'), lines.join(''));
    const made: RunRecord[] = [];
    const resumed = await runTest({
      ...options,
      out,
      resume: true,
      onRecord: (one) => made.push(one),
    });
    expect(made).toHaveLength(1);
    expect(resumed.interrupted).toBe(false);
    expect(withoutSeconds(resumed.records)).toEqual(withoutSeconds(whole.records));
  });

  it('does not count the search as time of the planner', async () => {
    const { records } = await runTest({
      ...options,
      sources: resolveSources('ta41'),
      planners: ['dispatch:mwkr'],
      replicates: 1,
      optimize: '1500ms',
      limits: { seconds: 1 },
    });
    expect(records).toMatchObject([{ status: 'ok', stages: { optimize: { feasible: true } } }]);
  });

  it('searches only from plans that are feasible, and keeps what a plan claimed', async () => {
    const sources = ['lies', 'throws', 'fine'].map(namedSource);
    const { records } = await runTest({ ...options, sources, planners: [UNRULY] });
    expect(records.filter((_, index) => index % 2 === 0)).toMatchObject([
      { status: 'infeasible', stages: { plan: { feasible: false }, optimize: null } },
      { status: 'error', stages: { plan: null, optimize: null } },
      { makespan: 6, claimed_makespan: 10, stages: { plan: { makespan: 10 } } },
    ]);
  });

  it('calls a bound its own that the search has proven', async () => {
    const [ft10] = resolveSources('ft10');
    // Released a little later it is no benchmark any more, and only simple bounds are known of it.
    const load = () => ({ ...ft10.load(), release: new Int32Array(100).fill(1) });
    const sources = [{ ...ft10, bounds: null, sha256: null, load }];
    const { records } = await runTest({ ...options, sources, replicates: 1 });
    const [{ lower_bound, lower_bound_source, stages }] = records;
    expect(stages.optimize?.lower_bound).toBe(lower_bound);
    expect(lower_bound).toBeGreaterThan(840);
    expect(lower_bound_source).toBe('own');
  });

  it('is refused with a budget that is none before anything is written', async () => {
    const out = join(temporaryDirectory(), 'run');
    await expect(runTest({ ...options, optimize: 'soon', out })).rejects.toThrow(
      "'soon' is no budget; write it like 10s, 2m, 200k-iterations or target:1234",
    );
    expect(existsSync(out)).toBe(false);
  });
});
