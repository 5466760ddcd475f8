import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { timestamp } from '@alas-jssp/core/clock';
import { InputError } from '@alas-jssp/core/errors';
import { replaceFile } from '@alas-jssp/core/replace-file';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Instance } from '../../jssp/instance.js';
import { type InstanceSource, resolveSources } from '../../jssp/suites.js';
import { requireComparable } from '../records/compare.js';
import { isCutShort, type RunRecord, recordKey } from '../records/record.js';
import { type RunSummary, summarize } from '../records/summary.js';
import { probePlanners } from '../worker/pool.js';
import { type RunDisruption, readDisruption } from './disruption.js';
import type { Executor, PreparedJob, RunJob, TaskResult, WorkEnd } from './executor.js';
import { isFileOf, logRunId, refuseNameClashes, savedFiles } from './file-names.js';
import { fillRunSpec, layOver } from './fill-spec.js';
import { expectedCells, type Manifest, startManifest } from './manifest.js';
import { type Matrix, matrixSize, type OpenCells, openCells } from './matrix.js';
import { keepAnswers, withAnswerPaths } from './model-bundle.js';
import { createRunDirectory, type RunDirectory, resumeRunDirectory } from './run-directory.js';
import type { ModelsContext } from './run-models.js';
import { dueSources, identifyInstances } from './sources.js';
import type { FilledRunSpec, RunSpec } from './spec.js';
import { readManifest, type StoredRun } from './stored-run.js';
import { threadExecutor } from './thread-executor.js';

/** The context of a run besides its spec: its directory, executor and listeners. */
export interface RunContext extends ModelsContext {
  /** Instances that are already loaded. Default: those of the suite of the spec. */
  readonly sources?: readonly InstanceSource[] | undefined;
  /** Directory of the run. Without it no file is written. */
  readonly out?: string | undefined;
  /** Resumes the run in `out`: makes missing and failed records. Settings that the spec omits are kept. */
  readonly resume?: boolean | undefined;
  /** Baseline; a run that cannot be compared with it is refused before it starts. */
  readonly baseline?: StoredRun | undefined;
  /** Executor of the tasks. Default: threads of this process. */
  readonly executor?: Executor | undefined;
  /** Ends the run early: finished records are kept, running tasks are stopped. */
  readonly signal?: AbortSignal | undefined;
  /** Receives every new record, in the order of completion. */
  readonly onRecord?: ((record: RunRecord) => void) | undefined;
  /** Receives the progress of the run, at its start and after every record. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** Receives notices of the executor, one line each, such as that no worker takes its tasks. */
  readonly onNotice?: ((line: string) => void) | undefined;
  /** For the manifest: the command line, and the commit of this package. */
  readonly command?: string | null | undefined;
  readonly commit?: string | null | undefined;
}

/** The progress of a run. */
export interface RunProgress {
  /** Number of existing records. */
  readonly done: number;
  /** Records that existed before the run was resumed. */
  readonly kept: number;
  readonly total: number;
}

/** The result of a run; its records are in the order of the matrix. */
export interface BenchmarkResult extends StoredRun {
  readonly summary: RunSummary;
  /** True if the run ended before all records were made, or cut one short. */
  readonly interrupted: boolean;
  /** The reason of an early end other than an abort: its budget is spent. */
  readonly stopped: string | null;
}

/** A run with a checked spec and all files read. */
interface Run extends RunContext {
  readonly spec: FilledRunSpec;
  readonly sources: readonly InstanceSource[];
  readonly disruption: RunDisruption | null;
}

/** The records of a run, including earlier ones, and how the work ended. */
interface Made extends WorkEnd {
  readonly records: ReadonlyMap<string, RunRecord>;
}

/**
 * Runs every planner on every instance in worker threads, or with the executor of the context, and returns the
 * validated results. Apart from measured seconds, records depend only on the seed, not on the executor or the number of
 * workers. Tasks are created one at a time as workers become free, so a matrix may have any size.
 *
 * An instance that can no longer be loaded makes error records, like a planner that fails.
 *
 * @throws InputError if a planner, source, number, baseline, directory or log is invalid; nothing has been run or
 *   written then
 */
export async function runBenchmark(
  given: RunSpec,
  context: RunContext = {},
): Promise<BenchmarkResult> {
  const run = readyRun(given, context);
  const { spec } = run;
  const check = (instance: Instance) => void run.disruption?.resolve(instance);
  const matrix: Matrix = {
    ...spec,
    instances: identifyInstances(run.sources, check, undefined, spec.objective),
  };
  const { command = null, commit = null, executor = threadExecutor } = context;
  const instances = matrix.instances.map(({ name, suite, sha256 }) => {
    return { instance: name, suite, sha256 };
  });
  const checksums = run.disruption?.checksums ?? null;
  const planned = startManifest(spec, { command, commit, on: executor.on, instances, checksums });
  if (context.baseline !== undefined) requireComparable(planned, context.baseline);
  const job = await executor.prepare(jobOf(run, matrix));
  await probePlanners(spec.planners, spec.limits, context.signal);
  await openLogFile(spec);
  const directory = openDirectory(run, planned);
  try {
    const kept = new Set(directory?.kept.map(recordKey));
    await requireUnchangedRuns(run, openCells(matrix, kept));
    const manifest = directory?.manifest ?? planned;
    const made = await makeRecords(run, job, matrix, directory, manifest);
    const { records, spent } = made;
    // The threads have ended: their write-ahead files are merged into the log.
    await openLogFile(spec);
    const total = matrixSize(matrix);
    const cells = [...expectedCells(manifest)];
    const ordered = cells.flatMap((cell) => records.get(recordKey(cell)) ?? []);
    const interrupted = ordered.length < total || ordered.some(isCutShort);
    const summary = summarize(ordered, total, interrupted);
    const stopped = interrupted ? made.stopped : null;
    const { started } = manifest.outcome;
    const outcome = { started, finished: timestamp(), interrupted, stopped, spent };
    const finished = { ...manifest, outcome };
    directory?.finish(finished, ordered, summary);
    return { manifest: finished, records: ordered, summary, interrupted, stopped };
  } finally {
    directory?.close();
  }
}

