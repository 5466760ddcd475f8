import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { InputError } from '@alas-jssp/core/errors';
import { describe, expect, it } from 'vitest';
import { recordKey } from '../../../src/harness/records/record.js';
import { formatRecord, readRecords } from '../../../src/harness/records/record-file.js';
import { readRun } from '../../../src/harness/run/stored-run.js';
import { defaultMegabytes } from '../../../src/harness/worker/pool.js';
import { readPlan } from '../../../src/jssp/formats/read-plan.js';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { resolveSources } from '../../../src/jssp/suites.js';
import { validate } from '../../../src/validator/index.js';
import {
  namedSource,
  runTest,
  type TestRun,
  temporaryDirectory,
  UNRULY,
  withoutSeconds,
} from '../fixtures.js';

const small: TestRun = {
  sources: resolveSources('ft06,la01,la02'),
  planners: ['dispatch:mwkr', 'dispatch:random'],
  replicates: 2,
  seed: 7,
};

function unruly(names: readonly string[], options: Partial<TestRun> = {}) {
  return runTest({ sources: names.map(namedSource), planners: [UNRULY], ...options });
}

describe('runBenchmark', () => {
  it('makes the same records on one worker and on three', async () => {
    const one = await runTest({ ...small, workers: 1 });
    const three = await runTest({ ...small, workers: 3 });
    expect(one.records).toHaveLength(12);
    expect(one.records.every(({ feasible }) => feasible)).toBe(true);
    expect(withoutSeconds(three.records)).toEqual(withoutSeconds(one.records));
  });

  it('gives each replicate randomness of its own, and another base seed other randomness', async () => {
    const options = { ...small, planners: ['dispatch:random'], replicates: 5 };
    const { records } = await runTest(options);
    const other = await runTest({ ...options, seed: 8 });
    expect(new Set(records.map(({ seed }) => seed)).size).toBe(15);
    expect(new Set(records.map(({ makespan }) => makespan)).size).toBeGreaterThan(3);
    expect(other.records.map(({ makespan }) => makespan)).not.toEqual(
      records.map(({ makespan }) => makespan),
    );
  });

  it('writes manifest, records, summary and the judged schedules', async () => {
    const out = join(temporaryDirectory(), 'deep', 'run');
    const result = await runTest({
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
      'stages',
      'summary.json',
    ]);
    const { manifest, records } = readRun(out);
    expect(manifest).toEqual(result.manifest);
    expect(manifest).toMatchObject({
      command: 'alas-jssp run',
      spec: { seed: 7 },
      outcome: { interrupted: false },
    });
    expect(manifest.instances.map(({ instance }) => instance)).toEqual(['ft06', 'la01', 'la02']);
    expect(readFileSync(join(out, 'records.jsonl'), 'utf8')).toBe(
      result.records.map(formatRecord).join(''),
    );
    expect(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'))).toEqual(result.summary);

    expect(readdirSync(join(out, 'schedules'))).toHaveLength(12);
    for (const { name, load } of resolveSources('ft06,la01,la02')) {
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
    const { records, summary } = await runTest({ ...small, replicates: 1 });
    expect(records).toHaveLength(6);
    expect(summary).toMatchObject({ records: 6, planned: 6, interrupted: false });
  });

  it('makes one record with status error of whatever a planner does to its worker thread', async () => {
    const names = [
      ...['throws', 'exits', 'crashes', 'hurls', 'rejects', 'shrugs', 'answers'],
      ...['exits2', 'fine'],
    ];
    const { records, interrupted } = await unruly(names, { workers: 2 });
    expect(interrupted).toBe(false);
    expect(Object.fromEntries(records.map(({ instance, error }) => [instance, error]))).toEqual({
      throws: 'no plan for this',
      exits: 'the planner ended its thread, with exit code 3',
      crashes: 'out of the blue',
      hurls: 'null was thrown',
      rejects: 'too hard',
      shrugs: 'undefined was thrown',
      answers: expect.stringContaining('the planner returned neither a plan nor a schedule'),
      exits2: null,
      fine: null,
    });
    const failed = records.filter(({ status }) => status === 'error');
    expect(failed).toHaveLength(7);
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
    const { records } = await runTest({
      sources,
      planners: [exiting, UNRULY],
      workers: 2,
    });
    expect(records.filter(({ status }) => status === 'error')).toHaveLength(6);
    expect(records.filter(({ status }) => status === 'ok')).toHaveLength(6);
  });

  it('ends a task that never ends or that fills its memory, when it has limits', async () => {
    const slow = await unruly(['loops', 'waits', 'fine'], {
      workers: 2,
      limits: { seconds: 2 },
    });
    expect(slow.records.map(({ status }) => status)).toEqual(['error', 'error', 'ok']);
    expect(slow.records[0].error).toBe('stopped after 2 s');
    expect(slow.records[1].error).toBe('stopped after 2 s');
    // However long that takes.
    const large = await unruly(['exhausts', 'fine'], { limits: { megabytes: 64 } });
    expect(large.records.map(({ status }) => status)).toEqual(['error', 'ok']);
    expect(large.records[0].error).toBe('the planner ran out of memory');
  });

  it('counts the time of the planner only: no start of threads, no queue, no import', async () => {
    const sources = Array.from({ length: 8 }, (_, i) => namedSource(`x${i}`));
    const planners = ['module:test/harness/planners/slow-start.mjs'];
    const limits = { seconds: 2 };
    const { records } = await runTest({ sources, planners, workers: 4, limits });
    expect(records.map(({ error }) => error)).toEqual(Array(8).fill(null));
  });

  it('does not take it for the time of the planner when the main thread is busy', async () => {
    const busy = {
      ...namedSource('busy'),
      load() {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
        return namedSource('busy').load();
      },
    };
    const { records } = await runTest({
      sources: [namedSource('dawdles'), busy],
      planners: [UNRULY],
      workers: 2,
      limits: { seconds: 2 },
    });
    expect(records.map(({ status }) => status)).toEqual(['ok', 'ok']);
  });

  it('gives every thread a limited heap, also where none is asked for', async () => {
    const { records } = await unruly(['measures']);
    expect(records[0].claimed_makespan).toBe(defaultMegabytes(1));
    expect(defaultMegabytes(1, 8 * 2 ** 30)).toBe(2048);
    expect(defaultMegabytes(4, 12 * 2 ** 30)).toBe(1536);
    expect(defaultMegabytes(64, 8 * 2 ** 30)).toBe(1024);
  });

  it('lets no planner change what the judge and the others see', async () => {
    const others = [UNRULY, 'dispatch:spt'];
    const sources = ['scales', 'fine'].map(namedSource);
    const { records } = await runTest({ sources, planners: others, workers: 1 });
    const honest = await runTest({
      sources: ['scales', 'fine'].map(namedSource),
      planners: ['dispatch:spt'],
    });
    const [scaled, ...rest] = records;
    expect(scaled).toMatchObject({ status: 'infeasible', claimed_makespan: 4 });
    expect(scaled.violations).toMatchObject({ wrong_machine: 2, wrong_duration: 3 });
    expect(withoutSeconds(rest.filter(({ planner }) => planner === 'dispatch:spt'))).toEqual(
      withoutSeconds(honest.records),
    );
    expect(rest.every(({ feasible }) => feasible)).toBe(true);
  });

  it('keeps what planners print and send away from its own output', async () => {
    const program = `
      import { runBenchmark } from 'alas-jssp';
      import { instanceFromJobs } from 'alas-jssp/jssp';
      const load = () => instanceFromJobs('prints', [[[0, 3]]]);
      const source = { name: 'prints', suite: 's', path: 'p', bounds: null, sha256: null, load };
      const { records } = await runBenchmark({ planners: ['${UNRULY}'] }, { sources: [source] });
      process.stdout.write(records[0].status);
    `;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      program,
    ]);
    expect(stdout).toBe('ok');
    expect(stderr).toBe('to be ignored\nthis, too\n');
  });

  it('makes error records of an instance that can no longer be loaded, and finishes', async () => {
    const out = temporaryDirectory();
    let loads = 0;
    const fading = {
      ...namedSource('fading'),
      load() {
        if (loads++ > 0) throw new InputError('gone', 'the file is gone', 'bring it back');
        // Too large to stay in memory, so that it is read again when its turn comes.
        const nothing = new Array(4_000_000).fill([0, 0]);
        return instanceFromJobs('fading', [
          nothing.concat([
            [0, 3],
            [1, 2],
          ]),
          [
            [1, 4],
            [0, 1],
          ],
        ]);
      },
    };
    const options = { planners: ['dispatch:spt', 'insertion'], out };
    const sources = [namedSource('a'), fading, namedSource('z')].map((source) => ({
      ...source,
      sha256: source.name,
    }));
    const { records, summary } = await runTest({ ...options, sources });
    expect(records.map(({ status }) => status)).toEqual(['ok', 'ok', 'error', 'error', 'ok', 'ok']);
    expect(records[2]).toMatchObject({
      instance: 'fading',
      jobs: 2,
      lower_bound: 6,
      error: 'the file is gone; bring it back',
    });
    expect(summary).toMatchObject({ records: 6, interrupted: false });
    expect(readRun(out).manifest.outcome.finished).not.toBeNull();

    const again = {
      ...options,
      sources: sources.map(({ name }) => ({ ...namedSource(name), sha256: name })),
    };
    const resumed = await runTest({ ...again, resume: true });
    expect(resumed.records.every(({ feasible }) => feasible)).toBe(true);
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

  it('saves a plan that the plan format cannot tell as it is, with the reason', async () => {
    const out = temporaryDirectory();
    await unruly(['mumbles', 'strays'], { out, saveSchedules: true });
    const [mumbled, strayed] = readdirSync(join(out, 'schedules'))
      .sort()
      .map((file) => JSON.parse(readFileSync(join(out, 'schedules', file), 'utf8')));
    expect(mumbled).toMatchObject({ schema: 'alas-jssp/plan@1' });
    expect(strayed).toMatchObject({
      schema: 'alas-jssp/raw-plan@1',
      instance: 'strays',
      reason: 'entry 1 of the plan holds a number that is not finite',
      entries: [{ job: 0, step: 0, machine: 0, start: 'NaN', end: 3 }],
    });
  });

  it('tells of every record and of its progress', async () => {
    const seen: string[] = [];
    const progress: number[] = [];
    const { records } = await runTest({
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
    expect(stored.manifest.outcome).toMatchObject({
      interrupted: true,
      finished: expect.any(String),
    });
  });

  it('does nothing at all when it is aborted from the start', async () => {
    const result = await runTest({ ...small, signal: AbortSignal.abort() });
    expect(result).toMatchObject({ records: [], interrupted: true });
  });
});

describe('runBenchmark refuses', () => {
  const refused: [string, Partial<TestRun>, string][] = [
    ['no source', { sources: [] }, 'there is no instance to run'],
    ['no planner', { planners: [] }, 'there is no planner to run'],
    ['an unknown planner', { planners: ['magic'] }, "there is no planner 'magic'"],
    ['half a worker', { workers: 0.5 }, 'workers is 0.5; use a whole number of at least 1'],
    ['no replicates', { replicates: 0 }, 'replicates is 0'],
    ['a negative seed', { seed: -1 }, 'seed is -1'],
    [
      'a time limit of nothing',
      { limits: { seconds: 0 } },
      'time limit is 0; use seconds up to 2000000',
    ],
    ['schedules that go nowhere', { saveSchedules: true }, 'to save schedules takes a directory'],
    ['to resume nothing', { resume: true }, 'to resume a run takes a directory'],
  ];
  it.each(refused)('%s', async (_what, options, message) => {
    await expect(runTest({ ...small, ...options })).rejects.toThrow(message);
  });

  it.each([
    ['that exports no planner', 'watch-out.mjs', 'export const x = 1', 'exports no planner'],
    ['that is no JavaScript', 'broken.mjs', 'let a; let a;', 'loaded: SyntaxError: Identifier'],
    ['that ends its thread', 'leaving.mjs', 'process.exit(0)', 'with exit code 0; let the module'],
  ])('a module %s before anything is written', async (_what, name, code, message) => {
    const directory = temporaryDirectory();
    const out = join(directory, 'run');
    writeFileSync(join(directory, name), code);
    const planners = [`module:${join(directory, name)}`, 'dispatch:spt'];
    await expect(runTest({ ...small, planners, out })).rejects.toThrow(message);
    expect(existsSync(out)).toBe(false);
  });

  it('a baseline that the run could not be compared with before anything is written', async () => {
    const out = join(temporaryDirectory(), 'run');
    const baseline = await runTest({ ...small, seed: 8 });
    await expect(runTest({ ...small, out, baseline })).rejects.toThrow('seed 7 instead of 8');
    expect(existsSync(out)).toBe(false);
    await expect(runTest({ ...small, seed: 8, out, baseline })).resolves.toMatchObject({
      interrupted: false,
    });
  });

  it('a directory that another run is writing to', async () => {
    const out = temporaryDirectory();
    const end = new AbortController();
    const first = unruly(['waits'], { out, signal: end.signal });
    await expect(unruly(['fine'], { out, resume: true })).rejects.toThrow('there is no run in');
    while (!existsSync(join(out, 'manifest.json'))) await setTimeout(10);
    await expect(unruly(['waits'], { out, resume: true })).rejects.toThrow(
      'another run is writing to this directory',
    );
    end.abort();
    await first;
    expect(existsSync(join(out, 'run.lock'))).toBe(false);
  });

  it('a directory without a name', async () => {
    await expect(unruly(['fine'], { out: '' })).rejects.toThrow(
      'the directory of the run has no name',
    );
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
      'package.json: this is a file, a run needs a directory; choose another one',
    );
  });
});
