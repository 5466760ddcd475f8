import * as z from 'zod';
import { InputError } from '../../core/errors.js';
import { checkJson, faultError } from '../../core/json-check.js';
import { formatPath, type JsonPath } from '../../core/json-path.js';
import { createCalendar, listDowntimes } from '../calendar.js';
import { type Calendar, type Instance, MAX_TIME } from '../instance.js';
import { MAX_TOTAL_WEIGHT } from '../instance-checks.js';
import { joinLines } from './join-lines.js';
import { instanceFromFile, MAX_COUNT } from './rows.js';
import type { FileSource } from './source.js';

/** The name and version of the JSON format of instances. */
const INSTANCE_SCHEMA = 'alas-jssp/instance@1';

// The messages of these schemas are cures: the problem is made from the value that is found.
const time = z.int(`give a whole number from 0 to ${MAX_TIME}`).min(0).max(MAX_TIME);
const weight = z
  .int(`give a whole number from 0 to ${MAX_TOTAL_WEIGHT}`)
  .min(0)
  .max(MAX_TOTAL_WEIGHT);
const count = z.int(`give a whole number from 1 to ${MAX_COUNT}`).min(1).max(MAX_COUNT);
const index = z.int('give a machine as a whole number from 0').min(0);
const list = (what: string) => z.array(z.unknown(), `give a list of ${what}`);

const OPERATION = z.strictObject(
  { machine: index, duration: time, release: time.optional(), frozen: time.optional() },
  'give an object with the keys machine, duration and, if need be, release, frozen',
);
const jobSchema = z.strictObject(
  {
    operations: z.array(OPERATION, 'give a list of operations'),
    release: time.optional(),
    due: time.optional(),
    weight: weight.optional(),
    deadline: time.optional(),
  },
  'give an object with the key operations and, if need be, release, due, weight, deadline',
);
const downtimeSchema = z.strictObject(
  {
    machine: index,
    from: time,
    to: time,
    resumable: z.boolean('give true or false'),
    estimated: z.literal(true, 'give true, or leave it out').optional(),
  },
  'give an object with the keys machine, from, to, resumable and, if need be, estimated',
);
/** The document but for its jobs and downtimes, which are checked one by one. */
const headSchema = z.strictObject(
  {
    schema: z.literal(INSTANCE_SCHEMA, `give "${INSTANCE_SCHEMA}", and write the file to suit`),
    name: z.string('give a name in quotes').min(1).optional(),
    machines: count,
    jobs: list('jobs').min(1, 'give at least one job').max(MAX_COUNT, `give at most ${MAX_COUNT}`),
    downtimes: list('downtimes').optional(),
  },
  'give an object with the keys schema, name, machines, jobs and, if need be, downtimes',
);

type JsonJob = z.infer<typeof jobSchema>;
type JsonDowntime = z.infer<typeof downtimeSchema>;

/** A downtime and where it stands in the document. */
type PlacedDowntime = JsonDowntime & { path: JsonPath };

/**
 * Makes an instance of a JSON document as `docs/formats.md` describes it. The name inside only counts where
 * there is no file: the others know an instance by the name of its file.
 *
 * @throws InputError naming file and JSON path if anything is missing, unknown or out of range
 */
export function instanceFromJson(document: unknown, { file, name }: FileSource): Instance {
  const head = checkPart(headSchema, document, [], file);
  const { machines } = head;
  const jobs = head.jobs.map((item, j) => checkJob(item, j, machines, file));
  const downtimes = (head.downtimes ?? []).map((item, i) => checkDowntime(item, i, machines, file));
  return instanceFromFile(
    {
      name: (file === undefined ? head.name : undefined) ?? name,
      machines,
      ...flatten(jobs),
      due: perJob(jobs, 'due', -1),
      weight: perJob(jobs, 'weight', 1),
      deadline: perJob(jobs, 'deadline', -1),
      calendar: flattenDowntimes(downtimes, machines, file),
    },
    file,
    '$',
  );
}