/** Checks and completes the spec, and reads its files. */
function readyRun(given: RunSpec, context: RunContext): Run {
  const { out, resume = false } = context;
  if (out === '') refuse('no_out', 'the directory of the run has no name', 'name one');
  if (resume && out === undefined) {
    refuse('no_out', 'to resume a run takes a directory', 'name it as `out`');
  }
  // A caller that provides instances may omit the suite.
  const named = context.sources === undefined ? given : { ...given, suite: given.suite ?? null };
  const before = resume && out !== undefined ? readManifest(out).spec : null;
  const spec = fillRunSpec(before === null ? named : layOver(before, named));
  if (spec.saveSchedules && out === undefined) {
    refuse('no_out', 'to save schedules takes a directory', 'name it with --out, or as `out`');
  }
  const { suite } = spec;
  const files = context.sources ?? (suite === null ? [] : resolveSources(suite));
  const sources = dueSources(files, spec.dueTightness);
  if (sources.length === 0) refuse('no_sources', 'there is no instance to run', 'name a suite');
  if (spec.saveSchedules || spec.log !== null) {
    refuseNameClashes(
      sources.map(({ name }) => name),
      spec,
    );
  }
  const disruption = spec.disruption === null ? null : readDisruption(spec.disruption, sources);
  return { ...context, sources, spec, disruption };
}

function jobOf(run: Run, { instances }: Matrix): RunJob {
  const { spec, disruption, out, resume = false, signal, environment } = run;
  const { onWait = () => {}, onNotice = () => {} } = run;
  const shared = { signal, environment, onWait, onNotice };
  return { spec, instances, disruption, out, resume, ...shared };
}

function refuse(code: string, problem: string, hint: string): never {
  throw new InputError(code, problem, hint);
}

function openDirectory({ out, resume }: Run, manifest: Manifest): RunDirectory | null {
  if (out === undefined) return null;
  return resume ? resumeRunDirectory(out, manifest) : createRunDirectory(out, manifest);
}

/** Makes the missing records and stores each one when it is done. */
async function makeRecords(
  run: Run,
  job: PreparedJob,
  matrix: Matrix,
  directory: RunDirectory | null,
  manifest: Manifest,
): Promise<Made> {
  const { onRecord, onProgress, out, spec } = run;
  const records = new Map(directory?.kept.map((record) => [recordKey(record), record]));
  const kept = records.size;
  const total = matrixSize(matrix);
  onProgress?.({ done: kept, kept, total });
  const takeRecord = (record: RunRecord): void => {
    records.set(recordKey(record), record);
    directory?.append(record);
    onRecord?.(record);
    onProgress?.({ done: records.size, kept, total });
  };
  const take = (result: TaskResult): void => {
    keepAnswers(run, result.answers);
    for (const record of result.records) {
      if (records.has(recordKey(record))) continue;
      if (out !== undefined && spec.saveSchedules) saveTexts(out, record, result);
      takeRecord(withAnswerPaths(run, record));
    }
  };
  const done = new Set(records.keys());
  const end = await job.execute({ id: runId(manifest, out), done, take });
  return { ...end, records };
}

/** Writes the files of a record from a remote worker. */
function saveTexts(out: string, record: RunRecord, { files }: TaskResult): void {
  for (const { name, text } of files) {
    const file = join(out, name);
    if (isFileOf(savedFiles(out, record), file)) replaceFile(file, text);
  }
}

/** The id of a run, which its directory keeps; a run without a directory gets a new one. */
function runId(
  { outcome, machine, command, instances }: Manifest,
  out: string | undefined,
): string {
  const own = out === undefined ? randomUUID() : null;
  return sha256(JSON.stringify([outcome.started, machine, command, instances, own])).slice(0, 16);
}

/** Creates the file of a log, or refuses one that cannot be written, before anything runs. */
async function openLogFile({ log }: FilledRunSpec): Promise<void> {
  if (log === null) return;
  const { openSqliteStore } = await import('@alas-jssp/workflow');
  openSqliteStore(log).close();
}

/**
 * Refuses to resume runs whose log was changed.
 *
 * @param open the open cells; only their runs are verified
 * @throws InputError `changed_log`
 */
async function requireUnchangedRuns(
  { spec: { log }, resume }: Run,
  open: Iterable<OpenCells>,
): Promise<void> {
  if (log === null || !resume) return;
  const { openSqliteStore, requireUnchanged } = await import('@alas-jssp/workflow');
  const ids = new Set<string>();
  for (const { cells } of open) ids.add(logRunId(cells[0]));
  const store = openSqliteStore(log);
  try {
    for (const runId of store.runs()) {
      // Repeated runs have a number after the id.
      if (ids.has(runId.replace(/~\d+$/, ''))) requireUnchanged(store, runId, log);
    }
  } finally {
    store.close();
  }
}
