import type { Json } from '../log/entry.js';
import type { Codec } from './registry.js';

/**
 * A value in both of its forms: the one that handlers work with and the one that logs, guards and
 * hashes see. Each is made when it is first asked for.
 */
export interface Datum {
  json(): Json;
  value(): unknown;
  /** The value under a key; undefined if there is none. */
  get(key: string): Datum | undefined;
}

/** A value that a handler gave. */
export function liveDatum(value: unknown, codec?: Codec): Datum {
  if (codec === undefined) return plainDatum(value);
  let json: Json | undefined;
  const self: Datum = {
    json: () => {
      if (json === undefined) json = codec.encode(value);
      return json;
    },
    value: () => value,
    get: (key) => member(self, key),
  };
  return self;
}

/** A value that stands in the log. */
export function loggedDatum(json: Json, codec?: Codec): Datum {
  if (codec === undefined) return plainDatum(json);
  let made: { readonly value: unknown } | undefined;
  const self: Datum = {
    json: () => json,
    value: () => {
      made ??= { value: codec.decode(json) };
      return made.value;
    },
    get: (key) => member(self, key),
  };
  return self;
}

/** An object of data by name. */
export function recordDatum(parts: ReadonlyMap<string, Datum>): Datum {
  const collect = <T>(take: (part: Datum) => T) =>
    Object.fromEntries([...parts].map(([key, part]) => [key, take(part)]));
  return {
    json: () => collect((part) => part.json()),
    value: () => collect((part) => part.value()),
    get: (key) => parts.get(key),
  };
}

/** A list of data. */
export function listDatum(parts: readonly Datum[]): Datum {
  return {
    json: () => parts.map((part) => part.json()),
    value: () => parts.map((part) => part.value()),
    get: (key) => parts[Number(key)],
  };
}

export const NULL_DATUM = plainDatum(null);

/** A value that is its own JSON. */
function plainDatum(value: unknown): Datum {
  return {
    json: () => (value === undefined ? null : (value as Json)),
    value: () => value,
    get: (key) => {
      const child = own(value, key);
      return child === undefined ? undefined : plainDatum(child);
    },
  };
}

/** A member of a value with a codec: in JSON that of the JSON, else that of the value. */
function member(parent: Datum, key: string): Datum | undefined {
  if (own(parent.value(), key) === undefined && own(parent.json(), key) === undefined) {
    return undefined;
  }
  const self: Datum = {
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
