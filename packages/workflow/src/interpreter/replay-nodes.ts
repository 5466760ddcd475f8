import { isWithin } from '../log/slice.js';
import { approvalName } from './approvals.js';
import type { Failure, Payloads } from './entries.js';
import { routeOf } from './policies.js';
import { inputOf } from './references.js';
import { TIME_SLACK } from './replay-effects.js';
import type { Checked, Place } from './replay-place.js';

/** A composite ends after all its inner nodes, and a loop by its policy or its condition. */
export function checkInner({ past, plan: { node }, entry: { nodeId } }: Place): Checked {
  if (node.type !== 'parallel' && node.type !== 'map') return undefined;
  for (const [path, { status }] of past.state.nodes) {
    const isOpen = status === 'running' || status === 'waiting';
    if (!isOpen || path === nodeId || !isWithin(path, nodeId)) continue;
    return { cause: 'data', message: `it ended before ${path}` };
  }
  const isLoop = node.type === 'map' && node.items === undefined;
  if (!isLoop || past.state.nodes.get(nodeId)?.loopEnd !== undefined) return undefined;
  return { cause: 'data', message: 'nothing ended the loop' };
}

/** A failure is caught by the route of its policy. */
export function checkCatch(
  { past, plan, entry }: Place,
  { code, handler }: Payloads['Catch'],
): Checked {
  const route = routeOf(plan, code);
  const { error, caughtBy } = past.state.nodes.get(entry.nodeId) ?? {};
  const isSame = route !== undefined && 'handler' in route && route.handler === handler;
  if (isSame && error?.code === code && caughtBy === undefined) return 'decision';
  return { cause: 'data', message: 'its policy routes its failure differently' };
}

/** A node fails only after all undoing inside it. */
export function checkUndone({ past, entry }: Place): Checked {
  for (const { nodeId, status } of past.state.effects.values()) {
    if (status !== 'undoing' || !isWithin(nodeId, entry.nodeId)) continue;
    return { cause: 'data', message: `${nodeId} was being undone` };
  }
  return undefined;
}

/** A composite fails with the failure of one of its inner nodes. */
export function checkCause({ past, entry }: Place, { nodeId, code, message }: Failure): Checked {
  if (nodeId === entry.nodeId || !isWithin(nodeId, entry.nodeId)) return undefined;
  const error = past.state.nodes.get(nodeId)?.error;
  if (error?.code === code && error.message === message) return 'decision';
  return { cause: 'data', message: `${nodeId} did not fail with this error` };
}

/** Attempts are counted; an interrupted one is made again, or followed by the next. */
export function checkAttempt({ past, entry }: Place, attempt: number | undefined): Checked {
  if (attempt === undefined) return undefined;
  const known = past.state.nodes.get(entry.nodeId);
  const next = Math.max(known?.attempt ?? 1, 1);
  const isAgain = known?.begun === next && attempt === next + 1;
  if (attempt === next || isAgain) return undefined;
  return { cause: 'data', message: `attempt ${next} is the next, not ${attempt}` };
}

/** Compares the name and the limit of a wait with those of the workflow. */
export function checkWait(
  { past, scope, plan, entry }: Place,
  { name, until }: Payloads['AwaitMessage'],
): Checked {
  const { node, policy } = plan;
  const input = inputOf(past, scope, plan);
  const made =
    node.type === 'wait'
      ? node.message
      : node.type === 'task' && node.approval && approvalName(node.approval, input);
  if (made !== name) return { cause: 'data', message: 'it waits for another message' };
  if (past.state.nodes.has(entry.nodeId)) return { cause: 'data', message: 'it had begun' };
  const limit = policy.wait?.seconds;
  const isSame =
    limit === undefined || until === undefined
      ? limit === until
      : Math.abs(Date.parse(entry.ts) + limit * 1000 - until) <= TIME_SLACK;
  return isSame ? 'decision' : { cause: 'clock', message: 'its limit is another one' };
}

/** Checks that a failed wait had begun and timed out. */
export function checkWaited({ past, entry }: Place): Checked {
  const { waitsFor, waitUntil } = past.state.nodes.get(entry.nodeId) ?? {};
  if (waitsFor === undefined || waitUntil === undefined) {
    return { cause: 'data', message: 'it did not wait, or has no limit' };
  }
  const isUp = Date.parse(entry.ts) + TIME_SLACK >= waitUntil;
  return isUp ? 'decision' : { cause: 'clock', message: 'its time was not up' };
}

/** Whether the enclosing branches or iteration of a node have begun. */
export function hasOuterBegun({ past, scope }: Place): boolean {
  const [, outer, turn] = /^(.*)(?:\/[^/[]*|\[(\d+)\])$/.exec(scope.path) ?? [];
  if (outer === undefined) return true;
  const known = past.state.nodes.get(outer);
  return known !== undefined && (turn === undefined || Number(turn) < known.iterations);
}
