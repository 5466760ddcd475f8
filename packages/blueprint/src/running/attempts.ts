import type { Tool } from '@alas-jssp/agents';
import { isObject } from '@alas-jssp/core/json-path';
import type { LogEntry, StepContext } from '@alas-jssp/workflow';

/** Codes of errors of toolsets that arise before the tool is called. */
const NOT_CALLED: readonly string[] = ['NotPermitted', 'UnknownTool', 'BadToolInput'];

/** Whether an error of a tool proves that the call has changed nothing. */
export function isRefusal({ refusals = [] }: Tool, code: string): boolean {
  return NOT_CALLED.includes(code) || refusals.includes(code);
}

/**
 * Whether the log proves that no attempt at a step has changed anything: each of them failed with a refusal. If the
 * visible part of the log is too short to prove it, the answer is false.
 *
 * @param attempts the number of attempts to look at. Default: those in the visible part of the log
 */
export function wasRefused(
  { nodeId, slice }: Pick<StepContext, 'nodeId' | 'slice'>,
  tool: Tool,
  attempts?: number,
): boolean {
  const codes = new Map<number, string | undefined>();
  let attempt = 0;
  for (const entry of slice()) {
    if (isReset(entry, nodeId)) codes.clear();
    if (entry.nodeId !== nodeId) continue;
    if (['Timeout', 'Answer', 'ValidateFail'].includes(entry.eventType)) return false;
    if (entry.eventType === 'StartNode') {
      attempt = numberIn(entry, 'attempt') ?? 1;
      codes.set(attempt, undefined);
    }
    const code = failureCode(entry);
    if (code !== undefined) codes.set(numberIn(entry, 'attempt') ?? attempt, code);
  }
  const count = attempts ?? Math.max(0, ...codes.keys());
  if (count === 0) return false;
  return Array.from({ length: count }, (_, k) => codes.get(k + 1)).every(
    (code) => code !== undefined && isRefusal(tool, code),
  );
}

/** Whether an entry lets a step begin again, with a new effect. */
function isReset({ eventType, payload }: LogEntry, nodeId: string): boolean {
  if (eventType !== 'Return' || !isObject(payload)) return false;
  return Array.isArray(payload.nodes) && payload.nodes.includes(nodeId);
}

/** The code of the failure that ended an attempt of the entry's node. */
function failureCode({ nodeId, eventType, payload }: LogEntry): string | undefined {
  if (!['Retry', 'FailNode', 'Trigger'].includes(eventType) || !isObject(payload)) return undefined;
  const { error } = payload;
  if (!isObject(error) || error.nodeId !== nodeId || error.unanswered === true) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

function numberIn({ payload }: LogEntry, key: string): number | undefined {
  const value = isObject(payload) ? payload[key] : undefined;
  return typeof value === 'number' ? value : undefined;
}
