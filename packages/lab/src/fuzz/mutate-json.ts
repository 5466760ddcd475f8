// Changes of JSON values: a value replaced, a key renamed, removed, or taken from another document.
import type { Random } from '@alas-jssp/core/random';
import { type MutationParts, newNumber, newWord } from './words.js';

type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** A place in a document. */
interface Place {
  readonly owner: Value[] | { [key: string]: Value };
  readonly key: string | number;
}

const decoder = new TextDecoder();
/** The places of a document among which one is chosen. */
const MOST_PLACES = 3000;

/** A text of JSON with one change. Null if it is no JSON, or has no places. */
export function mutateJson(text: string, parts: MutationParts): string | null {
  const root = parse(text);
  if (root === undefined) return null;
  const holder = { root };
  const places = placesIn(holder);
  const { random } = parts;
  const place = places[random.integer(0, places.length - 1)];
  changeAt(place, parts);
  // A key that JSON.parse keeps as a key of its own, and that a copy takes for the prototype.
  return JSON.stringify(holder.root ?? null).replaceAll('"proto key":', '"__proto__":');
}

function parse(text: string): Value | undefined {
  try {
    const value: Value = JSON.parse(text);
    return value !== null && typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}

function placesIn(root: { [key: string]: Value }): Place[] {
  const places: Place[] = [];
  const open: Value[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value === null || typeof value !== 'object') continue;
    const owner = value;
    const keys = Array.isArray(owner) ? owner.keys() : Object.keys(owner);
    for (const key of keys) {
      if (places.length >= MOST_PLACES) return places;
      places.push({ owner, key });
      open.push((owner as Record<string | number, Value>)[key]);
    }
  }
  return places;
}

function changeAt({ owner, key }: Place, parts: MutationParts): void {
  const { random, words } = parts;
  const at = owner as Record<string | number, Value>;
  const kind = random.integer(0, 9);
  if (kind === 0 && !Array.isArray(owner)) delete at[key];
  else if (kind === 0) (owner as Value[]).splice(Number(key), 1);
  else if (kind === 1 && !Array.isArray(owner)) renameKey(owner, String(key), parts);
  else if (kind === 2 && Array.isArray(owner))
    owner.splice(Number(key), 0, structuredClone(at[key]));
  else if (kind === 3) at[key] = fromOther(parts) ?? null;
  else if (kind === 4) at[key] = nested(at[key], random);
  else if (kind === 5 && !Array.isArray(owner)) at[newKey(random, words)] = newValue(parts);
  else if (kind === 6 && Array.isArray(owner)) owner.push(...repeated(owner, random));
  else at[key] = newValue(parts);
}

function renameKey(owner: { [key: string]: Value }, key: string, { random, words }: MutationParts) {
  const value = owner[key];
  delete owner[key];
  owner[newKey(random, words)] = value;
}

function newKey(random: Random, words: readonly string[]): string {
  const word = newWord(random, words);
  return word === '__proto__' ? 'proto key' : word;
}

function nested(value: Value, random: Random): Value {
  const depth = random.integer(0, 5) === 0 ? 200 : 1;
  let now = value;
  for (let i = 0; i < depth; i++) now = random.integer(0, 1) === 0 ? [now] : { a: now };
  return now;
}

function repeated(list: readonly Value[], random: Random): Value[] {
  const times = Math.min(random.integer(1, 40), Math.floor(2000 / (list.length + 1)));
  return Array.from({ length: times }, () => list).flat();
}

function newValue(parts: MutationParts): Value {
  const { random, words } = parts;
  switch (random.integer(0, 7)) {
    case 0:
      return null;
    case 1:
      return random.integer(0, 1) === 0;
    case 2:
      return [];
    case 3:
      return {};
    case 4:
      return newWord(random, words);
    case 5:
      return newNumber(random);
    default: {
      const number = Number(newNumber(random));
      return Number.isFinite(number) ? number : random.integer(-3, 60);
    }
  }
}

/** A part of another document. */
function fromOther({ random, others }: MutationParts): Value | undefined {
  if (others.length === 0) return undefined;
  const other = parse(decoder.decode(others[random.integer(0, others.length - 1)]));
  if (other === undefined) return undefined;
  const places = placesIn({ other });
  const { owner, key } = places[random.integer(0, places.length - 1)];
  return structuredClone((owner as Record<string | number, Value>)[key]);
}
