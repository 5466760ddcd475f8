import { isObject } from '../../core/json-path.js';
import type { Json } from '../log/entry.js';
import { lastSnapshot } from '../log/snapshot.js';
import type { LogStore } from '../log/store.js';
import { applyEntry, foldLog, type RunState } from './state.js';

/** The name and version of the states that the runtime writes as restore points. */
const STATE_SCHEMA = 'alas-jssp/run-state@1';

/** The parts of a state that are kept in the order in which they came about. */
const TABLES = ['nodes', 'effects', 'keys', 'approvals', 'injected'] as const;

/**
 * A state as JSON, for a restore point. What the first entry of the log tells (workflow, input,
 * seed) is not repeated.
 */
export function encodeState(state: RunState): Json {
  const tables = TABLES.map((name) => [name, [...state[name]]]);
  return { schema: STATE_SCHEMA, stop: state.stop, ...Object.fromEntries(tables) };
}

/** Whether a restore point holds a state of the runtime in the form of this version. */
export function isRunState(state: Json): boolean {
  return isObject(state) && state.schema === STATE_SCHEMA;
}

/**
 * The state of a run as its log tells it: from the last restore point on, if there is one that this
 * version wrote. It is the same as that of all entries.
 *
 * @param upTo the last version that counts. Default: all
 */
export function readState(store: LogStore, runId: string, upTo?: number): RunState {
  const point = lastSnapshot(store, runId, upTo);
  if (point === undefined || !isRunState(point.state)) {
    return foldLog(runId, store.read({ runId, to: upTo }));
  }
  const saved = point.state as unknown as RunState;
  const tables = TABLES.map((name) => [name, new Map(saved[name] as Iterable<never>)]);
  const first = foldLog(runId, store.read({ runId, to: 0 }));
  const state: RunState = { ...first, stop: saved.stop, ...Object.fromEntries(tables) };
  for (const entry of store.read({ runId, from: point.version, to: upTo })) {
    applyEntry(state, entry);
  }
  return state;
}
