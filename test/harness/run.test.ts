import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordKey } from '../../src/harness/record.js';
import { formatRecord, readRecords } from '../../src/harness/record-file.js';
import { runBenchmark } from '../../src/harness/run.js';
import { readRun } from '../../src/harness/run-directory.js';
import type { RunOptions } from '../../src/harness/run-options.js';
import { readPlan } from '../../src/jssp/formats/read-plan.js';
import { resolveSources } from '../../src/jssp/suites.js';
import { validate } from '../../src/validator/index.js';
import { namedSource, temporaryDirectory, UNRULY, withoutSeconds } from './fixtures.js';

const small: RunOptions = {
  sources: resolveSources('ft06,la01,la02'),
  planners: ['dispatch:mwkr', 'dispatch:random'],
  replicates: 2,
  seed: 7,
};

function unruly(names: readonly string[], options: Partial<RunOptions> = {}) {
  return runBenchmark({ sources: names.map(namedSource), planners: [UNRULY], ...options });
}

describe('runBenchmark', () => {
  it('makes the same records on one worker and on three', async () => {
    const one = await runBenchmark({ ...small, workers: 1 });
    const three = await runBenchmark({ ...small, workers: 3 });
    expect(one.records).toHaveLength(12);
    expect(one.records.every(({ feasible }) => feasible)).toBe(true);
    expect(withoutSeconds(three.records)).toEqual(withoutSeconds(one.records));
  });

  it('gives each replicate randomness of its own, and another base seed other randomness', async () => {
    const options = { ...small, planners: ['dispatch:random'], replicates: 5 };
    const { records } = await runBenchmark(options);
    const other = await runBenchmark({ ...options, seed: 8 });
    expect(new Set(records.map(({ seed }) => seed)).size).toBe(15);
    expect(new Set(records.map(({ makespan }) => makespan)).size).toBeGreaterThan(3);
    expect(other.records.map(({ makespan }) => makespan)).not.toEqual(
      records.map(({ makespan }) => makespan),
    );
  });

  it('writes manifest, records, summary and the judged schedules', async () => {
    const out = join(temporaryDirectory(), 'deep', 'run');
    const result = await runBenchmark({
      ...small,
      out,
      saveSchedules: true,
      workers: 2,
      command: 'alas-jssp run',
      suite: 'ft06,la01,la02',
    });
    expect(readdirSync(out).sort()).toEqual([
      'manifest.json',
      'records.jsonl',
      'schedules',
      'summary.json',
    ]);
    const { manifest, records } = readRun(out);
    expect(manifest).toEqual(result.manifest);
    expect(manifest).toMatchObject({ interrupted: false, command: 'alas-jssp run', seed: 7 });
    expect(manifest.instances.map(({ instance }) => instance)).toEqual(['ft06', 'la01', 'la02']);
    expect(records.map(formatRecord).sort()).toEqual(result.records.map(formatRecord).sort());
    expect(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'))).toEqual(result.summary);

    expect(readdirSync(join(out, 'schedules'))).toHaveLength(12);
    for (const { name, load } of small.sources) {
      const file = join(out, 'schedules', `${name}__dispatch-mwkr__full__1.json`);
      const record = records.find(
        (found) =>
          found.instance === name && found.planner === 'dispatch:mwkr' && found.replicate === 1,
      );
      const verdict = validate(load(), readPlan(file).plan);
      expect(verdict).toMatchObject({ valid: true, makespan: record?.makespan });
    }
  });

  it('writes nothing without a directory', async () => {
    const { records, summary } = await runBenchmark({ ...small, replicates: 1 });
    expect(records).toHaveLength(6);
    expect(summary).toMatchObject({ records: 6, planned: 6, interrupted: false });
  });

  it('makes one record with status error of whatever a planner does to its worker thread', async () => {
    const names = ['throws', 'exits', 'crashes', 'rejects', 'answers', 'exits2', 'fine'];
    const { records, interrupted } = await unruly(names, { workers: 2 });
    expect(interrupted).toBe(false);
    expect(Object.fromEntries(records.map(({ instance, error }) => [instance, error]))).toEqual({
      throws: 'no plan for this',
      exits: 'worker exited with code: 3',
      crashes: 'out of the blue',
      rejects: 'too hard',
      answers: expect.stringContaining('the planner returned neither a plan nor a schedule'),
      exits2: null,
      fine: null,
    });
    const failed = records.filter(({ status }) => status === 'error');
    expect(failed).toHaveLength(5);
    for (const record of failed) {
      expect(record).toMatchObject({ feasible: false, makespan: null, violations: null });
    }
    expect(records.at(-1)).toMatchObject({ status: 'ok', makespan: 10, upper_bound: null });
  });

  it('survives a long row of threads that exit', async () => {
    const sources = Array.from({ length: 6 }, (_, i) => ({
      ...namedSource('exits'),
      name: `x${i}`,
    }));
    const exiting = 'module:test/harness/planners/exiting.mjs';
    const { records } = await runBenchmark({
      sources,
      planners: [exiting, UNRULY],
      workers: 2,
    });
    expect(records.filter(({ status }) => status === 'error')).toHaveLength(6);
    expect(records.filter(({ status }) => status === 'ok')).toHaveLength(6);
  });

  it('ends a task that never ends or that fills its memory, when it has limits', async () => {
    const { records } = await unruly(['loops', 'waits', 'exhausts', 'fine'], {
      workers: 2,
      limits: { seconds: 3, megabytes: 64 },
    });
    expect(records.map(({ status }) => status)).toEqual(['error', 'error', 'error', 'ok']);
    expect(records[0].error).toBe('stopped after 3 s');
    expect(records[1].error).toBe('stopped after 3 s');
    expect(records[2].error).toContain('memory');
  });

  it('reports what a plan claims beside what it is worth', async () => {
    const { records } = await unruly(['lies', 'fine']);
    expect(records[0]).toMatchObject({
      status: 'infeasible',
      feasible: false,
      makespan: null,
      gap_percent: null,
      proven_optimal: false,
      claimed_makespan: 7,
      error: null,
    });
    expect(records[0].violations).toMatchObject({ missing_operation: 4 });
    expect(records[1]).toMatchObject({ makespan: 10, claimed_makespan: 10, violations: {} });
  });

  it('judges a plan the same whether or not it can be saved', async () => {
    const out = temporaryDirectory();
    const saved = await unruly(['mumbles', 'fine'], { out, saveSchedules: true });
    const judged = await unruly(['mumbles', 'fine']);
    expect(withoutSeconds(saved.records)).toEqual(withoutSeconds(judged.records));
  });

  it('tells of every record and of its progress', async () => {
    const seen: string[] = [];
    const progress: number[] = [];
    const { records } = await runBenchmark({
      ...small,
      onRecord: (record) => seen.push(recordKey(record)),
      onProgress: ({ done, kept, total }) => {
        expect([kept, total]).toEqual([0, 12]);
        progress.push(done);
      },
    });
    expect(seen.sort()).toEqual(records.map(recordKey).sort());
    expect(progress).toEqual(Array.from({ length: 13 }, (_, i) => i));
  });

  it('keeps what is finished when it is aborted, and stops the running tasks', async () => {
    const out = temporaryDirectory();
    const controller = new AbortController();
    const result = await unruly(['fine', 'good', 'loops', 'waits', 'never'], {
      out,
      workers: 2,
      signal: controller.signal,
      onProgress: ({ done }) => done === 2 && controller.abort(),
    });
    expect(result.interrupted).toBe(true);
    expect(result.records.map(({ instance }) => instance)).toEqual(['fine', 'good']);
    expect(result.summary).toMatchObject({ records: 2, planned: 5, interrupted: true });
    const stored = readRun(out);
    expect(stored.records).toHaveLength(2);
    expect(stored.manifest).toMatchObject({ interrupted: true, finished: expect.any(String) });
  });

  it('does nothing at all when it is aborted from the start', async () => {
    const result = await runBenchmark({ ...small, signal: AbortSignal.abort() });
    expect(result).toMatchObject({ records: [], interrupted: true });
  });
});

describe('runBenchmark refuses', () => {
  const refused: [string, Partial<RunOptions>, string][] = [
    ['no source', { sources: [] }, 'there is no instance to run'],
    ['no planner', { planners: [] }, 'there is no planner to run'],
    ['an unknown planner', { planners: ['magic'] }, "there is no planner 'magic'"],
    ['half a worker', { workers: 0.5 }, 'workers is 0.5; use a whole number of at least 1'],
    ['no replicates', { replicates: 0 }, 'replicates is 0'],
    ['a negative seed', { seed: -1 }, 'seed is -1'],
    ['a time limit of nothing', { limits: { seconds: 0 } }, 'the time limit of a task is 0'],
    ['schedules that go nowhere', { saveSchedules: true }, 'to save schedules takes a directory'],
    ['to resume nothing', { resume: true }, 'to resume a run takes a directory'],
  ];
  it.each(refused)('%s', async (_what, options, message) => {
    await expect(runBenchmark({ ...small, ...options })).rejects.toThrow(message);
  });

  it('a bad instance before anything is written', async () => {
    const out = join(temporaryDirectory(), 'run');
    const bad = { ...namedSource('bad'), load: () => resolveSources('no/such/file')[0].load() };
    const sources = [namedSource('good'), bad];
    await expect(unruly([], { sources, out })).rejects.toThrow('no/such/file');
    expect(existsSync(out)).toBe(false);
  });

  it('schedules that would overwrite each other', async () => {
    const sources = ['a b', 'a+b'].map(namedSource);
    const options = { sources, saveSchedules: true, out: temporaryDirectory() };
    await expect(unruly([], options)).rejects.toThrow(
      "the schedules of 'a b' and 'a+b' would have the same file name",
    );
  });

  it('a directory that holds a run, and says how to go on with it', async () => {
    const out = temporaryDirectory();
    await unruly(['fine'], { out });
    await expect(unruly(['fine'], { out })).rejects.toThrow(`--resume ${out}`);
    expect(readRecords(join(out, 'records.jsonl'))).toHaveLength(1);
  });

  it('a directory that is a file', async () => {
    const out = 'package.json';
    await expect(unruly(['fine'], { out })).rejects.toThrow(
      'package.json: the directory cannot be made',
    );
  });
});
