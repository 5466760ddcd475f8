import { matchesCode } from './backoff.js';
import type { Failure } from './payloads.js';
import type { NodePlan } from './plan.js';

/** The id of the node that handles a failure; undefined if none does. */
export function catcherOf({ node, policy, out }: NodePlan, { code }: Failure): string | undefined {
  const rule = policy.catch?.find(({ errors }) => matchesCode(errors, code));
  if (rule === undefined || rule.handler === node.id) return undefined;
  // A rule of a default policy says nothing about what comes after its own handler.
  return out.some(({ kind }) => kind === 'catch') ? rule.handler : undefined;
}
