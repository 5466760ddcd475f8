import { AlasError } from '@alas-jssp/core/errors';
import type { LogStore, StepContext } from '@alas-jssp/workflow';
import type { ToolRules } from '../policy.js';
import { CALL_CODES } from './commands.js';

/** Whether the log says that a call has failed without a change. */
export function hasNotActed(store: LogStore, { runId, nodeId }: StepContext): boolean {
  for (const entry of store.read({ runId, eventTypes: ['FailNode'] })) {
    const { error } = entry.payload as { error?: { code?: string } };
    if (entry.nodeId === nodeId) return error?.code === CALL_CODES.notDone;
  }
  return false;
}

/** Whether a second undo is harmless: it looks at the state, or its tool says so. */
export function isRepeatable({ inverse, check }: Partial<ToolRules> = {}): boolean {
  return inverse === undefined || check !== undefined || inverse.idempotent;
}

/** The undo of a call by the log, since it was last settled that the call has acted. */
interface UndoSoFar {
  readonly exists: boolean;
  readonly isAsked: boolean;
  readonly isAnswered: boolean;
}

function undoSoFar(store: LogStore, { runId, nodeId }: StepContext): UndoSoFar {
  let so: UndoSoFar = { exists: false, isAsked: false, isAnswered: false };
  const eventTypes = ['Settle', 'Request', 'Response'] as const;
  for (const { nodeId: path, eventType, payload } of store.read({ runId, eventTypes })) {
    if (path !== nodeId) continue;
    if (eventType === 'Request') so = { ...so, isAsked: true };
    if (eventType === 'Response') so = { ...so, isAnswered: true };
    const { happened } = payload as { happened?: boolean };
    if (eventType !== 'Settle') continue;
    so =
      happened === true
        ? { exists: true, isAsked: false, isAnswered: false }
        : { ...so, exists: false };
  }
  return so;
}

/** Whether it was settled that a call has acted. */
export function isSaidToExist(store: LogStore, step: StepContext): boolean {
  return undoSoFar(store, step).exists;
}

/**
 * Whether the log says that an inverse which must not be called twice has answered.
 *
 * @throws AlasError `InDoubt` if it was called, and its answer is lost or an error
 */
export function wasUndone(store: LogStore, step: StepContext): boolean {
  const { isAsked, isAnswered } = undoSoFar(store, step);
  if (isAnswered || !isAsked) return isAnswered;
  const message = 'its inverse was called before and has failed, or its answer is lost';
  throw new AlasError(CALL_CODES.inDoubt, message);
}
