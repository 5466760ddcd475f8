import type { Json } from '../log/entry.js';
import type { Codec } from './registry.js';

/**
 * A value in both of its forms: the live one, which handlers use, and the JSON one, which logs,
 * guards and hashes use. Each is made when it is first read.
 */
export interface EncodedValue {
  json(): Json;
  value(): unknown;
  /** The value under a key; undefined if there is none. */
  get(key: string): EncodedValue | undefined;
}

/** A value from a handler. */
export function encodeLive(value: unknown, codec?: Codec): EncodedValue {
  if (codec === undefined) return plainValue(value);
  let json: Json | undefined;
  const self: EncodedValue = {
    json: () => {
      if (json === undefined) json = codec.encode(value);
      return json;
    },
    value: () => value,
    get: (key) => member(self, key),
  };
  return self;
}

/** A value from the log. */
export function decodeLogged(json: Json, codec?: Codec): EncodedValue {
  if (codec === undefined) return plainValue(json);
  let made: { readonly value: unknown } | undefined;
  const self: EncodedValue = {
    json: () => json,
    value: () => {
      made ??= { value: codec.decode(json) };
      return made.value;
    },
    get: (key) => member(self, key),
  };
  return self;
}

/** An object of values by name. */
export function objectOfValues(parts: ReadonlyMap<string, EncodedValue>): EncodedValue {
  const collect = <T>(take: (part: EncodedValue) => T) =>
    Object.fromEntries([...parts].map(([key, part]) => [key, take(part)]));
  return {
    json: () => collect((part) => part.json()),
    value: () => collect((part) => part.value()),
    get: (key) => parts.get(key),
  };
}

/** A list of values. */
export function listOfValues(parts: readonly EncodedValue[]): EncodedValue {
  return {
    json: () => parts.map((part) => part.json()),
    value: () => parts.map((part) => part.value()),
    get: (key) => parts[Number(key)],
  };
}

export const NULL_VALUE = plainValue(null);

/** A value that is its own JSON. */
function plainValue(value: unknown): EncodedValue {
  return {
    json: () => (value === undefined ? null : (value as Json)),
    value: () => value,
    get: (key) => {
      const child = own(value, key);
      return child === undefined ? undefined : plainValue(child);
    },
  };
}

/**
 * A member of a value with a codec: taken from the JSON form for JSON, else from the live value.
 */
function member(parent: EncodedValue, key: string): EncodedValue | undefined {
  if (own(parent.value(), key) === undefined && own(parent.json(), key) === undefined) {
    return undefined;
  }
  const self: EncodedValue = {
    json: () => (own(parent.json(), key) ?? null) as Json,
    value: () => own(parent.value(), key),
    get: (next) => member(self, next),
  };
  return self;
}

function own(value: unknown, key: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
