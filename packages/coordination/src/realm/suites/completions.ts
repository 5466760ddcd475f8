import { InputError } from '@alas-jssp/core';
import type { RealmCompletion, RealmCompletions } from './suite.js';

/** The word that takes all values of ours. */
export const OURS = 'ours';

/**
 * Parses `--complete`: `KEY=VALUE,KEY=VALUE`, and `ours` for the values of ours of all other keys.
 *
 * @throws InputError `bad_complete` for an unknown or a repeated key
 */
export function parseCompletions(
  texts: readonly string[],
  completions: readonly RealmCompletion[],
  suite: string,
): RealmCompletions {
  const given: Record<string, string> = {};
  let takesOurs = false;
  for (const part of texts.flatMap((text) => text.split(','))) {
    const text = part.trim();
    const at = text.indexOf('=');
    if (text === OURS) {
      takesOurs = true;
      continue;
    }
    const key = at < 0 ? text : text.slice(0, at).trim();
    const known = completions.find((one) => one.key === key);
    if (known === undefined) throw unknownKey(text, key, completions, suite);
    if (key in given) {
      throw badCompletion(key, text, 'it is stated twice', 'state it once');
    }
    given[key] = at < 0 ? known.ours : text.slice(at + 1).trim();
  }
  if (!takesOurs) return given;
  return Object.fromEntries(completions.map(({ key, ours }) => [key, given[key] ?? ours]));
}

function unknownKey(
  text: string,
  key: string,
  completions: readonly RealmCompletion[],
  suite: string,
): InputError {
  const keys = completions.map((one) => `${one.key}=${one.ours}`).join(', ');
  const hint = keys === '' ? 'give no --complete' : `give some of ${keys}, or ours`;
  return new InputError('bad_complete', `${suite} has no completion '${key}'`, hint, {}, text);
}

/** The error for a value that a completion cannot have. */
export function badCompletion(
  key: string,
  value: string,
  problem: string,
  hint: string,
): InputError {
  return new InputError('bad_complete', `--complete ${key}: ${problem}`, hint, {}, value);
}

/**
 * A completion that is a number.
 *
 * @throws InputError `bad_complete`
 */
export function completedNumber(key: string, value: string, low: number, high: number): number {
  const number = value === '' ? Number.NaN : Number(value);
  if (number >= low && number <= high) return number;
  throw badCompletion(
    key,
    value,
    `'${value}' is no number from ${low} to ${high}`,
    `write ${key}=${low + 1}`,
  );
}

/**
 * A completion that has a number for each of some names: `a:1/b:2`, or one number for all.
 *
 * @throws InputError `bad_complete`
 */
export function completedTable(
  key: string,
  value: string,
  names: readonly string[],
  [low, high]: readonly [number, number],
): ReadonlyMap<string, number> {
  if (value !== '' && Number.isFinite(Number(value))) {
    const number = completedNumber(key, value, low, high);
    return new Map(names.map((name) => [name, number]));
  }
  const table = new Map<string, number>();
  for (const part of value.split('/')) {
    const at = part.lastIndexOf(':');
    const name = part.slice(0, Math.max(at, 0)).trim();
    if (at < 0) {
      const hint = `write ${key}=${names.map((one) => `${one}:1`).join('/')}`;
      throw badCompletion(key, value, `'${part}' has no name and number`, hint);
    }
    table.set(name, completedNumber(key, part.slice(at + 1).trim(), low, high));
  }
  return table;
}

/**
 * A completion that names something for each of some names: `a:x/b:y`, or one name for all.
 *
 * @throws InputError `bad_complete`
 */
export function completedNames(
  key: string,
  value: string,
  names: readonly string[],
  known: readonly string[],
): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const part of value.split('/')) {
    const at = part.lastIndexOf(':');
    const named = part.slice(at + 1).trim();
    if (!known.includes(named)) {
      const hint = `name one of ${known.join(', ')}`;
      throw badCompletion(key, value, `'${named}' is unknown`, hint);
    }
    for (const name of at < 0 ? names : [part.slice(0, at).trim()]) table.set(name, named);
  }
  const missing = names.find((name) => !table.has(name));
  if (missing === undefined) return table;
  throw badCompletion(key, value, `'${missing}' is missing`, `add ${missing}:${known[0]}`);
}
