import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { applyEntry } from '../interpreter/fold.js';
import type { RunState } from '../interpreter/state.js';
import { hashOf } from '../log/chain.js';
import type { LogStore } from '../log/store.js';
import { requireUnchanged } from '../log/verify.js';
import { stateOfRun } from './run-state.js';

/** A run up to the last entry that was read: its hashes were checked, and its entries folded. */
interface FollowedRun {
  readonly state: RunState;
  /** The hash of the last entry in that state. */
  hash: string;
}

/** The number of runs of a store that stay in memory: the most recently used. */
const MOST = 16;

const known = new WeakMap<LogStore, Map<string, FollowedRun>>();

/**
 * The state of a run whose log is unchanged. Later calls read and check only new entries, so that
 * the cost of a message does not grow with the log. Callers must not change the state.
 *
 * @throws as {@link requireUnchanged} and {@link stateOfRun}
 */
export function unchangedState(store: LogStore, runId: string): RunState {
  const runs = known.get(store) ?? new Map<string, FollowedRun>();
  known.set(store, runs);
  const before = runs.get(runId);
  runs.delete(runId);
  const isFollowed = before !== undefined && readOn(store, runId, before);
  const run = isFollowed ? before : readAll(store, runId);
  runs.set(runId, run);
  for (const [oldest] of runs) if (runs.size > MOST) runs.delete(oldest);
  return run.state;
}

function readAll(store: LogStore, runId: string): FollowedRun {
  requireUnchanged(store, runId);
  const state = stateOfRun(store, runId);
  const [last] = store.read({ runId, from: state.versions - 1 });
  return { state, hash: last.hash };
}

/** Reads the new entries; false if they do not continue those read before. */
function readOn(store: LogStore, runId: string, run: FollowedRun): boolean {
  const { state } = run;
  let isLast = true;
  for (const entry of store.read({ runId, from: state.versions - 1 })) {
    if (isLast) {
      // The entry that was read last.
      if (entry.hash !== run.hash) return false;
      isLast = false;
      continue;
    }
    const row = { ...entry, payload: canonicalJson(entry.payload) };
    if (entry.version !== state.versions || hashOf(row, run.hash) !== entry.hash) return false;
    applyEntry(state, entry);
    run.hash = entry.hash;
  }
  return !isLast;
}
