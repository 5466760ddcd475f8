import { isObject } from '@alas-jssp/core/json-path';
import { nearestNames } from '@alas-jssp/core/nearest-names';
import { findIncompatibilities, type JsonSchema } from '@alas-jssp/workflow';
import type { ObjectSchema } from './node-schemas.js';
import { wordsOf } from './wording.js';

/** The keys of a consumer, and the keys of a producer that supply them. */
export interface KeyMapping {
  /** By the key of the consumer: the key of the producer. */
  readonly keys: Readonly<Record<string, string>>;
  /** Required keys of the consumer that nothing supplies. */
  readonly missing: readonly string[];
  /** Keys of the producer that supply nothing. */
  readonly unused: readonly string[];
  /** Whether each key has its own name, and certainly fits. */
  readonly isExact: boolean;
}

/** Ways in which a key may be meant by another one, best first. */
const LIKENESS: readonly ((key: string, others: readonly string[]) => readonly string[])[] = [
  (key, others) => others.filter((other) => other === key),
  (key, others) => others.filter((other) => plain(other) === plain(key)),
  (key, others) => others.filter((other) => meaning(other) === meaning(key)),
  (key, others) => others.filter((other) => thing(other) !== '' && thing(other) === thing(key)),
  (key, others) => nearestNames(key, others, 1).filter((other) => isNear(key, other)),
];

/**
 * Finds the keys of a producer that supply the keys of a consumer: equal names first, then the same words, words of the
 * same meaning, the same thing (`order` and `orderId`), and nearly equal names. Types must fit; a key supplies at most
 * one; where two fit equally well, neither is taken.
 */
export function mapKeys(producer: ObjectSchema, consumer: ObjectSchema): KeyMapping {
  const given = propertiesOf(producer);
  const taken = propertiesOf(consumer);
  const keys: Record<string, string> = {};
  const ambiguous = new Set<string>();
  let isExact = true;
  LIKENESS.forEach((alike, rank) => {
    const open = Object.keys(taken).filter(
      (key) => !Object.hasOwn(keys, key) && !ambiguous.has(key),
    );
    const free = Object.keys(given).filter((key) => !Object.values(keys).includes(key));
    const claims = open.map((key) => {
      const fitting = alike(key, free).filter((other) =>
        fits(given[other] as JsonSchema, taken[key] as JsonSchema),
      );
      if (fitting.length > 1) ambiguous.add(key);
      return { key, source: fitting.length === 1 ? fitting[0] : undefined };
    });
    for (const { key, source } of claims) {
      if (source === undefined) continue;
      if (claims.filter((claim) => claim.source === source).length > 1) {
        ambiguous.add(key);
        continue;
      }
      keys[key] = source;
      if (rank > 0) isExact = false;
    }
  });
  const required = Array.isArray(consumer.required) ? consumer.required.map(String) : [];
  const missing = required.filter((key) => !Object.hasOwn(keys, key));
  const unused = Object.keys(given).filter((key) => !Object.values(keys).includes(key));
  return { keys, missing, unused, isExact: isExact && missing.length === 0 && unused.length === 0 };
}

function fits(producer: JsonSchema, consumer: JsonSchema): boolean {
  return findIncompatibilities(producer, consumer).every(({ verdict }) => verdict === 'unknown');
}

export function propertiesOf({ properties }: ObjectSchema): Readonly<Record<string, ObjectSchema>> {
  return isObject(properties) ? (properties as Record<string, ObjectSchema>) : {};
}

function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function meaning(key: string): string {
  return [...wordsOf(key)].sort().join(' ');
}

/** The thing that a key names, with or without the word that says that it is an id. */
function thing(key: string): string {
  return [...wordsOf(key)]
    .filter((word) => word !== 'id')
    .sort()
    .join(' ');
}

/** Names of four letters or more that differ in a third of them at most. */
function isNear(one: string, other: string): boolean {
  const [a, b] = [plain(one), plain(other)];
  if (Math.min(a.length, b.length) < 4) return false;
  return a.includes(b) || b.includes(a) || a.slice(0, 4) === b.slice(0, 4);
}
