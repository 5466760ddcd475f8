import { timestamp } from '../../core/clock.js';
import { errorLine, InputError } from '../../core/errors.js';
import type { Instance } from '../../jssp/instance.js';
import { type InstanceSource, resolveSources } from '../../jssp/suites.js';
import { isModelSpec } from '../../llm/planner-spec.js';
import { pipelineWorkflow } from '../../pipeline/pipeline-workflow.js';
import { lostRecord } from '../records/build-record.js';
import { requireComparable } from '../records/compare.js';
import { isCutShort, type RunRecord, recordKey } from '../records/record.js';
import { type RunSummary, summarize } from '../records/summary.js';
import { createWorkerPool, probePlanners, type WorkerPool } from '../worker/pool.js';
import { stagesOf } from '../worker/task.js';
import { type RunDisruption, readDisruption } from './disruption.js';
import { logRunId, refuseNameClashes, savedFiles } from './file-names.js';
import { expectedCells, type Manifest, startManifest } from './manifest.js';
import { type Matrix, matrixSize, type OpenCells, openCells } from './matrix.js';
import { createRunDirectory, type RunDirectory, resumeRunDirectory } from './run-directory.js';
import { type ModelsContext, openRunModels, type RunModels } from './run-models.js';
import { identifyInstances } from './sources.js';
import { askingPlanners, type FilledRunSpec, fillRunSpec, layOver, type RunSpec } from './spec.js';
import { readManifest, type StoredRun } from './stored-run.js';

/** All that a run is handed besides its spec: where it is written, and who is told of it. */
export interface RunContext extends ModelsContext {
  /** Instances that are there already. Default: those of the suite of the spec. */
  readonly sources?: readonly InstanceSource[] | undefined;
  /** Directory of the run. Without it nothing is written. */
  readonly out?: string | undefined;
  /**
   * Goes on with the run in `out`: does what is missing and what ended with an error. What the spec does
   * not say is as it was.
   */
  readonly resume?: boolean | undefined;
  /** A run that could not be compared with this one is refused before it begins. */
  readonly baseline?: StoredRun | undefined;
  /** Ends the run early: what is finished is kept, running tasks are stopped. */
  readonly signal?: AbortSignal | undefined;
  /** Told of every new record, in the order in which they finish. */
  readonly onRecord?: ((record: RunRecord) => void) | undefined;
  /** Told how far the run is: at its start and after every record. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** For the manifest: the command line, and the commit of this package. */
  readonly command?: string | null | undefined;
  readonly commit?: string | null | undefined;
}

/** How far a run is. */
export interface RunProgress {
  /** Records that are there. */
  readonly done: number;
  /** Those of them that were there before the run was resumed. */
  readonly kept: number;
  readonly total: number;
}

/** A run that has ended; its records are in the order of the matrix. */
export interface BenchmarkResult extends StoredRun {
  readonly summary: RunSummary;
  /** True if the run ended before all records were made, or cut one short. */
  readonly interrupted: boolean;
  /** Why, if not because it was aborted: its budget is spent. */
  readonly stopped: string | null;
}

/** A run whose spec was checked and whose files were read. */
interface Run extends RunContext {
  readonly spec: FilledRunSpec;
  readonly sources: readonly InstanceSource[];
  readonly disruption: RunDisruption | null;
}

/**
 * Runs every planner on every instance in worker threads and returns the judged results. Apart
 * from the measured seconds the records depend on the seed alone, not on the number of workers.
 * Tasks are made one at a time as workers become free, so a matrix may be of any size.
 *
 * An instance that can no longer be loaded makes error records, like a planner that fails.
 *
 * @throws InputError if a planner, source, number, baseline, directory or log is no good; nothing
 *   has been run or written then
 */
export async function runBenchmark(
  given: RunSpec,
  context: RunContext = {},
): Promise<BenchmarkResult> {
  const run = readyRun(given, context);
  const { spec } = run;
  const check = (instance: Instance) => void run.disruption?.resolve(instance);
  const matrix: Matrix = { ...spec, instances: identifyInstances(run.sources, check) };
  const { command = null, commit = null } = context;
  const instances = matrix.instances.map(({ name, suite, sha256 }) => {
    return { instance: name, suite, sha256 };
  });
  const checksums = run.disruption?.checksums ?? null;
  const planned = startManifest(spec, { command, commit, instances, checksums });
  if (context.baseline !== undefined) requireComparable(planned, context.baseline);
  const models = await openRunModels(askingPlanners(spec), spec, context);
  await probePlanners(spec.planners, spec.limits, context.signal);
  await openLogFile(spec);
  const directory = openDirectory(run, planned);
  try {
    const kept = new Set(directory?.kept.map(recordKey));
    await requireUnchangedRuns(run, openCells(matrix, kept));
    const manifest = directory?.manifest ?? planned;
    const records = await makeRecords(run, matrix, directory, models);
    // The threads are gone: what they left beside the file of the log goes into it.
    await openLogFile(spec);
    const total = matrixSize(matrix);
    const cells = [...expectedCells(manifest)];
    const ordered = cells.flatMap((cell) => records.get(recordKey(cell)) ?? []);
    const interrupted = ordered.length < total || ordered.some(isCutShort);
    const summary = summarize(ordered, total, interrupted);
    const stopped = interrupted ? (models?.stopped() ?? null) : null;
    const spent = models === null ? null : await models.spent();
    const { started } = manifest.outcome;
    const outcome = { started, finished: timestamp(), interrupted, stopped, spent };
    const finished = { ...manifest, outcome };
    directory?.finish(finished, ordered, summary);
    return { manifest: finished, records: ordered, summary, interrupted, stopped };
  } finally {
    directory?.close();
  }
}

