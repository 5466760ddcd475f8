import {
  costOfTime,
  measureQuality,
  measureStage,
  planStageOnly,
  type RunRecord,
} from '../../src/harness/records/record.js';
import type { Manifest } from '../../src/harness/run/manifest.js';
import { type BenchmarkResult, type RunContext, runBenchmark } from '../../src/harness/run/run.js';
import { type FilledRunSpec, RUN_DEFAULTS, type RunSpec } from '../../src/harness/run/spec.js';
import type { StoredRun } from '../../src/harness/run/stored-run.js';
import { instanceFromJobs } from '../../src/jssp/instance.js';
import type { InstanceSource } from '../../src/jssp/suites.js';

/** A planner whose behaviour depends on the name of the instance: `throws`, `exits`, …. */
export const UNRULY = 'module:test/harness/planners/unruly.mjs';

export { temporaryDirectory } from '../temporary-directory.js';

/** A small instance under any name, as a source that lies in no file. */
export function namedSource(name: string): InstanceSource {
  return {
    name,
    suite: 'names',
    path: `${name}.txt`,
    bounds: null,
    sha256: null,
    load: () =>
      instanceFromJobs(name, [
        [
          [0, 3],
          [1, 2],
        ],
        [
          [1, 4],
          [0, 1],
        ],
      ]),
  };
}

/** A record of a feasible schedule, or of a failure where the makespan is null. */
export function makeRecord(
  changes: Partial<RunRecord> & { makespan: number | null } = { makespan: 110 },
): RunRecord {
  const bounds = { lower_bound: 90, upper_bound: 100, ...changes };
  const feasible = changes.makespan !== null;
  return {
    schema: 'alas-jssp/record@1',
    instance: 'abz5',
    suite: 'abz',
    jobs: 10,
    machines: 10,
    planner: 'dispatch:spt',
    synthetic: false,
    variant: 'full',
    method: null,
    replicate: 0,
    seed: 1,
    objective: 'makespan',
    status: feasible ? 'ok' : 'infeasible',
    feasible,
    tardiness: null,
    claimed_makespan: null,
    claimed_lower_bound: null,
    lower_bound_source: 'own',
    contradiction: null,
    violations: feasible ? {} : { machine_overlap: 3 },
    root_causes: feasible ? {} : { machine_overlap: 1 },
    improvements: [],
    stages: planStageOnly(
      changes.status === 'error' ? null : measureStage(changes.makespan, bounds, costOfTime(0.25)),
    ),
    repair: null,
    disruption: null,
    attribution: null,
    llm: null,
    process: null,
    tokens: { input: 0, output: 0, estimated: false },
    cost_usd: 0,
    answer_seconds: null,
    answer_elapsed_seconds: null,
    seconds: {
      plan: 0.25,
      validate: 0.25,
      repair: null,
      optimize: null,
      execute: null,
      total: 0.5,
    },
    error: null,
    ...bounds,
    ...measureQuality(changes.makespan, bounds),
    ...changes,
  };
}

/** A record of a plan and of what a search made of it. */
export function optimizedRecord(
  planned: number,
  makespan: number,
  changes: Partial<RunRecord> = {},
): RunRecord {
  const record = makeRecord({ makespan, ...changes });
  const search = { status: 'feasible' as const, lower_bound: 95, iterations: 2048 };
  const spent = costOfTime(0.25);
  const optimize = { ...measureStage(makespan, record, spent), ...search };
  const plan = measureStage(planned, record, spent);
  return { ...record, stages: { plan, repair: null, optimize } };
}

/** A finished run of these records, with settings that are not the default. */
export function makeRun(
  records: RunRecord[],
  settings: Partial<FilledRunSpec> = {},
  changes: Partial<Manifest> = {},
): StoredRun {
  const distinct = <Key extends 'instance' | 'planner' | 'variant'>(key: Key) => [
    ...new Set(records.map((record) => record[key])),
  ];
  const spec: FilledRunSpec = {
    ...RUN_DEFAULTS,
    suite: null,
    planners: distinct('planner'),
    variants: distinct('variant') as FilledRunSpec['variants'],
    replicates: 1 + Math.max(...records.map(({ replicate }) => replicate)),
    ...settings,
  };
  const manifest: Manifest = {
    schema: 'alas-jssp/manifest@1',
    command: null,
    version: '0.0.0',
    commit: null,
    spec,
    instances: distinct('instance').map((instance) => ({ instance, suite: 'abz', sha256: 'f00d' })),
    checksums: null,
    machine: { os: 'Linux', cpus: 2, model: 'test', memory_bytes: 1, node: 'v20' },
    outcome: {
      started: '2026-01-01T00:00:00.000Z',
      finished: '2026-01-01T00:00:01.000Z',
      interrupted: false,
      stopped: null,
      spent: null,
    },
    ...changes,
  };
  return { manifest, records };
}

/** What a test runs: a spec and what is handed over besides it. */
export type TestRun = RunSpec & RunContext;

/** Runs what a test says in one object. */
export function runTest(options: TestRun): Promise<BenchmarkResult> {
  const { sources, out, resume, baseline, environment, signal, executor, ...rest } = options;
  const { onRecord, onProgress, onWait, command, commit, ...spec } = rest;
  const files = { sources, out, resume, baseline, command, commit, executor };
  return runBenchmark(spec, { ...files, environment, signal, onRecord, onProgress, onWait });
}

/** Records without what differs from run to run: measured seconds, wherever they stand, and what is seen by the clock. */
export function withoutSeconds(records: readonly RunRecord[]): Omit<RunRecord, 'seconds'>[] {
  return JSON.parse(
    JSON.stringify(records, (key, value) =>
      key.endsWith('seconds') || key === 'improvements' ? undefined : value,
    ),
  );
}
