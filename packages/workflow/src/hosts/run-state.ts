import { AlasError } from '@alas-jssp/core/errors';
import { applyEntry, foldLog } from '../interpreter/fold.js';
import { decodeState, isRunState, type RunState } from '../interpreter/state.js';
import { lastSnapshot } from '../log/snapshot.js';
import type { LogStore } from '../log/store.js';

/**
 * The state of a run, folded from its log up to the last entry or up to a version. The fold starts
 * at the last restore point that this version wrote, if there is one; the result equals the fold of
 * all entries.
 *
 * @throws AlasError `no_run`, `damaged_log` if its entries do not follow from each other
 */
export function stateOfRun(store: LogStore, runId: string, version?: number): RunState {
  const state = readState(store, runId, version);
  if (state.versions === 0) throw new AlasError('no_run', `the log has no run ${runId}`, runId);
  if (state.workflow !== undefined) return state;
  throw new AlasError('damaged_log', `the run ${runId} does not begin with a workflow`, runId);
}

function readState(store: LogStore, runId: string, upTo?: number): RunState {
  const point = lastSnapshot(store, runId, upTo);
  if (point === undefined || !isRunState(point.state)) {
    return foldLog(runId, store.read({ runId, to: upTo }));
  }
  const state = decodeState(foldLog(runId, store.read({ runId, to: 0 })), point.state);
  for (const entry of store.read({ runId, from: point.version, to: upTo })) {
    applyEntry(state, entry);
  }
  return state;
}
