import { InputError } from '@alas-jssp/core/errors';
import type { Json } from '../log/entry.js';
import { describeThrown } from './policies.js';

/** Deeper nesting is circular, or as good as circular. */
const DEEPEST = 500;

/** A log stores no value with more parts; a proxy can have infinitely many. */
const MOST_PARTS = 10_000_000;

/**
 * A plain copy of a value from user code: each part is read once, so that getters and proxies
 * cannot give the log one value and the next step another. Keys whose value is undefined are
 * omitted.
 *
 * @throws InputError and nothing else: `not_json` for values that JSON cannot hold, `unreadable`
 *   for values that throw when they are read
 */
export function plainCopy(value: unknown): Json {
  const parts = { left: MOST_PARTS };
  try {
    return copy(value, 0, parts);
  } catch (error) {
    if (error instanceof Unfit) throw unfit(error.kind);
    const problem = `this value cannot be read (${describeThrown(error).message})`;
    throw new InputError('unreadable', problem, HINT);
  }
}

const HINT = 'give null, true, false, numbers, texts, and lists and plain objects of them';

class Unfit extends Error {
  constructor(readonly kind: string) {
    super(kind);
  }
}

function copy(value: unknown, depth: number, parts: { left: number }): Json {
  if (parts.left-- === 0) throw new Unfit('a value of too many parts');
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object')
    throw new Unfit(typeof value === 'number' ? `${value}` : `a value of type ${typeof value}`);
  if (depth > DEEPEST) throw new Unfit('a circle, or nested too deeply');
  if (Array.isArray(value)) {
    const list: Json[] = [];
    for (let k = 0; k < value.length; k++) list.push(copy(value[k], depth + 1, parts));
    return list;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new Unfit(`a ${String(prototype.constructor?.name ?? 'object of no kind')}`);
  }
  const object: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[key];
    if (part === undefined) continue;
    const plain = copy(part, depth + 1, parts);
    if (key !== '__proto__') object[key] = plain;
    else
      Object.defineProperty(object, key, {
        value: plain,
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return object;
}

function unfit(kind: string): InputError {
  return new InputError('not_json', `this is ${kind}, which JSON cannot hold`, HINT);
}
