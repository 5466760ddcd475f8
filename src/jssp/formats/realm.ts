import { InputError } from '@alas-jssp/core/errors';
import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import { formatPath, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import * as z from 'zod';
import { type Instance, MAX_TIME } from '../instance.js';
import { readRawText } from './realm-text.js';
import { instanceFromFile, MAX_COUNT } from './rows.js';
import type { FileSource } from './source.js';

// The messages of these schemas are hints: the problem text describes the value found.
const count = z.int(`give a whole number from 1 to ${MAX_COUNT}`).min(1).max(MAX_COUNT);
const OPERATION = z.object(
  {
    operation: z.int('give the number of the operation in its job, from 1').min(1).optional(),
    machine: z.int('give a machine as a whole number from 1').min(1).max(MAX_COUNT),
    processing_time: z.int(`give a whole number from 0 to ${MAX_TIME}`).min(0).max(MAX_TIME),
  },
  'give an object with the keys operation, machine, processing_time',
);
const jobSchema = z.array(OPERATION, 'give a list of operations');
const shopSchema = z.object(
  {
    num_jobs: count.optional(),
    num_machines: count.optional(),
    total_operations: z.int('give the number of operations').optional(),
    processing_times: z
      .array(z.unknown(), 'give a list of jobs')
      .min(1, 'give at least one job')
      .max(MAX_COUNT, `give at most ${MAX_COUNT}`),
  },
  'give an object with the key processing_times',
);
const baseSchema = z.object({
  source_file: z.string('give the name of a file in quotes').optional(),
  raw_content: z.string('give the text of the instance in quotes, or processing_times beside it'),
});

/** Detects files of REALM-Bench, which have no schema key, by their other keys. */
export function isRealmFile(document: unknown): document is Record<string, unknown> {
  if (!isObject(document) || 'schema' in document) return false;
  return ['processing_times', 'base_instance', 'disruptions'].some((key) => key in document);
}

/**
 * Reads the shop of a file of REALM-Bench (Geng and Chang 2025, doi:10.48550/arXiv.2502.18836): its jobs as JSON,
 * machines from 1, or the text of a benchmark instance. Its events are not part of the instance.
 *
 * @throws InputError with file and JSON path if anything is missing, out of range or contradictory
 */
export function instanceFromRealm(
  document: Record<string, unknown>,
  { file, name }: FileSource,
): Instance {
  const id = document.instance_id;
  const source = { file, name: file === undefined && typeof id === 'string' && id ? id : name };
  if (hasJobs(document)) return readShop(document, [], source);
  const base = document.base_instance;
  if (!isObject(base)) return readShop(document, [], source);
  if (hasJobs(base)) return readShop(base, ['base_instance'], source);
  const checked = checkJson(baseSchema, base);
  if (checked.fault !== undefined) {
    throw faultError('bad_instance', checked.fault, file, ['base_instance']);
  }
  const { source_file, raw_content } = checked.data;
  const names = [source_file?.split(/[/\\]/).at(-1), id].filter((one) => typeof one === 'string');
  return readRawText(raw_content, names, source);
}

function hasJobs({ processing_times: jobs }: Record<string, unknown>): boolean {
  return jobs !== undefined && !(Array.isArray(jobs) && jobs.length === 0);
}

/** A part of a document, and its path. */
interface Part {
  readonly file: string | undefined;
  readonly path: JsonPath;
}

function readShop(value: unknown, path: JsonPath, { file, name }: FileSource): Instance {
  const shop = checkJson(shopSchema, value);
  if (shop.fault !== undefined) throw faultError('bad_instance', shop.fault, file, path);
  const { num_jobs, num_machines, total_operations, processing_times } = shop.data;
  const list = { file, path: [...path, 'processing_times'] };
  const jobs = processing_times.map((item, j) => readJob(item, j, list));
  const operations = jobs.flat();
  expectCount(num_jobs, jobs.length, 'jobs', { file, path: [...path, 'num_jobs'] });
  expectCount(total_operations, operations.length, 'operations', {
    file,
    path: [...path, 'total_operations'],
  });
  const machines = num_machines ?? operations.reduce((most, op) => Math.max(most, op.machine), 1);
  jobs.forEach((job, j) => {
    expectMachines(job, machines, { file, path: [...list.path, j] });
  });
  const jobOffset = new Int32Array(jobs.length + 1);
  for (let j = 0; j < jobs.length; j++) jobOffset[j + 1] = jobOffset[j] + jobs[j].length;
  return instanceFromFile(
    {
      name,
      machines,
      jobOffset,
      machine: Int32Array.from(operations, ({ machine }) => machine - 1),
      duration: Int32Array.from(operations, (operation) => operation.processing_time),
    },
    file,
    formatPath(list.path),
  );
}

type Job = z.infer<typeof jobSchema>;

/** The operations of a job, which must be listed in order. */
function readJob(item: unknown, j: number, { file, path }: Part): Job {
  const job = checkJson(jobSchema, item);
  if (job.fault !== undefined) throw faultError('bad_instance', job.fault, file, [...path, j]);
  job.data.forEach(({ operation }, i) => {
    if (operation === undefined || operation === i + 1) return;
    throw new InputError(
      'bad_instance',
      `this is operation ${operation}, and operation ${i + 1} is due`,
      'list the operations of a job in their order, from 1',
      { file, path: formatPath([...path, j, i, 'operation']) },
      operation,
    );
  });
  return job.data;
}

function expectMachines(job: Job, machines: number, { file, path }: Part): void {
  const i = job.findIndex(({ machine }) => machine > machines);
  if (i < 0) return;
  const { machine } = job[i];
  throw new InputError(
    'machine_range',
    `this is machine ${machine}, which is out of range`,
    `use 1 to ${machines}: this format counts machines from 1`,
    { file, path: formatPath([...path, i, 'machine']) },
    machine,
  );
}

function expectCount(
  said: number | undefined,
  actual: number,
  what: string,
  { file, path }: Part,
): void {
  if (said === undefined || said === actual) return;
  throw new InputError(
    'bad_instance',
    `this is ${said}, and there are ${actual} ${what}`,
    'correct it, or leave it out',
    { file, path: formatPath(path) },
    said,
  );
}
