import type { Json } from '../log/entry.js';
import { isWithin } from '../log/slice.js';
import type { Payloads, RunStatus } from './entries.js';
import { dependsOn, type WorkflowPlan } from './plan.js';
import { stopFailure } from './policies.js';
import { doubtsOf, remainingWithin, statusOf, type Within } from './saga.js';
import type { RunState, Stop } from './state.js';

type End = Payloads['EndRun'];
type Sources = { readonly state: RunState; readonly plan: WorkflowPlan };

/** Effects of steps that failed and were caught may come about after they were undone. */
export const LATE = stopFailure('Late', 'it came about after its step had failed');

/** Whether the effect of a step came about after it had been undone. */
export function isRevived({ effects }: RunState, path: string): boolean {
  return effects.get(path)?.revived === true;
}

/** The end of a run whose body is done, if nothing is in doubt. */
export function doneEnd(sources: Sources, output: Json): End {
  const { state } = sources;
  const isLeft = (path: string) => state.nodes.get(path)?.status !== 'done';
  const revived = (path: string) => isRevived(state, path);
  const remaining = remainingWithin(sources, 'failure', LATE, isLeft, revived);
  const isStuck = remaining.some(({ reason }) => reason !== 'declared' && reason !== 'partial');
  const status: RunStatus = isStuck ? 'COMPENSATION_FAILED' : 'COMPLETED';
  return { status, output, error: isStuck ? LATE : undefined, remaining };
}

/** The steps that a stop of a run undoes: all, or those of a node and what builds on it. */
export function reachOf(plan: WorkflowPlan, within: string | undefined): Within {
  return (path) => within === undefined || isWithin(path, within) || dependsOn(plan, path, within);
}

/** The end of a run that was undone, if nothing is in doubt. */
export function undoneEnd(sources: Sources, { kind, error, within }: Stop): End {
  const reached = reachOf(sources.plan, within);
  const remaining = remainingWithin(sources, kind, error, () => true, reached);
  return { status: statusOf(sources.state, kind, remaining), error, remaining };
}

/** An end with the effects that are in doubt; then it is an end for the time being. */
export function withDoubts(state: RunState, end: End): End {
  const inDoubt = doubtsOf(state);
  if (inDoubt.length === 0) return end;
  const { status } = end;
  const now = status === 'COMPENSATION_FAILED' ? status : 'IN_DOUBT';
  return { ...end, status: now, would: status, inDoubt };
}
