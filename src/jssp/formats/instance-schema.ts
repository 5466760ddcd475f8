import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import type { JsonPath } from '@alas-jssp/core/json-path';
import * as z from 'zod';
import { MAX_TIME } from '../instance.js';
import { MAX_TOTAL_WEIGHT } from '../instance-checks.js';
import { LONGEST_NAME } from '../instance-names.js';
import type { TimeScale } from '../shop-clock.js';
import { MAX_COUNT } from './rows.js';
import { readTimes, TIME_KEYS } from './time-fields.js';

/** The name of the JSON format of instances, and its version. */
export const INSTANCE_SCHEMA = 'alas-jssp/instance@1';

/** The hint for an invalid machine. */
export const MACHINE_HINT = 'give a machine as a whole number from 0';

// The messages of these schemas are hints: the problem text describes the value found.
/** A time or a duration. */
const time = z.int(`give a whole number from 0 to ${MAX_TIME}`).min(0).max(MAX_TIME);
const weight = z
  .int(`give a whole number from 0 to ${MAX_TOTAL_WEIGHT}`)
  .min(0)
  .max(MAX_TOTAL_WEIGHT);
const count = z.int(`give a whole number from 1 to ${MAX_COUNT}`).min(1).max(MAX_COUNT);
/** A machine by its number, or by its name or label, which is resolved later. */
const machine = z.custom<number | string>(
  (value) => typeof value === 'string' || (Number.isInteger(value) && (value as number) >= 0),
  MACHINE_HINT,
);
const tooLong = `use at most ${LONGEST_NAME} characters`;
/** A name of a job, an operation or a resource. */
const name = z.string('give a name in quotes').min(1).max(LONGEST_NAME, tooLong);
const list = (what: string) => z.array(z.unknown(), `give a list of ${what}`);

/** The fields that both versions of the format have. */
export const commonFields = { time, machine, name };

const OPERATION = z.strictObject(
  {
    name: name.optional(),
    machine,
    duration: time,
    release: time.optional(),
    frozen: time.optional(),
  },
  'give an object with the keys machine, duration and, if need be, name, release, frozen',
);
export const jobSchema = z.strictObject(
  {
    name: name.optional(),
    operations: z.array(OPERATION, 'give a list of operations'),
    release: time.optional(),
    due: time.optional(),
    weight: weight.optional(),
    deadline: time.optional(),
    details: z
      .record(z.string(), z.string('give a text in quotes'), 'give an object with texts')
      .optional(),
  },
  'give an object with the key operations and, if need be, name, release, due, weight, deadline, details',
);
export const downtimeSchema = z.strictObject(
  {
    machine,
    from: time,
    to: time,
    resumable: z.boolean('give true or false'),
    estimated: z.literal(true, 'give true, or leave it out').optional(),
  },
  'give an object with the keys machine, from, to, resumable and, if need be, estimated',
);
const timeScaleSchema = z.strictObject(
  {
    epoch: z.string('give a time like "2026-11-23T06:00+01:00"'),
    unit: z.int('give the seconds of a unit of time: 60 for minutes'),
    zone: z.string('give a time zone like "Europe/Berlin"'),
  },
  'give an object with the keys epoch, unit, zone',
);

/** The document without its jobs and downtimes, which are checked one by one. */
export const headSchema = z.strictObject(
  {
    /** For editors, which find `schemas/instance.schema.json` by it. */
    $schema: z.string('give the address of a JSON Schema').optional(),
    schema: z.literal(
      INSTANCE_SCHEMA,
      `give "${INSTANCE_SCHEMA}", or "alas-jssp/instance@2", and use that format`,
    ),
    name: z.string('give a name in quotes').min(1).optional(),
    machines: count,
    time_scale: timeScaleSchema.optional(),
    jobs: list('jobs').min(1, 'give at least one job').max(MAX_COUNT, `give at most ${MAX_COUNT}`),
    downtimes: list('downtimes').optional(),
    shifts_until: z.unknown().optional(),
  },
  'give an object with the keys schema, name, machines, jobs and, if need be, time_scale, downtimes, shifts_until',
);

/** The part of the head about shifts, after its times were converted to numbers. */
const shiftsSchema = z.object({ shifts_until: time.optional() });

/** An ordered list of names of machines. */
export const namedMachines = z
  .array(
    z.string('give the name of a machine in quotes, "" for none').max(LONGEST_NAME, tooLong),
    'give the number of machines, or a list of their names',
  )
  .min(1, 'give at least one machine')
  .max(MAX_COUNT, `give at most ${MAX_COUNT}`);

/** The same for named machines. */
export const namedHeadSchema = headSchema.extend({ machines: namedMachines });

/** The head of either version of the format. */
export type JsonHead = Pick<
  z.infer<typeof headSchema>,
  'name' | 'time_scale' | 'downtimes' | 'shifts_until'
> & { readonly machines: number | readonly string[] };
export type JsonJob = z.infer<typeof jobSchema>;
export type JsonDowntime = z.infer<typeof downtimeSchema>;

/**
 * Checks a part of a document against its schema.
 *
 * @param path the path of the part in the document
 * @throws InputError for the first problem, but unknown keys first, because they explain missing ones
 */
export function checkPart<T>(
  schema: z.ZodType<T>,
  value: unknown,
  path: JsonPath,
  file: string | undefined,
): T {
  const result = checkJson(schema, value);
  if (result.fault === undefined) return result.data;
  throw faultError('bad_instance', result.fault, file, path);
}

/**
 * The time up to which an instance file knows shifts.
 *
 * @throws InputError `bad_instance` with file and JSON path
 */
export function readShiftsUntil(
  { shifts_until }: { readonly shifts_until?: unknown },
  scale: TimeScale | null,
  file: string | undefined,
): number | undefined {
  const place = { code: 'bad_instance', file, path: [] };
  const read = readTimes({ shifts_until }, TIME_KEYS.head, scale, place);
  return checkPart(shiftsSchema, read, [], file).shifts_until;
}