/** Checks and fills the spec, and reads what it names. */
function readyRun(given: RunSpec, context: RunContext): Run {
  const { out, resume = false } = context;
  if (out === '') refuse('no_out', 'the directory of the run has no name', 'name one');
  if (resume && out === undefined) {
    refuse('no_out', 'to resume a run takes a directory', 'name it as `out`');
  }
  // Whoever hands over instances may give them a name, and need not.
  const named = context.sources === undefined ? given : { ...given, suite: given.suite ?? null };
  const before = resume && out !== undefined ? readManifest(out).spec : null;
  const spec = fillRunSpec(before === null ? named : layOver(before, named));
  if (spec.saveSchedules && out === undefined) {
    refuse('no_out', 'to save schedules takes a directory', 'name it with --out, or as `out`');
  }
  const { suite } = spec;
  const sources = context.sources ?? (suite === null ? [] : resolveSources(suite));
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

function refuse(code: string, problem: string, cure: string): never {
  throw new InputError(code, problem, cure);
}

function openDirectory({ out, resume }: Run, manifest: Manifest): RunDirectory | null {
  if (out === undefined) return null;
  return resume ? resumeRunDirectory(out, manifest) : createRunDirectory(out, manifest);
}

/**
 * Makes the records that are missing and returns them all. Planners that ask models come last: they have
 * more tasks under way than there are threads, and would take time from the others.
 */
async function makeRecords(
  run: Run,
  matrix: Matrix,
  directory: RunDirectory | null,
  models: RunModels | null,
): Promise<Map<string, RunRecord>> {
  const { onRecord, onProgress } = run;
  const records = new Map(directory?.kept.map((record) => [recordKey(record), record]));
  const kept = records.size;
  const total = matrixSize(matrix);
  onProgress?.({ done: kept, kept, total });
  const take = (record: RunRecord): void => {
    records.set(recordKey(record), record);
    directory?.append(record);
    onRecord?.(record);
    onProgress?.({ done: records.size, kept, total });
  };
  const asking = askingPlanners(matrix);
  const computing = matrix.planners.filter((planner) => !asking.includes(planner));
  await makeMissing({ ...matrix, planners: computing }, records, run, null, take);
  await makeMissing({ ...matrix, planners: asking }, records, run, models, take);
  return records;
}

/** Makes those records of a matrix that are missing, several at a time, each thread its own. */
async function makeMissing(
  matrix: Matrix,
  records: ReadonlyMap<string, RunRecord>,
  run: Run,
  models: RunModels | null,
  take: (record: RunRecord) => void,
): Promise<void> {
  const { signal, spec } = run;
  const { workers, limits } = spec;
  const made = [...records.values()].filter(({ planner }) => matrix.planners.includes(planner));
  const missing = matrixSize(matrix) - made.length;
  if (missing === 0) return;
  const cells = openCells(matrix, new Set(records.keys()));
  const threads = Math.min(workers, missing);
  const pool = createWorkerPool(threads, limits, signal, models);
  const isOver = () => signal?.aborted || (models?.stopped() ?? null) !== null;
  const work = async (): Promise<void> => {
    for (const open of cells) {
      const made = isOver() ? null : await makeRecordsOf(open, pool, run);
      if (made === null) return;
      made.forEach(take);
    }
  };
  try {
    await Promise.all(Array.from({ length: models?.tasks ?? threads }, work));
  } finally {
    await pool.close();
  }
}

async function makeRecordsOf(
  { cells, load }: OpenCells,
  pool: WorkerPool,
  run: Run,
): Promise<RunRecord[] | null> {
  let instance: Instance;
  try {
    instance = load();
  } catch (error) {
    return cells.map((cell) => lostRecord(cell, errorLine(error), 0));
  }
  const { spec, out, resume = false } = run;
  const [first] = cells;
  return pool.perform({
    cells,
    instance,
    spec,
    workflow: await pipelineWorkflow(stagesOf(spec, first), isModelSpec(first.planner)),
    execute: run.disruption?.resolve(instance) ?? null,
    files:
      out === undefined || !spec.saveSchedules ? null : cells.map((cell) => savedFiles(out, cell)),
    log: spec.log === null ? null : { file: spec.log, runId: logRunId(first), resume },
  });
}

/** Makes the file of a log, or refuses one that cannot be written, before anything is run. */
async function openLogFile({ log }: FilledRunSpec): Promise<void> {
  if (log === null) return;
  const { openSqliteStore } = await import('../../workflow/log/sqlite-store.js');
  openSqliteStore(log).close();
}

/**
 * Refuses to go on with runs whose log was changed.
 *
 * @param open the cells that are still to be done: no other runs are verified
 * @throws InputError `changed_log`
 */
async function requireUnchangedRuns(
  { spec: { log }, resume }: Run,
  open: Iterable<OpenCells>,
): Promise<void> {
  if (log === null || !resume) return;
  const { openSqliteStore } = await import('../../workflow/log/sqlite-store.js');
  const { requireUnchanged } = await import('../../workflow/log/verify.js');
  const ids = new Set<string>();
  for (const { cells } of open) ids.add(logRunId(cells[0]));
  const store = openSqliteStore(log);
  try {
    for (const runId of store.runs()) {
      // Repetitions have a number after the id.
      if (ids.has(runId.replace(/~\d+$/, ''))) requireUnchanged(store, runId, log);
    }
  } finally {
    store.close();
  }
}
