import { InputError } from '../../core/errors.js';
import { formatPath, isObject, type JsonPath } from '../../core/json-path.js';
import type { TimeScale } from '../shop-clock.js';
import { createTimeScale, formatTime, parseTime } from '../time-scale.js';

/** The keys of an instance, its jobs, operations and downtimes that are times. */
export const TIME_KEYS = {
  job: ['release', 'due', 'deadline'],
  operation: ['release', 'frozen'],
  downtime: ['from', 'to'],
  head: ['shifts_until'],
} as const;

/** Where an object stands, and the code of an error about it. */
export interface FieldPlace {
  readonly code: string;
  readonly file?: string | undefined;
  readonly path: JsonPath;
}

/**
 * An object of a file with numbers in place of its times in ISO 8601; without a scale, and where there is something
 * else than text, it stays as it is: the schema of the file has the last word.
 *
 * @throws InputError with the code and the place, and the key in it
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

/** An object as files have it: times in ISO 8601 where there is a scale. */
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
 * A time of ISO 8601, as {@link parseTime} reads it.
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
      ...{ code: 'bad_instance', file },
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
