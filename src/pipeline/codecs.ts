import { inspect } from 'node:util';
import type { Codec, Json } from '@alas-jssp/workflow';
import type { Instance } from '../jssp/instance.js';
import { isSchedule } from '../jssp/plan.js';
import { createSchedule, type Schedule } from '../jssp/schedule.js';
import { relativeModes, withRelativeModes } from './shop/logged-modes.js';

/**
 * Encodes values of the pipeline as JSON and decodes them: candidates, verdicts, and results of repair and search. JSON
 * values and keys stay unchanged; other values become an object with one key that begins with `$`:
 *
 * - `$schedule`: a schedule of the instance, by its start times, or by `start` and `mode` (from 0 among the modes of each
 *   operation) if operations have alternatives;
 * - `$number`: NaN or an infinity, which untrusted plans may claim;
 * - `$object`: an object that itself has such keys, as a list of pairs;
 * - `$text`: any other value, in words, which plans do not use.
 *
 * Keys whose value is undefined are omitted.
 */
export function createValueCodec(instance: Instance): Codec {
  return { encode, decode: (json) => decode(json, instance) };
}

function encode(value: unknown): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : { $number: String(value) };
    case 'object':
      if (value === null) return null;
      if (Array.isArray(value)) return value.map(encode);
      return encodeObject(value);
    default:
      return { $text: inspect(value) };
  }
}

/** The starts of a schedule, with its modes if operations have alternatives. */
type LoggedSchedule = number[] | { readonly start: number[]; readonly mode: number[] };

function encodeSchedule({ start, instance: { modes } }: Schedule): LoggedSchedule {
  const starts = Array.from(start);
  return modes === null ? starts : { start: starts, mode: Array.from(relativeModes(modes)) };
}

function decodeSchedule(logged: LoggedSchedule, instance: Instance): Schedule {
  if (Array.isArray(logged)) return createSchedule(instance, Int32Array.from(logged));
  const { start, mode } = logged;
  const assigned = withRelativeModes(instance, (op) => mode[op]);
  return createSchedule(assigned, Int32Array.from(start));
}

function encodeObject(value: object): Json {
  if (isSchedule(value as never)) {
    return { $schedule: encodeSchedule(value as Schedule) };
  }
  const pairs = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => [key, encode(item)] as const);
  return pairs.some(([key]) => key.startsWith('$'))
    ? { $object: pairs }
    : Object.fromEntries(pairs);
}

function decode(json: Json, instance: Instance): unknown {
  if (json === null || typeof json !== 'object') return json;
  if (Array.isArray(json)) return json.map((item) => decode(item, instance));
  const pairs = Object.entries(json);
  const [key, item] = pairs.length === 1 ? pairs[0] : [''];
  if (key === '$schedule') return decodeSchedule(item as LoggedSchedule, instance);
  if (key === '$number') return Number(item);
  if (key === '$text') return item;
  const inner = key === '$object' ? (item as [string, Json][]) : pairs;
  return Object.fromEntries(inner.map(([name, value]) => [name, decode(value, instance)]));
}
