import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { openLog, replayRun, stateOfRun, verifyLog } from '../../packages/workflow/src/index.js';
import { createReplayRegistry } from '../../src/harness/index.js';
import { recordKey } from '../../src/harness/records/record.js';
import { resolveSource } from '../../src/jssp/suites.js';
import {
  namedSource,
  runTest,
  type TestRun,
  temporaryDirectory,
  UNRULY,
  withoutSeconds,
} from './fixtures.js';

const all: TestRun = {
  sources: [resolveSource('ft06'), resolveSource('la01')],
  planners: ['dispatch:spt'],
  variants: ['full', 'no-repair', 'no-validation', 'blind-repair', 'no-optimization'],
  optimize: '500-iterations',
};

describe('a run of variants', () => {
  it('makes records of each, in which only what is left out is missing', async () => {
    const { records, manifest, summary } = await runTest(all);
    expect(manifest.spec).toMatchObject({ variants: all.variants, repair: true, rounds: 1 });
    expect(summary.overall.map(({ variant }) => variant)).toEqual(all.variants);
    const of = (wanted: string) => records.find(({ variant }) => variant === wanted);
    expect(of('full')?.stages.optimize).not.toBeNull();
    expect(of('no-optimization')?.stages).toMatchObject({ plan: {}, optimize: null });
    expect(of('no-validation')?.stages).toMatchObject({ plan: null, optimize: {} });
    expect(new Set(records.map(({ seed }) => seed)).size).toBe(2);
  });

  it('is, with full alone, what --repair and --optimize ask for', async () => {
    const named = await runTest({ ...all, variants: ['full'] });
    const asked = await runTest({ ...all, variants: undefined, repair: true });
    expect(withoutSeconds(named.records)).toEqual(withoutSeconds(asked.records));
    const plain = await runTest({ ...all, variants: undefined, optimize: undefined });
    expect(plain.records[0]).toMatchObject({ variant: 'full', stages: { optimize: null } });
  });

  it('refuses variants and rounds that there are not', async () => {
    await expect(runTest({ ...all, variants: ['half' as never] })).rejects.toThrow('half');
    await expect(runTest({ ...all, rounds: 0 })).rejects.toThrow('rounds');
  });
});

describe('a run with a log', () => {
  it('has the same records, and every run in the file verifies and replays', async () => {
    const log = join(temporaryDirectory(), 'run.db');
    const logged = await runTest({ ...all, log, workers: 2 });
    expect(logged.manifest.spec.log).toBe(log);
    expect(withoutSeconds(logged.records)).toEqual(withoutSeconds((await runTest(all)).records));
    const store = openLog(log);
    expect(verifyLog(store)).toMatchObject({ valid: true });
    expect(store.runs()).toHaveLength(10);
    expect(store.runs()).toContain('la01__dispatch-spt__no-repair__0');
    for (const runId of store.runs()) {
      const { input } = stateOfRun(store, runId);
      const registry = createReplayRegistry(input, ({ name }) => resolveSource(name).load());
      expect(await replayRun(store, runId, { registry })).toMatchObject({ parity: true });
    }
    store.close();
  });

  it('goes on with what was cut off, and makes failures again', async () => {
    const out = join(temporaryDirectory(), 'run');
    const log = `${out}.db`;
    const sources = ['fine', 'exits'].map(namedSource);
    const options = { sources, planners: [UNRULY], out, log };
    const { records } = await runTest(options);
    expect(records.map(({ status }) => status)).toEqual(['ok', 'error']);
    // The thread that had the run is gone, its process is not: nobody need wait until its lease has run out.
    const database = new Database(log);
    database.exec('UPDATE leases SET until = 0');
    database.close();
    const again = await runTest({ ...options, resume: true });
    expect(again.records.map(recordKey)).toEqual(records.map(recordKey));
    const store = openLog(log);
    // The thread was lost while it planned: its run is gone on with, not begun anew.
    expect(store.runs()).toHaveLength(2);
    const exits = store.runs().find((runId) => runId.startsWith('exits')) as string;
    const types = [...store.read({ runId: exits })].map(({ eventType }) => eventType);
    expect(types).toEqual(['StartRun', 'StartNode', 'Resume', 'StartNode']);
    store.close();
  });
});
