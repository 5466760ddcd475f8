import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { joinRuns } from '../../../src/harness/records/joined-runs.js';
import { manifestSchema, runDifferences } from '../../../src/harness/run/manifest.js';
import { fillRunSpec } from '../../../src/harness/run/spec.js';
import { readRun } from '../../../src/harness/run/stored-run.js';
import {
  makeRecord,
  makeRun,
  oldManifest,
  runTest,
  temporaryDirectory,
  withoutSeconds,
} from '../fixtures.js';

/** As a run of version 0.1.0 with models and disruptions wrote it. */
const OLD = JSON.parse(readFileSync('test/harness/run/manifest-1.json', 'utf8'));

describe('a manifest of version 1', () => {
  it('is read as the spec that it stands for', () => {
    expect(manifestSchema.parse(OLD)).toEqual({
      schema: 'alas-jssp/manifest@2',
      command: OLD.command,
      version: '0.1.0',
      commit: null,
      spec: fillRunSpec({
        suite: 'ft06',
        planners: ['dispatch:spt', 'openai-compatible:m@http://127.0.0.1:9/v1'],
        variants: ['full', 'no-repair'],
        replicates: 2,
        seed: 7,
        repair: true,
        repairer: 'llm',
        rounds: 3,
        optimize: '1k-iterations',
        disruption: { spec: 'light', methods: ['right-shift', 'lcrp'], policy: 'high-stability' },
        limits: { seconds: 60 },
        saveSchedules: true,
        log: 'run.db',
        workers: 2,
        models: { concurrency: 2, requestsPerMinute: 30, budget: { tokens: 5000, usd: 2 } },
      }),
      instances: OLD.instances,
      checksums: { disruption: 'e0', policy: 'f1' },
      machine: OLD.machine,
      outcome: {
        started: OLD.started,
        finished: OLD.finished,
        interrupted: true,
        stopped: 'the budget of 5000 tokens is spent',
        spent: OLD.models.spent,
      },
    });
  });

  it('may be of before there were repairs, searches, disruptions, logs and models', () => {
    const { manifest, records } = readRun('results/reference/abz');
    expect(records).toHaveLength(10);
    expect(manifest.spec).toEqual(
      fillRunSpec({ suite: 'abz', planners: ['dispatch:best', 'insertion'], workers: 2 }),
    );
    expect(manifest.outcome).toMatchObject({ stopped: null, spent: null });
  });

  it('is compared and joined with one of version 2', () => {
    const old = { directory: 'old', ...readRun('results/reference/abz') };
    const now = { directory: 'now', ...makeRun([makeRecord({ instance: 'x', makespan: 1 })]) };
    expect(joinRuns([old, now]).records).toHaveLength(11);
    const again = { ...old.manifest, spec: { ...old.manifest.spec, rounds: 2 } };
    expect(runDifferences(again, old.manifest)).toEqual(['rounds 2 instead of 1']);
  });

  it('is gone on with, and is of version 2 then', async () => {
    const out = temporaryDirectory();
    const run = { suite: 'ft06', planners: ['dispatch:random'], replicates: 2, seed: 5, out };
    const whole = await runTest({ ...run, repair: true, optimize: '200-iterations' });
    const { spec, outcome } = whole.manifest;
    const old = { ...oldManifest(whole.manifest), finished: null, interrupted: true };
    writeFileSync(join(out, 'manifest.json'), JSON.stringify(old));
    writeFileSync(join(out, 'records.jsonl'), '');
    const resumed = await runTest({ out, resume: true });
    expect(withoutSeconds(resumed.records)).toEqual(withoutSeconds(whole.records));
    const { manifest } = readRun(out);
    expect(manifest.spec).toEqual(spec);
    expect(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))).toMatchObject({
      schema: 'alas-jssp/manifest@2',
      outcome: { started: outcome.started, interrupted: false },
    });
  });
});

describe('a manifest', () => {
  it('lets a program repeat the run', async () => {
    const first = await runTest({ suite: 'ft06', planners: ['insertion'], seed: 2 });
    const again = await runTest({ ...first.manifest.spec });
    expect(withoutSeconds(again.records)).toEqual(withoutSeconds(first.records));
  });
});
