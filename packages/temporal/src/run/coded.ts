import type { EncodedValue, Json } from '@alas-jssp/workflow/interpreter';

/**
 * The owner of a codec: the input or the output of a handler, or the input of the run (without a
 * handler).
 */
export interface CodecName {
  readonly handler?: string | undefined;
  readonly part: 'input' | 'output';
}

/** A value as the log holds it, and the parts that a codec must decode for a handler. */
export interface CodedValue {
  readonly json: Json;
  readonly coded?: readonly CodedPart[] | undefined;
}

interface CodedPart {
  /** The place in the value. */
  readonly at: readonly string[];
  readonly codec: CodecName;
  /** The place within the decoded `whole`; empty for the whole value. */
  readonly keys: readonly string[];
  readonly whole?: Json | undefined;
}

/** A placeholder of a value that only a worker can decode, since only workers have codecs. */
class Coded {
  constructor(
    readonly codec: CodecName,
    readonly whole: Json,
    readonly keys: readonly string[],
    readonly json: Json,
  ) {}
}

/** A value whose logged form is encoded. */
export function codedValue(
  codec: CodecName,
  json: Json,
  whole: Json = json,
  keys: readonly string[] = [],
): EncodedValue {
  return {
    json: () => json,
    value: () => new Coded(codec, whole, keys, json),
    get: (key) => {
      const child = memberOf(json, key);
      return child === undefined ? undefined : codedValue(codec, child, whole, [...keys, key]);
    },
  };
}

function memberOf(value: Json, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, Json>>)[key];
}

/** A value in the form that is sent to a worker. */
export function toCoded(datum: EncodedValue): CodedValue {
  const coded: CodedPart[] = [];
  collect(datum.value(), [], coded);
  return coded.length === 0 ? { json: datum.json() } : { json: datum.json(), coded };
}

function collect(value: unknown, at: readonly string[], found: CodedPart[]): void {
  if (value instanceof Coded) {
    const { codec, keys, whole } = value;
    found.push({ at, codec, keys, ...(keys.length > 0 && { whole }) });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) collect(child, [...at, key], found);
  }
}

/** A value on a worker, decoded by its codecs. */
export function fromCoded(
  { json, coded = [] }: CodedValue,
  decode: (codec: CodecName, json: Json) => unknown,
): EncodedValue {
  let made: { readonly value: unknown } | undefined;
  const self: EncodedValue = {
    json: () => json,
    value: () => {
      made ??= {
        value: coded.reduce((value, part) => place(value, part, json, decode), copy(json)),
      };
      return made.value;
    },
    get: (key) => {
      const child = memberOf(json, key);
      return child === undefined ? undefined : fromCoded({ json: child }, decode);
    },
  };
  return self;
}

function place(
  value: unknown,
  { at, codec, keys, whole }: CodedPart,
  json: Json,
  decode: (codec: CodecName, json: Json) => unknown,
): unknown {
  const own = at.reduce<Json>((inner, key) => memberOf(inner, key) ?? null, json);
  const made = keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | undefined)?.[key],
    decode(codec, whole ?? own),
  );
  const last = at.at(-1);
  if (last === undefined) return made;
  const parent = at.slice(0, -1).reduce((inner, key) => (inner as never)[key], value);
  (parent as Record<string, unknown>)[last] = made;
  return value;
}

function copy(json: Json): unknown {
  return JSON.parse(JSON.stringify(json));
}
