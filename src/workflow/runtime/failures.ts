import { AlasError } from '../../core/errors.js';
import { matchesCode } from './backoff.js';
import type { Failure } from './payloads.js';
import type { NodePlan } from './plan.js';

/**
 * The failure that a policy sees of an error that a handler threw: its code is `code`, or else its
 * name.
 */
export function failureOf(error: unknown, nodeId: string, node: NodePlan): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return makeFailure(codeOf(error), message, nodeId, node);
}

/** A failure of a step, which tells whether it is a reason to undo what was done before. */
export function makeFailure(
  code: string,
  message: string,
  nodeId: string,
  { policy }: NodePlan,
): Failure {
  const compensates = matchesCode(policy.compensation?.compensateOn ?? ['*'], code);
  return { code, message, nodeId, compensates };
}

/** A failure that the runtime brings about, such as a cancellation. */
export function stopFailure(code: string, message: string, nodeId = ''): Failure {
  return { code, message, nodeId, compensates: true };
}

/** The stable code of an error. */
export function codeOf(error: unknown): string {
  if (error instanceof AlasError) return error.code;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : 'Error';
}
