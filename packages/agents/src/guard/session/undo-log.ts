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

/**
 * Whether the log says that an inverse which must not be called twice has answered.
 *
 * @throws AlasError `InDoubt` if it was called, and its answer is lost or an error
 */
export function wasUndone(store: LogStore, { runId, nodeId }: StepContext): boolean {
  let isAsked = false;
  for (const entry of store.read({ runId, eventTypes: ['Request', 'Response'] })) {
    if (entry.nodeId !== nodeId) continue;
    if (entry.eventType === 'Response') return true;
    isAsked = true;
  }
  if (!isAsked) return false;
  const message = 'its inverse was called before and has failed, or its answer is lost';
  throw new AlasError(CALL_CODES.inDoubt, message);
}
