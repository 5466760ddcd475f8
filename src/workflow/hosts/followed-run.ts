import { canonicalJson } from '../../core/canonical-json.js';
import { applyEntry } from '../interpreter/fold.js';
import type { RunState } from '../interpreter/state.js';
import { hashOf } from '../log/chain.js';
import type { LogStore } from '../log/store.js';
import { requireUnchanged } from '../log/verify.js';
import { stateOfRun } from './run-state.js';

/** A run as far as its log was read: its hashes were checked, and its entries folded. */
interface FollowedRun {
  readonly state: RunState;
  /** The hash of the last entry in that state. */
  hash: string;
}

/** Runs of a store that are remembered: those that were asked for last. */
const MOST = 16;

const known = new WeakMap<LogStore, Map<string, FollowedRun>>();

/**
 * The state of a run whose log is what was written. Asked again it reads and checks only what came since, so
 * that many messages to one run cost as much each as the first one. Not to be changed.
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

/** Takes in what came since; false if that does not follow from what was read before. */
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
