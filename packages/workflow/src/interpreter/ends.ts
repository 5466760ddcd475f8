import type { Json } from '../log/entry.js';
import type { Payloads, RunStatus } from './entries.js';
import { stopFailure } from './policies.js';
import { doubtsOf, isUndone, type RunAndPlan, reachOf, remainingWithin, statusOf } from './saga.js';
import type { RunState, Stop } from './state.js';

type End = Payloads['EndRun'];

/** Effects of failed steps whose failure was caught may appear after they were undone. */
export const LATE = stopFailure('Late', 'it appeared after its step had failed');

/** Whether the effect of a step appeared after it had been undone. */
export function isLateSuccess({ effects }: RunState, path: string): boolean {
  return effects.get(path)?.lateSuccess === true;
}

/** The end of a run whose body is done, if nothing is in doubt. */
export function doneEnd(sources: RunAndPlan, output: Json): End {
  const { state } = sources;
  // The effect of a failed saga exists if another step uses it, too.
  const isLeft = (path: string) => {
    const isShared = state.effects.get(path)?.users !== undefined;
    return state.nodes.get(path)?.status !== 'done' || (isShared && isUndone(sources, path));
  };
  const lateSuccess = (path: string) => isLateSuccess(state, path);
  const remaining = remainingWithin(sources, 'failure', LATE, isLeft, lateSuccess);
  const isStuck = remaining.some(({ reason }) => !FINE.includes(reason));
  const status: RunStatus = isStuck ? 'COMPENSATION_FAILED' : 'COMPLETED';
  return { status, output, error: isStuck ? LATE : undefined, remaining };
}

/** Reasons why effects of failed steps may exist when a run completes. */
const FINE: readonly string[] = ['declared', 'partial', 'used'];

/** The end of a run that was undone, if nothing is in doubt. */
export function undoneEnd(sources: RunAndPlan, { kind, error, within }: Stop): End {
  const reached = reachOf(sources, within);
  const remaining = remainingWithin(sources, kind, error, () => true, reached);
  return { status: statusOf(sources.state, kind, remaining), error, remaining };
}

/** An end with the effects that are in doubt; it is provisional if there are any. */
export function withDoubts(state: RunState, end: End): End {
  const inDoubt = doubtsOf(state);
  if (inDoubt.length === 0) return end;
  const { status } = end;
  const now = status === 'COMPENSATION_FAILED' ? status : 'IN_DOUBT';
  return { ...end, status: now, would: status, inDoubt };
}
