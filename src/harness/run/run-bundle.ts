import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { packageVersion } from '@alas-jssp/core/package-version';
import { packError, type SentError } from '@alas-jssp/core/sent-error';
import { sha256 } from '@alas-jssp/core/sha256';
import { writeInstanceJson } from '../../jssp/formats/instance-json.js';
import { benchmarkByChecksum } from '../../jssp/suites.js';
import { isPlannerFile, planModules, planSource } from '../../pipeline/planners/planners.js';
import { lostRecord } from '../records/build-record.js';
import type { DisruptionContent } from './disruption.js';
import type { RunJob, TaskResult } from './executor.js';
import {
  cellsAt,
  type IdentifiedInstance,
  isOpen,
  matrixTasks,
  type TaskMatrix,
} from './matrix.js';
import type { RunInstance } from './sources.js';
import type { FilledRunSpec } from './spec.js';

/**
 * Everything that the tasks of a run depend on, in plain JSON, so that other machines can perform them. Tasks are
 * numbered from 0 to {@link taskCount}, by instance.
 */
export interface RunBundle {
  readonly schema: 'alas-jssp/run-bundle@1';
  /** Version of this package. */
  readonly version: string;
  readonly spec: FilledRunSpec;
  readonly instances: readonly BundleInstance[];
  readonly disruption: DisruptionContent | null;
  /** SHA-256 of planner modules and of files that commands name, by the path in the specification. */
  readonly modules: Readonly<Record<string, string>>;
  /** Plan files of planners: the SHA-256 of their bytes by path, or the reason why they cannot be read. */
  readonly plans: Readonly<Record<string, string | SentError>>;
}

/** An instance of a remote run, and how to find it. */
export interface BundleInstance extends IdentifiedInstance {
  /** SHA-256 of its content, which must be sent; null for a benchmark, which every installation has. */
  readonly content: string | null;
}

/**
 * The bundle of a run.
 *
 * @throws InputError `not_elsewhere` for a log, which only the process that started the run can write; errors of
 *   reading planner modules
 */
export function bundleOf({ spec, instances, disruption }: RunJob): RunBundle {
  refuseLog(spec);
  return {
    schema: 'alas-jssp/run-bundle@1',
    version: packageVersion(),
    spec,
    instances: instances.map(bundleInstance),
    disruption: disruption?.content ?? null,
    modules: Object.fromEntries(
      spec.planners.flatMap((planner) =>
        planModules(planner)
          .filter((path) => isPlannerFile(planner, path))
          .map((path) => [path, moduleChecksum(path)]),
      ),
    ),
    plans: Object.fromEntries(
      planFiles(spec, instances).map(({ path, read }) => [path, checksumOrRefusal(read)]),
    ),
  };
}

/** Bytes that remote workers need. */
export interface BundleContent {
  readonly sha256: string;
  /** @throws InputError `changed_file` if the bytes have changed since the bundle was made */
  read(): Uint8Array;
}

/** The contents that a bundle names by their SHA-256, each once: instances that are not benchmarks, and plan files. */
export function bundleContents(job: RunJob, bundle: RunBundle): BundleContent[] {
  const contents = new Map<string, BundleContent>();
  const add = (sha256: unknown, read: () => Uint8Array, file: string): void => {
    if (typeof sha256 !== 'string') return;
    contents.set(sha256, { sha256, read: () => readUnchanged(sha256, read, file) });
  };
  for (const [index, { content, name }] of bundle.instances.entries()) {
    add(content, () => instanceContent(job.instances[index]), name);
  }
  for (const { path, read } of planFiles(job.spec, job.instances)) {
    add(bundle.plans[path], read, path);
  }
  return [...contents.values()];
}

function readUnchanged(wanted: string, read: () => Uint8Array, file: string): Uint8Array {
  const bytes = read();
  if (sha256(bytes) === wanted) return bytes;
  throw new InputError(
    'changed_file',
    'the file has changed since the run began',
    'leave the files of a run alone until it is finished',
    { file },
  );
}

/** The text of a user's instance in UTF-8. */
function instanceContent({ load }: Pick<RunInstance, 'load'>): Uint8Array {
  return Buffer.from(writeInstanceJson(load()));
}

/** The plan files of the planners of a run. */
function planFiles({ planners }: FilledRunSpec, instances: readonly RunInstance[]) {
  return planners.flatMap((planner) =>
    instances.flatMap(({ name }) => planSource(planner, name) ?? []),
  );
}

/** The SHA-256 of the bytes, or the refusal, which enters the records of its tasks. */
function checksumOrRefusal(read: () => Uint8Array): string | SentError {
  try {
    return sha256(read());
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return packError(error);
  }
}

/** SHA-256 of the module of a planner. */
export function moduleChecksum(path: string): string {
  return sha256(readBytes(path));
}

/** The number of tasks of a run. */
export function taskCount(bundle: RunBundle): number {
  return matrixTasks(bundleMatrix(bundle));
}

/**
 * The tasks of a run with missing records, in order.
 *
 * @param done keys of the existing records, see {@link recordKey}
 */
export function openTasks(bundle: RunBundle, done: ReadonlySet<string>): number[] {
  const matrix = bundleMatrix(bundle);
  return Array.from({ length: matrixTasks(matrix) }, (_, index) => index).filter((index) =>
    isOpen(matrix, index, done),
  );
}

/** The matrix of a bundle. */
export function bundleMatrix({
  spec,
  instances,
}: RunBundle): TaskMatrix & Pick<RunBundle, 'instances'> {
  const { planners, variants, objective, disruption, replicates, seed } = spec;
  return { planners, variants, objective, disruption, replicates, seed, instances };
}

function bundleInstance(instance: RunInstance): BundleInstance {
  const { load, ...identified } = instance;
  const isBenchmark = benchmarkByChecksum(instance.sha256) !== undefined;
  return { ...identified, content: isBenchmark ? null : sha256(instanceContent(instance)) };
}

/** Refuses a log, because the tasks run on other machines. */
function refuseLog({ log }: FilledRunSpec): void {
  if (log === null) return;
  throw new InputError(
    'not_elsewhere',
    'the tasks of this run are performed elsewhere, where no log can be written',
    'omit --log, or run here',
    {},
    log,
  );
}

/** The result of a task that could not be finished: a record with status `error` for each of its cells. */
export function lostTask(bundle: RunBundle, index: number, reason: string): TaskResult {
  const records = cellsAt(bundleMatrix(bundle), index).map((cell) => lostRecord(cell, reason, 0));
  return { records, files: [], answers: [], stopped: null };
}
