import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { escapePointer, isObject } from '@alas-jssp/core/json-path';
import type { Json, LogEntry } from './entry.js';
import type { LogStore } from './store.js';

/** Folds an entry into a state, which is JSON and is not changed in place. */
export type Reducer<State extends Json> = (state: State, entry: LogEntry) => State;

/** A restore point: the state after all entries before `version`, the version of the snapshot. */
export interface Snapshot {
  readonly version: number;
  readonly state: Json;
}

/** Appends the state of a run, folded from all its entries so far, as a restore point. */
export function writeSnapshot(
  store: LogStore,
  { runId, ts, state }: { readonly runId: string; readonly ts: string; readonly state: Json },
): LogEntry {
  const entry = { runId, ts, nodeId: '', correlationId: runId, payload: { state } };
  return store.append([{ ...entry, eventType: 'Snapshot' }])[0];
}

/** The last restore point of a run, or the last up to a version. */
export function lastSnapshot(store: LogStore, runId: string, upTo?: number): Snapshot | undefined {
  const query = { runId, to: upTo, eventTypes: ['Snapshot'], descending: true } as const;
  for (const { version, payload } of store.read(query)) {
    return { version, state: (payload as { state: Json }).state };
  }
  return undefined;
}

/**
 * The state of a run after the entry of that version: the last restore point before, and the
 * entries since. Snapshots themselves are not folded.
 *
 * @param reducer the same with which the snapshots were folded; `restore: false` folds from the
 *   start
 */
export function stateAt<State extends Json>(
  store: LogStore,
  runId: string,
  version: number,
  { reducer, initial, restore = true }: Fold<State>,
): State {
  const snapshot = restore ? lastSnapshot(store, runId, version) : undefined;
  let state = (snapshot?.state ?? initial) as State;
  const from = snapshot === undefined ? 0 : snapshot.version + 1;
  for (const entry of store.read({ runId, from, to: version })) {
    if (entry.eventType !== 'Snapshot') state = reducer(state, entry);
  }
  return state;
}

/** Options of a fold. */
export interface Fold<State extends Json> {
  readonly reducer: Reducer<State>;
  readonly initial: State;
  /** Whether to begin at a restore point. Default true. */
  readonly restore?: boolean | undefined;
}

/**
 * The outputs of nodes by path: EndNode adds one under `output` and an undone effect removes it.
 * The snapshots of a runtime hold more than this, so it is folded from the start.
 */
export const foldOutputs: Fold<{ readonly [nodeId: string]: Json }> = {
  initial: {},
  restore: false,
  reducer: (outputs, { nodeId, eventType, payload }) => {
    if (eventType === 'EndNode') {
      return { ...outputs, [nodeId]: (payload as { output?: Json } | null)?.output ?? null };
    }
    if (eventType !== 'Compensated') return outputs;
    const { [nodeId]: _, ...rest } = outputs;
    return rest;
  },
};

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

/** The differences between two values. Lists are compared by index. */
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
