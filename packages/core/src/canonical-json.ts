import { InputError } from './errors.js';
import { formatPath } from './json-path.js';

/** Deeper nesting is treated as a circular reference. */
const DEEPEST = 500;

/** The number of keys of a circular path that the error shows. */
const SHOWN = 5;

/**
 * Writes a value as canonical JSON (RFC 8785): no white space, keys in the order of their UTF-16 code units, numbers
 * and strings as ECMAScript writes them. Equal values give equal texts.
 *
 * Unlike the RFC it accepts strings with lone surrogates and writes them as escapes, so that every string survives a
 * round trip. Keys whose value is undefined are omitted.
 *
 * @throws InputError `not_json` for values that JSON cannot represent: NaN, infinities, functions, dates, maps, typed
 *   arrays and circular references
 */
export function canonicalJson(value: unknown): string {
  return write(value, []);
}

/** The cached texts of immutable objects; empty until first written. */
const kept = new WeakMap<object, string>();

/** Caches the canonical JSON of an object that no longer changes, for use as a member of other values. */
export function cacheCanonicalJson(frozen: object): void {
  kept.set(frozen, '');
}

function write(value: unknown, path: PropertyKey[]): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (Number.isFinite(value)) return String(value === 0 ? 0 : value);
      break;
    case 'object':
      if (value === null) return 'null';
      if (path.length > DEEPEST) break;
      if (Array.isArray(value)) return writeList(value, path);
      if (isPlain(value)) return writeObject(value as Record<string, unknown>, path);
  }
  throw new InputError(
    'not_json',
    `this is ${kindOf(value, path)}, which JSON cannot hold`,
    'give null, true, false, numbers, texts, and lists and plain objects of them',
    { path: path.length > DEEPEST ? `${formatPath(path.slice(0, SHOWN))}…` : formatPath(path) },
    value,
  );
}

function writeList(list: readonly unknown[], path: PropertyKey[]): string {
  let text = '[';
  for (let i = 0; i < list.length; i++) {
    path.push(i);
    text += i === 0 ? write(list[i], path) : `,${write(list[i], path)}`;
    path.pop();
  }
  return `${text}]`;
}

function writeObject(object: Record<string, unknown>, path: PropertyKey[]): string {
  const known = path.length === 1 ? kept.get(object) : undefined;
  if (known) return known;
  let text = '{';
  for (const key of Object.keys(object).sort()) {
    if (object[key] === undefined) continue;
    path.push(key);
    if (text !== '{') text += ',';
    text += `${JSON.stringify(key)}:${write(object[key], path)}`;
    path.pop();
  }
  text += '}';
  if (known !== undefined) kept.set(object, text);
  return text;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function kindOf(value: unknown, path: readonly PropertyKey[]): string {
  if (path.length > DEEPEST) return 'a circle, or nested too deeply';
  if (typeof value !== 'object' || value === null) return String(value);
  return `a ${value.constructor?.name ?? 'object of no kind'}`;
}
