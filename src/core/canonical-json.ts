import { InputError } from './errors.js';
import { formatPath } from './json-path.js';

/** Deeper than this is taken for a circle. */
const DEEPEST = 500;

/** Keys of the way to a circle that are told. */
const SHOWN = 5;

/**
 * Writes a value as canonical JSON (RFC 8785): no white space, keys in the order of their UTF-16
 * code units, numbers and strings as ECMAScript writes them. Equal values give equal texts.
 *
 * Unlike the RFC it accepts strings with lone surrogates and writes them as escapes, so that every
 * string comes back as it was. Keys whose value is undefined are left out.
 *
 * @throws InputError `not_json` for what JSON cannot hold: NaN, infinities, functions, dates, maps,
 *   typed arrays and circles
 */
export function canonicalJson(value: unknown): string {
  return write(value, []);
}

/** The texts of objects that do not change any more; empty until they are first written. */
const kept = new WeakMap<object, string>();

/**
 * Keeps the canonical JSON of an object that does not change any more, for the values of which it is
 * a member: it is written once.
 */
export function keepCanonical(frozen: object): void {
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