/** Writes an instance as JSON, one job a line; {@link instanceFromJson} reads it back. */
export function writeInstanceJson(instance: Instance): string {
  const { name, machines, jobs, calendar } = instance;
  const head = JSON.stringify({ schema: INSTANCE_SCHEMA, name, machines }).slice(0, -1);
  const lines = joinLines(jobs, ',\n', (job) => JSON.stringify(describeJob(instance, job)));
  const downtimes = calendar === null ? [] : listDowntimes(calendar);
  const rest =
    downtimes.length === 0
      ? ''
      : `,"downtimes":[\n${downtimes.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
  return `${head},"jobs":[\n${lines}\n]${rest}}\n`;
}

function checkJob(item: unknown, j: number, machines: number, file: string | undefined): JsonJob {
  const job = checkPart(jobSchema, item, ['jobs', j], file);
  job.operations.forEach(({ machine }, i) => {
    if (machine >= machines) {
      throw machineRange(machine, machines, ['jobs', j, 'operations', i, 'machine'], file);
    }
  });
  return job;
}

function checkDowntime(
  item: unknown,
  i: number,
  machines: number,
  file: string | undefined,
): PlacedDowntime {
  const path = ['downtimes', i];
  const downtime = checkPart(downtimeSchema, item, path, file);
  const { machine, from, to } = downtime;
  if (machine >= machines) throw machineRange(machine, machines, [...path, 'machine'], file);
  if (to <= from) {
    throw new InputError(
      'bad_instance',
      `the downtime from ${from} to ${to} is empty`,
      'let it end after it begins',
      { file, path: formatPath(path) },
    );
  }
  return { ...downtime, path };
}

/** Operations in job order. A job's release is the release of its first operation. */
function flatten(jobs: readonly JsonJob[]) {
  const jobOffset = new Int32Array(jobs.length + 1);
  jobs.forEach(({ operations }, j) => {
    jobOffset[j + 1] = jobOffset[j] + operations.length;
  });
  const total = jobOffset[jobs.length];
  const machine = new Int32Array(total);
  const duration = new Int32Array(total);
  const release = new Int32Array(total);
  const frozen = new Int32Array(total).fill(-1);
  jobs.forEach((job, j) => {
    job.operations.forEach((operation, i) => {
      const op = jobOffset[j] + i;
      machine[op] = operation.machine;
      duration[op] = operation.duration;
      release[op] = Math.max(operation.release ?? 0, i === 0 ? (job.release ?? 0) : 0);
      frozen[op] = operation.frozen ?? -1;
    });
  });
  return {
    jobOffset,
    machine,
    duration,
    release: release.some((t) => t > 0) ? release : null,
    frozen: frozen.some((t) => t >= 0) ? frozen : null,
  };
}

/** A number of each job, or what it stands for where there is none; null if all jobs have that. */
function perJob(
  jobs: readonly JsonJob[],
  key: 'due' | 'weight' | 'deadline',
  without: number,
): Int32Array | null {
  const numbers = Int32Array.from(jobs, (job) => job[key] ?? without);
  return numbers.some((number) => number !== without) ? numbers : null;
}

function flattenDowntimes(
  downtimes: PlacedDowntime[],
  machines: number,
  file: string | undefined,
): Calendar | null {
  if (downtimes.length === 0) return null;
  const sorted = downtimes.toSorted((a, b) => a.machine - b.machine || a.from - b.from);
  sorted.forEach(({ machine, from, path }, i) => {
    const previous = sorted[i - 1];
    if (previous?.machine === machine && from < previous.to) {
      throw new InputError(
        'bad_instance',
        `the downtime from ${from} overlaps ${formatPath(previous.path)}`,
        'join them or set them apart',
        { file, path: formatPath(path) },
      );
    }
  });
  return createCalendar(machines, sorted);
}

function describeJob(instance: Instance, job: number): JsonJob {
  const { jobOffset, machine, duration, release, frozen, due, weight, deadline } = instance;
  const operations: JsonJob['operations'] = [];
  const first = jobOffset[job];
  for (let op = first; op < jobOffset[job + 1]; op++) {
    operations.push({
      machine: machine[op],
      duration: duration[op],
      ...(release !== null && op > first && release[op] > 0 ? { release: release[op] } : {}),
      ...(frozen !== null && frozen[op] >= 0 ? { frozen: frozen[op] } : {}),
    });
  }
  return {
    ...(release !== null && operations.length > 0 && release[first] > 0
      ? { release: release[first] }
      : {}),
    ...(due !== null && due[job] >= 0 ? { due: due[job] } : {}),
    ...(weight !== null && weight[job] !== 1 ? { weight: weight[job] } : {}),
    ...(deadline !== null && deadline[job] >= 0 ? { deadline: deadline[job] } : {}),
    operations,
  };
}

function machineRange(
  machine: number,
  machines: number,
  path: JsonPath,
  file: string | undefined,
): InputError {
  return new InputError(
    'machine_range',
    `this is machine ${machine}, which is out of range`,
    `use 0 to ${machines - 1}`,
    { file, path: formatPath(path) },
    machine,
  );
}

/**
 * Checks a part of a document against its schema.
 *
 * @param path where the part stands in the document
 * @throws InputError for the first thing wrong; unknown keys come first, they explain missing ones
 */
function checkPart<T>(
  schema: z.ZodType<T>,
  value: unknown,
  path: JsonPath,
  file: string | undefined,
): T {
  const result = checkJson(schema, value);
  if (result.fault === undefined) return result.data;
  throw faultError('bad_instance', result.fault, file, path);
}
