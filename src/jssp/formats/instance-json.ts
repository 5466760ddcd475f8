import { InputError } from '@alas-jssp/core/errors';
import { faultError } from '@alas-jssp/core/json-fault';
import { formatPath, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { laterVersionHint } from '@alas-jssp/core/later-version';
import { createCalendar, listDowntimes } from '../calendar.js';
import type { Calendar, Instance } from '../instance.js';
import type { InstanceNames } from '../instance-names.js';
import { labelsOf } from '../labels.js';
import { isClassic } from '../shop-parts.js';
import {
  checkPart,
  downtimeSchema,
  headSchema,
  INSTANCE_SCHEMA,
  type JsonDowntime,
  type JsonHead,
  type JsonJob,
  jobSchema,
  namedHeadSchema,
  readShiftsUntil,
} from './instance-schema.js';
import { joinLines } from './join-lines.js';
import { instanceFromFile } from './rows.js';
import { readShopParts } from './shop-json.js';
import { describeShop, type ShopWriter } from './shop-json-text.js';
import { otherVersion, refusePrototypeKeys } from './shop-keys.js';
import { type DocumentMachines, machineAt } from './shop-machines.js';
import { readShopDocument, readShopOperation } from './shop-operations.js';
import { namedShopHeadSchema, SHOP_SCHEMA, shopHeadSchema, shopJobSchema } from './shop-schema.js';
import type { FileSource } from './source.js';
import { readJobTimes, readTimeScale, readTimes, TIME_KEYS, writeTimes } from './time-fields.js';

/** A job with its machines as numbers. */
type ReadJob = Omit<JsonJob, 'operations'> & {
  readonly operations: readonly (Omit<JsonJob['operations'][number], 'machine'> & {
    readonly machine: number;
  })[];
};

/** A downtime and its path in the document. */
type PlacedDowntime = JsonDowntime & { machine: number; path: JsonPath };

/**
 * Makes an instance from a JSON document as described in `docs/reference/formats.md`. The name inside counts only without
 * a file:
 * otherwise the instance is named after its file.
 *
 * @throws InputError with file and JSON path if anything is missing, unknown or out of range
 */
export function instanceFromJson(document: unknown, source: FileSource): Instance {
  refuseLaterVersion(document, source.file);
  const isShop = isObject(document) && document.schema === SHOP_SCHEMA;
  if (isShop) return instanceOfShop(document, source);
  try {
    return instanceOfJobs(document, source);
  } catch (error) {
    throw otherVersion(document, source.file) ?? error;
  }
}

/** Reads `instance@1`: jobs, machines and durations. */
function instanceOfJobs(document: unknown, source: FileSource): Instance {
  const isNamed = isObject(document) && Array.isArray(document.machines);
  const head = isNamed
    ? checkPart(namedHeadSchema, document, [], source.file)
    : checkPart(headSchema, document, [], source.file);
  const machines = machinesOfDocument(head, source);
  const jobs = head.jobs.map((item, j) => checkJob(item, j, machines));
  const spec = specOf(head, jobs, machines, source);
  return instanceFromFile(spec, source.file, '$');
}

/** Reads `instance@2`, with the parts that a classic job shop does not have. */
function instanceOfShop(document: Record<string, unknown>, source: FileSource): Instance {
  const { file } = source;
  const head = Array.isArray(document.machines)
    ? checkPart(namedShopHeadSchema, document, [], file)
    : checkPart(shopHeadSchema, document, [], file);
  refusePrototypeKeys(document, [], file);
  const machines = machinesOfDocument(head, source);
  const shop = readShopDocument({ ...head, machines: machines.count }, machines);
  const jobs = head.jobs.map((item, j) => {
    const read = readJobTimes(item, j, machines.scale, file);
    const job = checkPart(shopJobSchema, read, ['jobs', j], file);
    const operations = job.operations.map((operation, i) =>
      readShopOperation(operation, ['jobs', j, 'operations', i], shop),
    );
    return { ...job, operations };
  });
  const spec = specOf(head, jobs, machines, source);
  const parts = readShopParts({ ...head, machines: machines.count }, jobs, spec.names, shop);
  return instanceFromFile({ ...spec, ...parts }, file, '$');
}

function machinesOfDocument(
  { machines, time_scale }: JsonHead,
  { file }: FileSource,
): DocumentMachines {
  const called = Array.isArray(machines) ? machines : null;
  const labels = labelsOf({
    jobOffset: new Int32Array(1),
    names: { jobs: null, machines: called, operations: null },
  });
  const scale = readTimeScale(time_scale, file);
  return { file, scale, count: called?.length ?? Number(machines), labels };
}

/** The members of an instance that both versions of the format have. */
function specOf(
  head: JsonHead,
  jobs: readonly ReadJob[],
  machines: DocumentMachines,
  { file, name }: FileSource,
) {
  const downtimes = (head.downtimes ?? []).map((item, i) => checkDowntime(item, i, machines));
  const { count, scale } = machines;
  return {
    name: (file === undefined ? head.name : undefined) ?? name,
    machines: count,
    ...flatten(jobs),
    due: perJob(jobs, 'due', -1),
    weight: perJob(jobs, 'weight', 1),
    deadline: perJob(jobs, 'deadline', -1),
    calendar: flattenDowntimes(downtimes, count, {
      until: readShiftsUntil(head, scale, file),
      file,
    }),
    names: namesOf(jobs, Array.isArray(head.machines) ? head.machines : null),
    timeScale: scale,
  };
}

/**
 * Writes an instance as JSON, one job per line; {@link instanceFromJson} is the inverse. A classic job shop is written
 * as `instance@1`, others as `instance@2`.
 */
export function writeInstanceJson(instance: Instance): string {
  const { name, jobs, calendar, names, timeScale } = instance;
  const until = calendar?.until;
  const machines = names?.machines ?? instance.machines;
  const time_scale = timeScale ?? undefined;
  const machineLabel = machineLabeller(instance);
  const shop = isClassic(instance) ? null : describeShop(instance, machineLabel);
  const schema = shop === null ? INSTANCE_SCHEMA : SHOP_SCHEMA;
  const head = `${JSON.stringify({ schema, name, machines, time_scale }).slice(0, -1)}${shop?.head ?? ''}`;
  const lines = joinLines(jobs, ',\n', (job) =>
    JSON.stringify(describeJob(instance, job, machineLabel, shop)),
  );
  const downtimes = (calendar === null ? [] : listDowntimes(calendar)).map(({ machine, ...rest }) =>
    writeTimes({ machine: machineLabel(machine), ...rest }, TIME_KEYS.downtime, timeScale),
  );
  const rest =
    downtimes.length === 0
      ? ''
      : `,"downtimes":[\n${downtimes.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
  const shifts =
    until === undefined
      ? ''
      : `,${JSON.stringify(writeTimes({ shifts_until: until }, TIME_KEYS.head, timeScale)).slice(1, -1)}`;
  return `${head},"jobs":[\n${lines}\n]${rest}${shifts}}\n`;
}

/** The machines of an instance as its file writes them: numbers if none has a name. */
function machineLabeller(instance: Instance): (machine: number) => number | string {
  return instance.names?.machines ? labelsOf(instance).machine : (machine) => machine;
}

function namesOf(
  jobs: readonly ReadJob[],
  machines: readonly string[] | null,
): InstanceNames | null {
  const operations = jobs.flatMap((job) => job.operations);
  const list = (items: readonly { name?: string | undefined }[]) =>
    items.some(({ name }) => name !== undefined) ? items.map(({ name = '' }) => name) : null;
  const names = { jobs: list(jobs), machines, operations: list(operations) };
  if (jobs.every((job) => job.details === undefined)) return names;
  return { ...names, details: jobs.map(({ details = {} }) => details) };
}

function checkJob(item: unknown, j: number, machines: DocumentMachines): ReadJob {
  const job = checkPart(
    jobSchema,
    readJobTimes(item, j, machines.scale, machines.file),
    ['jobs', j],
    machines.file,
  );
  const operations = job.operations.map((operation, i) => ({
    ...operation,
    machine: machineAt(operation.machine, ['jobs', j, 'operations', i, 'machine'], machines),
  }));
  return { ...job, operations };
}

function checkDowntime(item: unknown, i: number, machines: DocumentMachines): PlacedDowntime {
  const path = ['downtimes', i];
  const { file, scale } = machines;
  const place = { code: 'bad_instance', file, path };
  const read = readTimes(item, TIME_KEYS.downtime, scale, place);
  const downtime = checkPart(downtimeSchema, read, path, file);
  const { from, to } = downtime;
  const machine = machineAt(downtime.machine, [...path, 'machine'], machines);
  if (to <= from) {
    throw new InputError(
      'bad_instance',
      `the downtime from ${from} to ${to} is empty`,
      'let it end after it begins',
      { file, path: formatPath(path) },
    );
  }
  return { ...downtime, machine, path };
}

/** Operations in job order. A job's release is the release of its first operation. */
function flatten(jobs: readonly ReadJob[]) {
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

/** A number for each job, or the default if it has none; null if all jobs have the default. */
function perJob(
  jobs: readonly ReadJob[],
  key: 'due' | 'weight' | 'deadline',
  without: number,
): Int32Array | null {
  const numbers = Int32Array.from(jobs, (job) => job[key] ?? without);
  return numbers.some((number) => number !== without) ? numbers : null;
}

function flattenDowntimes(
  downtimes: PlacedDowntime[],
  machines: number,
  { until, file }: { readonly until: number | undefined; readonly file: string | undefined },
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
  return createCalendar(machines, sorted, until);
}

function describeJob(
  instance: Instance,
  job: number,
  machineLabel: (machine: number) => number | string,
  shop: ShopWriter | null,
): object {
  const { jobOffset, machine, duration, release, frozen, due, weight, deadline, names, timeScale } =
    instance;
  const operations: object[] = [];
  const first = jobOffset[job];
  for (let op = first; op < jobOffset[job + 1]; op++) {
    const operation = {
      ...nameField(names?.operations?.[op]),
      ...(shop === null
        ? { machine: machineLabel(machine[op]), duration: duration[op] }
        : shop.operation(op)),
      ...(release !== null && op > first && release[op] > 0 ? { release: release[op] } : {}),
      ...(frozen !== null && frozen[op] >= 0 ? { frozen: frozen[op] } : {}),
    };
    operations.push(writeTimes(operation, TIME_KEYS.operation, timeScale));
  }
  const details = names?.details?.[job] ?? {};
  const described = {
    ...nameField(names?.jobs?.[job]),
    ...(Object.keys(details).length > 0 ? { details } : {}),
    ...(release !== null && operations.length > 0 && release[first] > 0
      ? { release: release[first] }
      : {}),
    ...(due !== null && due[job] >= 0 ? { due: due[job] } : {}),
    ...(weight !== null && weight[job] !== 1 ? { weight: weight[job] } : {}),
    ...(deadline !== null && deadline[job] >= 0 ? { deadline: deadline[job] } : {}),
    operations,
  };
  return writeTimes(described, TIME_KEYS.job, timeScale);
}

function nameField(name = ''): { readonly name?: string } {
  return name === '' ? {} : { name };
}

/** Refuses an instance of a later version before anything in it is judged by the rules of this one. */
function refuseLaterVersion(document: unknown, file: string | undefined): void {
  const found = isObject(document) ? document.schema : undefined;
  const hint = laterVersionHint(found, [INSTANCE_SCHEMA, SHOP_SCHEMA]);
  if (hint === undefined) return;
  const problem = `this is ${JSON.stringify(found)}`;
  throw faultError('bad_instance', { path: ['schema'], problem, hint, found }, file);
}
