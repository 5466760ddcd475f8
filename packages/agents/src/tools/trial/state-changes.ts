import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';
import type { TrialRecord } from './records.js';
import type { TrialEffect } from './trial-system.js';

/** A change of a record, without the call that made it. */
type StateChange = Pick<TrialEffect, 'record' | 'id' | 'before' | 'after'>;

/**
 * The changes between two states of a trial system that a module wrote. A member of the state that holds records, by id
 * or in a list with ids, is a kind; another one counts as one record, as does a state that is no object.
 */
export function findStateChanges(before: Json, after: Json): StateChange[] {
  if (!isObject(before) || !isObject(after)) {
    return isEqual(before, after) ? [] : [wholeChange('state', before, after)];
  }
  const kinds = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Array.from(kinds).flatMap((kind) => {
    const [was, is] = [before[kind] as Json | undefined, after[kind] as Json | undefined];
    if (isEqual(was, is)) return [];
    const [old, now] = [recordsById(was), recordsById(is)];
    if (old === undefined || now === undefined) return [wholeChange(kind, was, is)];
    const ids = new Set([...old.keys(), ...now.keys()]);
    return Array.from(ids)
      .filter((id) => !isEqual(old.get(id), now.get(id)))
      .map((id) => ({
        record: kind,
        id,
        before: old.get(id) ?? null,
        after: now.get(id) ?? null,
      }));
  });
}

function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}

function wholeChange(name: string, was: Json | undefined, is: Json | undefined): StateChange {
  const wrap = (value: Json | undefined) => (value === undefined ? null : { value });
  return { record: name, id: name, before: wrap(was), after: wrap(is) };
}

function recordsById(value: Json | undefined): ReadonlyMap<string, TrialRecord> | undefined {
  if (value === undefined) return new Map();
  if (Array.isArray(value)) {
    const ids = value.map((item) => (isObject(item) ? item.id : undefined));
    const areIds = ids.every((id) => typeof id === 'string' || typeof id === 'number');
    if (!areIds || new Set(ids.map(String)).size < ids.length) return undefined;
    return new Map(value.map((item, index) => [String(ids[index]), item as TrialRecord]));
  }
  if (!isObject(value) || !Object.values(value).every(isObject)) return undefined;
  return new Map(Object.entries(value) as [string, TrialRecord][]);
}
