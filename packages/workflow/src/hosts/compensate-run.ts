import { systemClock } from '@alas-jssp/core/clock';
import { AlasError } from '@alas-jssp/core/errors';
import { isoTime } from '@alas-jssp/core/iso-time';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { isWithin } from '../log/slice.js';
import type { LogStore } from '../log/store.js';
import { requireUnchanged } from '../log/verify.js';
import { requireMessage } from './messages.js';
import type { RunResult } from './result.js';
import { heldLease, resumeRun, runOwned } from './run.js';
import type { CompensateOptions } from './run-options.js';
import { stateOfRun } from './run-state.js';

/**
 * Undoes what a run did and has not undone yet, at the request of a person: of a run that waits,
 * was interrupted, could not be undone before, or is in progress under any owner.
 *
 * @param by the person
 * @param options with `nodeId` only the effects of that node (and of the nodes inside it) are
 *   undone, after those that build on it; all other effects stay and are listed as `declared`
 * @throws AlasError `committed` for a run that completed, `no_effect` for a node without an effect,
 *   `no_node` for an unknown node to return to, and as {@link resumeRun}
 */
export async function compensateRun(
  store: LogStore,
  runId: string,
  by: string,
  options: CompensateOptions,
): Promise<RunResult> {
  const { nodeId, backTo, evenCommitted = false, clock = systemClock } = options;
  const held = options.whenOwned === 'refuse' ? heldLease(store, runId, options) : undefined;
  if (held !== undefined) throw runOwned(held);
  requireUnchanged(store, runId);
  const state = stateOfRun(store, runId);
  if (state.end?.status === 'COMPLETED' && !evenCommitted) {
    throw new AlasError('committed', `the run ${runId} has completed: it holds no effect`, runId);
  }
  if (nodeId !== undefined && ![...state.effects.keys()].some((path) => isWithin(path, nodeId))) {
    throw unknownNode('no_effect', nodeId, `has registered no effect in ${runId}`, [
      ...state.effects.keys(),
    ]);
  }
  if (backTo !== undefined && state.nodes.get(backTo)?.status !== 'done') {
    const done = [...state.nodes].filter(([, { status }]) => status === 'done');
    throw unknownNode(
      'no_node',
      backTo,
      `has not ended in ${runId}`,
      done.map(([path]) => path),
    );
  }
  const data = { by, evenCommitted, ...(nodeId && { nodeId }), ...(backTo && { backTo }) };
  requireMessage('compensate', data);
  store.post({ runId, ts: isoTime(clock.now()), kind: 'compensate', data });
  return resumeRun(store, runId, options);
}

/** An error about a node, with suggestions of known nodes. */
function unknownNode(
  code: string,
  path: string,
  problem: string,
  paths: readonly string[],
): AlasError {
  const hint = paths.length === 0 ? '' : `; ${suggestNames(path, paths)}`;
  return new AlasError(code, `${path} ${problem}${hint}`, path);
}
