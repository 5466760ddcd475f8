import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { pointerKeys } from '@alas-jssp/core/json-path';
import type { Judged } from '../interpreter/registry.js';
import type { Json } from '../log/entry.js';

/**
 * Places that must hold the same. `#/a/b` is a place in the value (a JSON Pointer, RFC 6901),
 * `flight#/a/b` one in the committed output of the node with the path `flight`.
 */
export interface Agreement {
  readonly name: string;
  readonly places: readonly string[];
}

/** The fault of an agreement, if any: a missing place, or places that differ. */
export function testAgreement({ places }: Agreement, judged: Judged): string | undefined {
  const found = places.map((place) => ({ place, value: valueAt(place, judged) }));
  const missing = found.filter(({ value }) => value === undefined).map(({ place }) => place);
  if (missing.length > 0) return `there is nothing at ${missing.join(', ')}`;
  const texts = found.map(({ value }) => canonicalJson(value as Json));
  if (new Set(texts).size <= 1) return undefined;
  return found.map(({ place }, index) => `${place} is ${texts[index]}`).join(', ');
}

function valueAt(place: string, { value, committed }: Judged): Json | undefined {
  const [, node, pointer] = /^(.*?)#(.*)$/.exec(place) ?? ['', place, ''];
  return pointerKeys(pointer).reduce<Json | undefined>(
    (inner, key) =>
      inner !== null && typeof inner === 'object' && Object.hasOwn(inner, key)
        ? (inner as Readonly<Record<string, Json>>)[key]
        : undefined,
    node === '' ? value : committed[node],
  );
}
