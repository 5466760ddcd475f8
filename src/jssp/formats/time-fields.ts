import { InputError } from '@alas-jssp/core/errors';
import { formatPath, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import type { TimeScale } from '../shop-clock.js';
import { createTimeScale, formatTime, parseTime } from '../time-scale.js';

/** The keys of an instance, its jobs, operations and downtimes that are times. */
export const TIME_KEYS = {
  job: ['release', 'due', 'deadline'],
  operation: ['release', 'frozen'],
  downtime: ['from', 'to'],
  head: ['shifts_until'],
} as const;

/** The location of an object, and the code of an error about it. */
export interface FieldPlace {
  readonly code: string;
  readonly file?: string | undefined;
  readonly path: JsonPath;
}

/**
 * An object from a file with its ISO 8601 times replaced by numbers. Without a scale, and for values other than text,
 * it is returned unchanged: the schema of the file checks it afterwards.
 *
 * @throws InputError with the code, the location and the key in it
 */
export function readTimes<T>(
  item: T,
  keys: readonly string[],
  scale: TimeScale | null | undefined,
  { code, file, path }: FieldPlace,
): T {
  if (!scale || !isObject(item)) return item;
  let read: Record<string, unknown> | undefined;
  for (const key of keys) {
    const value = item[key];
    if (typeof value !== 'string') continue;
    read ??= { ...item };
    read[key] = readTime(scale, value, code, { file, path: formatPath([...path, key]) });
  }
  return (read ?? item) as T;
}

/** An object for a file: times in ISO 8601 if there is a scale. */
export function writeTimes<T extends object>(
  item: T,
  keys: readonly string[],
  scale: TimeScale | null,
): T {
  if (scale === null) return item;
  const written = { ...item } as Record<string, unknown>;
  for (const key of keys) {
    const value = written[key];
    if (typeof value === 'number') written[key] = formatTime(scale, value);
  }
  return written as T;
}

/**
 * A time of ISO 8601, parsed by {@link parseTime}.
 *
 * @throws InputError with the code and the location
 */
export function readTime(
  scale: TimeScale,
  text: string,
  code: string,
  location: InputError['location'],
): number {
  try {
    return parseTime(scale, text);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const facts = { code: error.code, from: 0, scale };
    throw new InputError(code, error.problem, error.hint, location, text, facts);
  }
}

/**
 * A job of an instance file with its times as numbers.
 *
 * @throws InputError `bad_instance` with file and JSON path
 */
export function readJobTimes(
  item: unknown,
  j: number,
  scale: TimeScale | null,
  file: string | undefined,
): unknown {
  if (scale === null || !isObject(item)) return item;
  const path = ['jobs', j];
  const job = readTimes(item, TIME_KEYS.job, scale, { code: 'bad_instance', file, path });
  if (!Array.isArray(job.operations)) return job;
  const operations = job.operations.map((operation: unknown, i) =>
    readTimes(operation, TIME_KEYS.operation, scale, {
      code: 'bad_instance',
      file,
      path: [...path, 'operations', i],
    }),
  );
  return { ...job, operations };
}

/**
 * The time scale of an instance file.
 *
 * @throws InputError `bad_instance` with file and JSON path
 */
export function readTimeScale(
  scale: TimeScale | undefined,
  file: string | undefined,
): TimeScale | null {
  if (scale === undefined) return null;
  try {
    return createTimeScale(scale);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const location = { file, path: '$.time_scale' };
    throw new InputError('bad_instance', error.problem, error.hint, location, error.value);
  }
}
