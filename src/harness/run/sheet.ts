import { readBytes } from '../../core/bytes.js';
import { InputError } from '../../core/errors.js';
import { packageVersion } from '../../core/package-version.js';
import { sha256 } from '../../core/sha256.js';
import { writeInstanceJson } from '../../jssp/formats/instance-json.js';
import { benchmarkByChecksum } from '../../jssp/suites.js';
import { planModule, readsPlans } from '../../pipeline/planners/planners.js';
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
 * All that the tasks of a run depend on, in plain JSON, so that they can be performed elsewhere. Tasks are
 * numbered from 0 to {@link taskCount}, instance by instance.
 */
export interface RunSheet {
  readonly schema: 'alas-jssp/run-sheet@1';
  /** Version of this package. */
  readonly version: string;
  readonly spec: FilledRunSpec;
  readonly instances: readonly SheetInstance[];
  readonly disruption: DisruptionContent | null;
  /** Modules of planners: the SHA-256 of the file by the path in the specification. */
  readonly modules: Readonly<Record<string, string>>;
}

/** An instance of a run elsewhere: how it is found there. */
export interface SheetInstance extends IdentifiedInstance {
  /** SHA-256 of the bytes of {@link instanceContent}; null for a benchmark, which everybody has. */
  readonly content: string | null;
}

/**
 * The sheet of a run.
 *
 * @throws InputError `not_elsewhere` for what can only be done in the process that began the run; what
 *   reading modules of planners throws
 */
export function sheetOf({ spec, instances, disruption }: RunJob): RunSheet {
  refuseFiles(spec);
  return {
    schema: 'alas-jssp/run-sheet@1',
    version: packageVersion(),
    spec,
    instances: instances.map(sheetInstance),
    disruption: disruption?.content ?? null,
    modules: Object.fromEntries(
      spec.planners.flatMap((planner) => {
        const path = planModule(planner);
        return path === null ? [] : [[path, moduleChecksum(path)]];
      }),
    ),
  };
}

/** The text of an instance of the user's in UTF-8: what travels to those who perform its tasks. */
export function instanceContent({ load }: Pick<RunInstance, 'load'>): Uint8Array {
  return Buffer.from(writeInstanceJson(load()));
}

/** SHA-256 of the module of a planner. */
export function moduleChecksum(path: string): string {
  return sha256(readBytes(path));
}

/** The number of tasks of a run. */
export function taskCount(sheet: RunSheet): number {
  return matrixTasks(sheetMatrix(sheet));
}

/**
 * The tasks of a run of which a record is missing, in order.
 *
 * @param done keys of the records that are there, see {@link recordKey}
 */
export function openTasks(sheet: RunSheet, done: ReadonlySet<string>): number[] {
  const matrix = sheetMatrix(sheet);
  return Array.from({ length: matrixTasks(matrix) }, (_, index) => index).filter((index) =>
    isOpen(matrix, index, done),
  );
}

/** The matrix that a sheet is about. */
export function sheetMatrix({
  spec,
  instances,
}: RunSheet): TaskMatrix & Pick<RunSheet, 'instances'> {
  const { planners, variants, disruption, replicates, seed } = spec;
  return { planners, variants, disruption, replicates, seed, instances };
}

function sheetInstance(instance: RunInstance): SheetInstance {
  const { load, ...identified } = instance;
  const isBenchmark = benchmarkByChecksum(instance.sha256) !== undefined;
  return { ...identified, content: isBenchmark ? null : sha256(instanceContent(instance)) };
}

/** Refuses what reads or writes files of this machine in the middle of a task. */
function refuseFiles({ log, planners }: FilledRunSpec): void {
  const refuse = (problem: string, cure: string, value: string): never => {
    throw new InputError('not_elsewhere', problem, cure, {}, value);
  };
  if (log !== null) {
    refuse(
      'a log is written where the tasks are performed, and these are performed elsewhere',
      'leave out --log, or run here',
      log,
    );
  }
  const planner = planners.find(readsPlans);
  if (planner !== undefined) {
    refuse(
      `${planner} reads files of this machine, which workers elsewhere do not have`,
      'run it here',
      planner,
    );
  }
}

/** The result of a task that nobody could bring to its end: a record with status `error` for each of its cells. */
export function lostTask(sheet: RunSheet, index: number, reason: string): TaskResult {
  const records = cellsAt(sheetMatrix(sheet), index).map((cell) => lostRecord(cell, reason, 0));
  return { records, files: [], answers: [], stopped: null };
}
