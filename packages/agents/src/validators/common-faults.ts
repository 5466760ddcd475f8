import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';
import type { PlantedFault } from './calibrate.js';

type Path = readonly (string | number)[];

/**
 * Faults that can be planted in a value: each leaf below some of its keys is changed by itself (a number doubled, a flag
 * negated, a text replaced by another one of the value or emptied, a number in a text doubled), each list loses its first item, and each key is
 * missing once.
 *
 * @param keys members of the value that get faults. Default: all
 */
export function commonFaults(value: Json, keys?: readonly string[]): PlantedFault[] {
  const texts = [...leavesOf(value)].flatMap(([, leaf]) => (typeof leaf === 'string' ? leaf : []));
  const places = [...partsOf(value)].filter(
    ([path]) => path.length > 0 && (keys === undefined || keys.includes(String(path[0]))),
  );
  return places.flatMap(([path, part]) =>
    changesOf(part, texts).map(({ name, changed }) => ({
      name: `${path.join('.')} ${name}`,
      plant: (whole) => replaceAt(whole, path, changed),
    })),
  );
}

interface Change {
  readonly name: string;
  /** Undefined to remove it. */
  readonly changed: Json | undefined;
}

function changesOf(part: Json, texts: readonly string[]): Change[] {
  const missing: Change = { name: 'is missing', changed: undefined };
  if (typeof part === 'number') {
    const changed = part === 0 ? 1 : 2 * part;
    return [{ name: `is ${changed}, not ${part}`, changed }, missing];
  }
  if (typeof part === 'boolean') {
    return [{ name: `is ${!part}`, changed: !part }, missing];
  }
  if (typeof part === 'string') {
    const other = texts.find((text) => text !== part) ?? '';
    const changed = other === part ? `${part}?` : other;
    return [{ name: `is ${JSON.stringify(changed)}`, changed }, ...numberFault(part), missing];
  }
  if (Array.isArray(part)) {
    return part.length === 0
      ? [missing]
      : [{ name: 'lacks its first item', changed: part.slice(1) }];
  }
  return [];
}

/** A text whose first number is another one. */
function numberFault(text: string): Change[] {
  const [number] = /\d+/.exec(text) ?? [];
  if (number === undefined) return [];
  const other = String(2 * Number(number) || 1);
  return [{ name: `says ${other}, not ${number}`, changed: text.replace(number, other) }];
}

function* leavesOf(value: Json): Generator<[Path, Json]> {
  for (const [path, part] of partsOf(value)) {
    if (part === null || typeof part !== 'object') yield [path, part];
  }
}

/** The value itself, and all parts of it. */
function* partsOf(value: Json, path: Path = []): Generator<[Path, Json]> {
  yield [path, value];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* partsOf(item, [...path, index]);
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      yield* partsOf(member as Json, [...path, key]);
    }
  }
}

/** The value with another part at a path; undefined if it has no such part. */
function replaceAt(value: Json, [key, ...rest]: Path, changed: Json | undefined): Json | undefined {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
  const part = (value as Readonly<Record<string | number, Json>>)[key];
  const made = rest.length === 0 ? changed : replaceAt(part, rest, changed);
  if (rest.length > 0 && made === undefined) return undefined;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      index !== key ? [item] : made === undefined ? [] : [made],
    );
  }
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  return Object.fromEntries(
    members.flatMap(([name, member]) =>
      name !== key ? [[name, member]] : made === undefined ? [] : [[name, made]],
    ),
  );
}
