import { valuesOf } from '../../llm/decode/json.js';
import { parseClock } from '../../model/clock.js';
import type { RealmClaims } from './realm-problem.js';

const DEEPEST = 6;

type JsonObject = Readonly<Record<string, unknown>>;

/** The last JSON object of an answer that has a key, at any depth; null if there is none. */
export function answerObject(text: string, key: string): JsonObject | null {
  const found = valuesOf(text).flatMap((value) => objectsWith(value, key, 0));
  return found.at(-1) ?? null;
}

function objectsWith(value: unknown, key: string, depth: number): JsonObject[] {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  if (!Array.isArray(value) && key in value) return [value as JsonObject];
  return Object.values(value).flatMap((one) => objectsWith(one, key, depth + 1));
}

/** Claims of an answer about its plan: `feasible` and `cost`. */
export function answerClaims(answer: JsonObject | null): RealmClaims {
  const { feasible, cost } = answer ?? {};
  return {
    feasible: typeof feasible === 'boolean' ? feasible : null,
    cost: typeof cost === 'number' && Number.isFinite(cost) ? cost : null,
  };
}

/** The objects of a list in an answer; empty if there is no such list. */
export function answerRows(answer: JsonObject, key: string): JsonObject[] {
  const list = answer[key];
  if (!Array.isArray(list)) return [];
  return list.filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
}

/** A name in an answer as the problem writes it, whatever its case, blanks, dashes and underscores. */
function answerName(value: unknown, names: Iterable<string>): string | null {
  if (typeof value !== 'string') return null;
  const plain = (text: string) => text.toLowerCase().replaceAll(/[\s_-]+/g, '');
  let alike: string | null = null;
  for (const name of names) {
    if (name === value) return name;
    if (plain(name) === plain(value)) alike = name;
  }
  return alike;
}

/** A name in an answer: as the problem writes it, or else as the answer does, so that the judge reports it. */
export function answerNamed(value: unknown, names: Iterable<string>): string {
  const other = typeof value === 'string' && value !== '' ? value.slice(0, 100) : '?';
  return answerName(value, names) ?? other;
}

/** Minutes of the day of a clock time in an answer; null if it is none. */
export function answerClock(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  try {
    return parseClock(value);
  } catch {
    return null;
  }
}

const MOST = 1_000_000_000;

/** A whole number from 0 on in an answer, as a number or as text; null if it is none. */
export function answerCount(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const isCount = typeof number === 'number' && Number.isInteger(number);
  return isCount && number >= 0 && number <= MOST ? number : null;
}
