import { findStateChanges } from '@alas-jssp/agents';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';

/** A part of a state that differs from another state; undefined where one has no such part. */
interface StateChange {
  readonly path: readonly string[];
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** The parts of a state, as objects in objects, that differ from those before. */
function changesOf(before: Json, after: Json, path: readonly string[] = []): StateChange[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (!isRecord(before) || !isRecord(after)) return [{ path, before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((key) => {
    const inner = [...path, key];
    const [one, other] = [own(before, key), own(after, key)];
    if (one === undefined || other === undefined)
      return [{ path: inner, before: one, after: other }];
    return changesOf(one, other, inner);
  });
}

/**
 * A state with the changes that led from one state to another one.
 *
 * @returns undefined if the changes touch a part that differs from where they began, so that nothing can be said
 */
export function applyChanges(state: string, from: string, to: string): string | undefined {
  const start = parse(from);
  let result = parse(state);
  for (const { path, before, after } of changesOf(start, parse(to))) {
    const now = valueAt(result, path);
    if (canonicalJson(now ?? null) !== canonicalJson(before ?? null)) return undefined;
    result = withValue(result, path, after);
  }
  return canonicalJson(result);
}

/** Whether a state still has the changes that led from one state to another one. */
export function keepsChanges(state: string, from: string, to: string): boolean {
  const found = parse(state);
  return changesOf(parse(from), parse(to))
    .flatMap(leavesOf)
    .every(
      ({ path, after }) =>
        canonicalJson(valueAt(found, path) ?? null) === canonicalJson(after ?? null),
    );
}

/** Whether the way from one state to another one only adds parts. */
export function isAddition(from: string, to: string): boolean {
  return changesOf(parse(from), parse(to)).every(({ before }) => before === undefined);
}

/** The changes of the single parts of an object that is new. */
function leavesOf(change: StateChange): StateChange[] {
  const { path, before, after } = change;
  if (before !== undefined || !isRecord(after) || Object.keys(after).length === 0) return [change];
  return Object.entries(after).flatMap(([key, value]) =>
    leavesOf({ path: [...path, key], before: undefined, after: value }),
  );
}

/** The differences of a state from the expected one, in words; at most three. */
export function describeDifference(expected: string, found: string): string {
  const changes = changesOf(parse(expected), parse(found)).flatMap(recordsOf);
  const shown = changes.slice(0, 3).map(describeChange);
  const more = changes.length - shown.length;
  return more > 0 ? `${shown.join(', ')}, and ${more} more` : shown.join(', ');
}

/** The differences of a state from the one before, in words, except those of some records; undefined if there are none. */
export function describeOtherChanges(
  before: string,
  found: string,
  isExcepted: (record: string, id: string) => boolean,
): string | undefined {
  const others = findStateChanges(parse(before), parse(found)).filter(
    ({ record, id }) => !isExcepted(record, id),
  );
  if (others.length === 0) return undefined;
  const [{ record, id, before: was, after: is }] = others;
  const path = record === id ? [record] : [record, id];
  return describeChange({ path, before: was ?? undefined, after: is ?? undefined });
}

/** The changes of the records of a kind that has none in one of the states. */
function recordsOf(change: StateChange): StateChange[] {
  const { path, before, after } = change;
  const there = before ?? after;
  const isKind = path.length === 1 && isRecord(there) && Object.values(there).every(isRecord);
  if (!isKind || (before !== undefined && after !== undefined)) return [change];
  return changesOf(before ?? {}, after ?? {}, path);
}

function describeChange({ path, before, after }: StateChange): string {
  const name = path.join(' ');
  if (before === undefined) return `${name} is left over: ${show(after)}`;
  if (after === undefined) return `${name} is gone, which was ${show(before)}`;
  return `${name} is ${show(after)} instead of ${show(before)}`;
}

const SHOWN = 120;

function show(value: Json | undefined): string {
  const text = JSON.stringify(value ?? null);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function parse(state: string): Json {
  return JSON.parse(state);
}

function isRecord(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return isObject(value);
}

function own(value: Readonly<Record<string, Json>>, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (inner, key) => (isRecord(inner) ? own(inner, key) : undefined),
    value,
  );
}

function withValue(value: Json, [key, ...path]: readonly string[], part: Json | undefined): Json {
  if (key === undefined) return part ?? null;
  const { [key]: old, ...rest } = isRecord(value) ? value : ({} as Record<string, Json>);
  if (path.length === 0) return part === undefined ? rest : { ...rest, [key]: part };
  return { ...rest, [key]: withValue(old ?? {}, path, part) };
}
