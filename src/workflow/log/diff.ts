import { canonicalJson } from '../../core/canonical-json.js';
import { escapePointer, isObject } from '../../core/json-path.js';
import type { Json } from './entry.js';
import { type Fold, foldOutputs, stateAt } from './snapshot.js';
import type { LogStore } from './store.js';

/** One difference between two values; `path` is a JSON Pointer (RFC 6901). */
export type Difference =
  | { readonly op: 'add'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string; readonly was: Json }
  | { readonly op: 'replace'; readonly path: string; readonly was: Json; readonly value: Json };

/**
 * Changes in the state of a run from one version to another, by default in the outputs of its
 * nodes.
 */
export function diffVersions<State extends Json = { readonly [nodeId: string]: Json }>(
  store: LogStore,
  runId: string,
  before: number,
  after: number,
  fold: Fold<State> = foldOutputs as unknown as Fold<State>,
): Difference[] {
  return diffJson(stateAt(store, runId, before, fold), stateAt(store, runId, after, fold));
}

/** The differences between two values. Lists are compared place by place. */
export function diffJson(before: Json, after: Json, path = ''): Difference[] {
  const members = (value: Json) => Array.isArray(value) || isObject(value);
  if (!members(before) || !members(after) || Array.isArray(before) !== Array.isArray(after)) {
    if (canonicalJson(before) === canonicalJson(after)) return [];
    return [{ op: 'replace', path, was: before, value: after }];
  }
  const old = before as Readonly<Record<string, Json>>;
  const now = after as Readonly<Record<string, Json>>;
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys].flatMap((key): Difference[] => {
    const place = `${path}/${escapePointer(key)}`;
    if (!Object.hasOwn(old, key)) return [{ op: 'add', path: place, value: now[key] }];
    if (!Object.hasOwn(now, key)) return [{ op: 'remove', path: place, was: old[key] }];
    return diffJson(old[key], now[key], place);
  });
}
