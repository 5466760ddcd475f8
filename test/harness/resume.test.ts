import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { formatRecord } from '../../src/harness/records/record-file.js';
import type { BenchmarkResult } from '../../src/harness/run/run.js';
import { readRun } from '../../src/harness/run/stored-run.js';
import { resolveSources } from '../../src/jssp/suites.js';
import {
  makeRecord,
  namedSource,
  runTest,
  type TestRun,
  temporaryDirectory,
  UNRULY,
  withoutSeconds,
} from './fixtures.js';

const options: TestRun = {
  sources: resolveSources('ft06,la01'),
  planners: ['dispatch:random', 'dispatch:spt'],
  replicates: 2,
  seed: 3,
};

let whole: BenchmarkResult;
beforeAll(async () => {
  whole = await runTest(options);
});

/** A directory as a run with these options leaves it, with other records. */
function directoryWith(records: string | Buffer): string {
  const directory = temporaryDirectory();
  const manifest = {
    ...whole.manifest,
    outcome: { ...whole.manifest.outcome, finished: null },
  };
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(directory, 'records.jsonl'), records);
  return directory;
}

const resume = (out: string, changes: Partial<TestRun> = {}) =>
  runTest({ ...options, out, resume: true, ...changes });

describe('a resumed run', () => {
  it('has the records of an uninterrupted one, wherever its file was cut off', async () => {
    const bytes = Buffer.from(whole.records.map(formatRecord).join(''));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length),
        fc.integer({ min: 1, max: 2 }),
        async (cut, workers) => {
          const out = directoryWith(bytes.subarray(0, cut));
          const kept = readRun(out).records;
          const made: string[] = [];
          const resumed = await resume(out, {
            workers,
            onRecord: (record) => made.push(formatRecord(record)),
          });
          expect(withoutSeconds(resumed.records)).toEqual(withoutSeconds(whole.records));
          expect(made).toHaveLength(whole.records.length - kept.length);
          const stored = readRun(out);
          expect(stored.records).toEqual(resumed.records);
          expect(stored.records.map(formatRecord).sort()).toEqual(
            [...kept.map(formatRecord), ...made].sort(),
          );
          expect(stored.manifest).toMatchObject({
            outcome: { interrupted: false, started: whole.manifest.outcome.started },
          });
        },
      ),
      {
        numRuns: 8,
        examples: [
          [0, 2],
          [bytes.length, 1],
          [bytes.length - 1, 1],
        ],
      },
    );
  });

  it('does again what ended with an error, and nothing else', async () => {
    const failed = { ...whole.records[2], status: 'error' as const, feasible: false };
    const records = whole.records.with(2, failed);
    const out = directoryWith(records.map(formatRecord).join(''));
    const made: number[] = [];
    const resumed = await resume(out, { onRecord: ({ seed }) => made.push(seed) });
    expect(made).toEqual([whole.records[2].seed]);
    expect(withoutSeconds(resumed.records)).toEqual(withoutSeconds(whole.records));
    expect(readRun(out).records).toHaveLength(whole.records.length);
  });

  it('goes on after an abort', async () => {
    const out = temporaryDirectory();
    const controller = new AbortController();
    const first = await runTest({
      ...options,
      out,
      signal: controller.signal,
      onProgress: ({ done }) => done === 3 && controller.abort(),
    });
    expect(first).toMatchObject({ interrupted: true });
    expect(first.records).toHaveLength(3);
    const second = await resume(out);
    expect(withoutSeconds(second.records)).toEqual(withoutSeconds(whole.records));
    expect(second.interrupted).toBe(false);
  });

  it('starts anew where a run was killed before its first record', async () => {
    const out = directoryWith('');
    rmSync(join(out, 'records.jsonl'));
    const resumed = await resume(out);
    expect(withoutSeconds(resumed.records)).toEqual(withoutSeconds(whole.records));
  });

  it('is refused in a directory without a run', async () => {
    const out = temporaryDirectory();
    await expect(resume(out)).rejects.toThrow(
      `there is no run in ${out}; name the directory of a run, or start one there with --out`,
    );
  });

  it('is refused where the manifest is lost, as is a new run there', async () => {
    const out = directoryWith(formatRecord(whole.records[0]));
    rmSync(join(out, 'manifest.json'));
    const message = 'this directory has records but no manifest.json';
    await expect(resume(out)).rejects.toThrow(message);
    await expect(resume(out, { resume: false })).rejects.toThrow(message);
    expect(() => readRun(out)).toThrow(message);
  });

  it('takes the limits of the run that it goes on with, and refuses others', async () => {
    const out = temporaryDirectory();
    await runTest({ ...options, out, limits: { seconds: 50 } });
    const { manifest } = await resume(out);
    expect(manifest.spec.limits).toEqual({ seconds: 50, megabytes: null, threads: 1 });
    await expect(resume(out, { limits: { seconds: 40, megabytes: 500 } })).rejects.toThrow(
      'time limit 40 s instead of 50 s; memory limit 500 MB instead of none',
    );
  });

  it('takes over from a process that is gone', async () => {
    const out = directoryWith('');
    writeFileSync(join(out, 'run.lock'), `${process.pid} ${hostname()}\n`);
    await resume(out);
    expect(existsSync(join(out, 'run.lock'))).toBe(false);
  });

  it('does not take over from another computer, and says what to delete', async () => {
    const out = directoryWith('');
    writeFileSync(join(out, 'run.lock'), '1 elsewhere\n');
    await expect(resume(out)).rejects.toThrow('run.lock if there is no such process');
  });

  it('is refused with other settings, and says which differ', async () => {
    const before = whole.records.map(formatRecord).join('');
    const out = directoryWith(before);
    const other = { planners: ['insertion'], replicates: 3, seed: 4, saveSchedules: true };
    await expect(resume(out, other)).rejects.toThrow(
      'the run to resume was started with other settings: ' +
        'planners insertion instead of dispatch:random, dispatch:spt; replicates 3 instead of 2; ' +
        'seed 4 instead of 3; saving of schedules on instead of off; give the settings',
    );
    await expect(resume(out, { sources: resolveSources('ft06,la02') })).rejects.toThrow(
      'instances that were not in it: la02; instances left out: la01',
    );
    await expect(resume(out, { commit: 'abc' })).rejects.toThrow('commit abc instead of null');
    expect(readFileSync(join(out, 'records.jsonl'), 'utf8')).toBe(before);
  });

  it('is refused when an instance has other numbers now', async () => {
    const out = temporaryDirectory();
    const run = (changes: Partial<TestRun>) =>
      runTest({ sources: [namedSource('a')], planners: [UNRULY], out, ...changes });
    await run({});
    const changed = { ...namedSource('a'), load: resolveSources('ft06')[0].load };
    await expect(run({ sources: [changed], resume: true })).rejects.toThrow(
      'instances with other numbers: a',
    );
  });

  it('is refused when a record belongs to no cell of the run', async () => {
    const stranger = makeRecord({ makespan: 1, instance: 'stranger' });
    const out = directoryWith(formatRecord(whole.records[0]) + formatRecord(stranger));
    await expect(resume(out)).rejects.toThrow('records.jsonl:2: this record does not belong');
  });

  it('is refused when the manifest is damaged', async () => {
    const out = directoryWith('');
    writeFileSync(join(out, 'manifest.json'), '{"schema": "alas-jssp/manifest@1"');
    await expect(resume(out)).rejects.toThrow('manifest.json:1: the JSON ends too early');
    cpSync('package.json', join(out, 'manifest.json'));
    await expect(resume(out)).rejects.toThrow(
      'manifest.json:$.schema: expected "alas-jssp/manifest@1"',
    );
  });
});
