import { InputError } from '@alas-jssp/core/errors';
import { formatPath, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import * as z from 'zod';
import { type Instance, type InstanceSpec, MAX_TIME } from '../../instance.js';
import { checkPart } from '../instance-schema.js';
import { chooseFastest, withoutSingleModes } from '../mode-arrays.js';
import { instanceFromFile, MAX_COUNT } from '../rows.js';
import type { FileSource } from '../source.js';
import { withReadingNotes } from './reading-notes.js';

/** The key of `metadata` in which files that we write keep the number of machines, if not all are used. */
export const METADATA_KEY = 'alas_jssp';

const time = z.int(`give a whole number from 0 to ${MAX_TIME}`).min(0).max(MAX_TIME);
const machine = z
  .int('give a machine as a whole number from 0')
  .min(0)
  .max(MAX_COUNT - 1);
const machines = z.union(
  [machine, z.array(machine).min(1)],
  'give a machine as a whole number from 0, or a list of machines',
);
const listOf = <T extends z.ZodType>(item: T) =>
  z.array(z.array(item, 'give a list'), 'give a list of jobs');

/** An instance as `JobShopInstance.to_dict` returns it. */
const jobShopLibSchema = z.strictObject(
  {
    name: z.string().optional(),
    duration_matrix: listOf(time).min(1, 'give at least one job'),
    machines_matrix: listOf(machines),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    release_dates_matrix: listOf(time).nullish(),
    deadlines_matrix: listOf(time.nullable()).nullish(),
    due_dates_matrix: listOf(time.nullable()).nullish(),
  },
  'give an object with the keys duration_matrix and machines_matrix',
);

type JobShopLibData = z.infer<typeof jobShopLibSchema>;
type MatrixKey = Exclude<keyof JobShopLibData, 'name' | 'metadata'>;

/** Where a matrix is, for errors. */
interface MatrixPlace {
  readonly file: string | undefined;
  readonly path: JsonPath;
}

/** Detects instances of job_shop_lib, which have no schema key, by their other keys. */
export function isJobShopLibFile(document: unknown): document is Record<string, unknown> {
  return isObject(document) && !('schema' in document) && 'duration_matrix' in document;
}

/**
 * Reads an instance of job_shop_lib 1 (Fabregas; `JobShopInstance.to_dict` as JSON): matrices of durations, machines
 * and, if need be, releases, deadlines and due dates.
 *
 * @param base the path of the instance in its document
 * @throws InputError with file and JSON path if anything is missing, out of range or beyond our model
 */
export function instanceFromJobShopLib(
  document: Record<string, unknown>,
  { file, name }: FileSource,
  base: JsonPath = [],
): Instance {
  const data = checkPart(jobShopLibSchema, document, base, file);
  checkShapes(data, { file, path: base });
  const lengths = data.duration_matrix.map((job) => job.length);
  const jobOffset = new Int32Array(lengths.length + 1);
  for (const [j, length] of lengths.entries()) jobOffset[j + 1] = jobOffset[j] + length;
  const choices = data.machines_matrix.flat().map((one) => (Array.isArray(one) ? one : [one]));
  const durations = data.duration_matrix.flat();
  const offset = new Int32Array(choices.length + 1);
  for (const [op, list] of choices.entries()) offset[op + 1] = offset[op] + list.length;
  const modes = chooseFastest({
    offset,
    machine: Int32Array.from(choices.flat()),
    duration: Int32Array.from(choices.flatMap((list, op) => list.map(() => durations[op]))),
  });
  const notes: string[] = [];
  const spec: InstanceSpec = {
    name: (file === undefined ? data.name : undefined) ?? name,
    machines: machineCount(data, choices),
    jobOffset,
    ...withoutSingleModes(modes),
    release: data.release_dates_matrix ? Int32Array.from(data.release_dates_matrix.flat()) : null,
    deadline: datesOfJobs(data, 'deadlines_matrix', { file, path: base }),
    due: datesOfJobs(data, 'due_dates_matrix', { file, path: base }),
  };
  const { [METADATA_KEY]: _, ...others } = data.metadata ?? {};
  const keys = Object.keys(others);
  if (keys.length > 0) notes.push(`metadata is not kept: ${keys.join(', ')}`);
  return withReadingNotes(instanceFromFile(spec, file, formatPath(base)), notes);
}

function machineCount({ metadata }: JobShopLibData, choices: readonly number[][]): number {
  let used = 1;
  for (const list of choices) {
    for (const one of list) used = Math.max(used, one + 1);
  }
  const ours = metadata?.[METADATA_KEY];
  const stated = isObject(ours) && Number.isInteger(ours.machines) ? Number(ours.machines) : 0;
  return stated > used && stated <= MAX_COUNT ? stated : used;
}

/** Older versions of the library kept these matrices in the metadata. */
const MATRICES = ['release_dates_matrix', 'deadlines_matrix', 'due_dates_matrix'] as const;

/** Requires matrices of the same shape, and none inside the metadata. */
function checkShapes(data: JobShopLibData, { file, path }: MatrixPlace): void {
  const refuse = (problem: string, hint: string, keys: JsonPath) =>
    new InputError('bad_instance', problem, hint, { file, path: formatPath([...path, ...keys]) });
  const moved = MATRICES.find((key) => data.metadata && key in data.metadata);
  if (moved !== undefined) {
    const hint = `move it next to duration_matrix, as job_shop_lib does since version 1.5`;
    throw refuse(`${moved} is part of the metadata`, hint, ['metadata', moved]);
  }
  const { duration_matrix: durations } = data;
  for (const key of ['machines_matrix', ...MATRICES] as const) {
    const matrix = data[key];
    if (!matrix) continue;
    if (matrix.length !== durations.length) {
      const problem = `there are ${matrix.length} jobs, and ${durations.length} in duration_matrix`;
      throw refuse(problem, 'give one row for each job', [key]);
    }
    const j = matrix.findIndex((row, i) => row.length !== durations[i].length);
    if (j < 0) continue;
    const problem = `there are ${matrix[j].length} operations, and ${durations[j].length} in duration_matrix`;
    throw refuse(problem, 'give one entry for each operation', [key, j]);
  }
}

/**
 * The dates of jobs from those of operations. Those of the last operation are the job's; an earlier operation may
 * repeat them or have a later one, but not an earlier one of its own, which no instance can have.
 */
function datesOfJobs(
  data: JobShopLibData,
  key: Extract<MatrixKey, 'deadlines_matrix' | 'due_dates_matrix'>,
  { file, path }: MatrixPlace,
): Int32Array | null {
  const matrix = data[key];
  if (!matrix) return null;
  return Int32Array.from(matrix, (row, j) => {
    const last = row.at(-1) ?? -1;
    const i = row.findIndex((date) => date !== null && (last < 0 || date < last));
    if (i < 0) return last;
    throw new InputError(
      'bad_instance',
      `operation ${i + 1} of job ${j + 1} has a date of its own`,
      'dates belong to jobs here: give the last operation of the job the earliest one',
      { file, path: formatPath([...path, key, j, i]) },
      row[i],
    );
  });
}
