import * as z from 'zod';
import { InputError } from '../../core/errors.js';
import { checkJson } from '../../core/json-check.js';
import { formatPath, type JsonPath } from '../../core/json-path.js';
import { MAX_TIME } from '../instance.js';
import { MAX_TOTAL_WEIGHT } from '../instance-checks.js';
import { MAX_COUNT } from './rows.js';

/** The name and version of the JSON format of instances. */
export const INSTANCE_SCHEMA = 'alas-jssp/instance@1';

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
export const jobSchema = z.strictObject(
  {
    operations: z.array(OPERATION, 'give a list of operations'),
    release: time.optional(),
    due: time.optional(),
    weight: weight.optional(),
    deadline: time.optional(),
  },
  'give an object with the key operations and, if need be, release, due, weight, deadline',
);
export const downtimeSchema = z.strictObject(
  { machine: index, from: time, to: time, resumable: z.boolean('give true or false') },
  'give an object with the keys machine, from, to, resumable',
);
/** The document but for its jobs and downtimes, which are checked one by one. */
export const headSchema = z.strictObject(
  {
    schema: z.literal(INSTANCE_SCHEMA, `give "${INSTANCE_SCHEMA}", and write the file to suit`),
    name: z.string('give a name in quotes').min(1).optional(),
    machines: count,
    jobs: list('jobs').min(1, 'give at least one job').max(MAX_COUNT, `give at most ${MAX_COUNT}`),
    downtimes: list('downtimes').optional(),
  },
  'give an object with the keys schema, name, machines, jobs and, if need be, downtimes',
);

export type JsonJob = z.infer<typeof jobSchema>;
export type JsonDowntime = z.infer<typeof downtimeSchema>;

/**
 * Checks a part of a document against its schema.
 *
 * @param path where the part stands in the document
 * @throws InputError for the first thing wrong; unknown keys come first, they explain missing ones
 */
export function checkPart<T>(
  schema: z.ZodType<T>,
  value: unknown,
  path: JsonPath,
  file: string | undefined,
): T {
  const result = checkJson(schema, value);
  if (result.fault === undefined) return result.data;
  const { problem, cure, found } = result.fault;
  const location = { file, path: formatPath([...path, ...result.fault.path]) };
  throw new InputError('bad_instance', problem, cure, location, found);
}
