import fc from 'fast-check';
import type { EventType, Json, NewEntry } from '../../src/index.js';

/** An entry that says something. */
export function entry(
  runId: string,
  eventType: EventType = 'EndNode',
  payload: Json = {},
  nodeId = 'plan',
): NewEntry {
  return {
    runId,
    ts: '2026-01-02T03:04:05.678Z',
    nodeId,
    eventType,
    payload,
    correlationId: nodeId,
  };
}

const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((value) => !value.includes('\0'));

/** Any entry of a run. */
export const arbitraryEntry = (runId = 'run'): fc.Arbitrary<NewEntry> =>
  fc.record({
    runId: fc.constant(runId),
    ts: fc.constant('2026-01-02T03:04:05Z'),
    nodeId: text,
    eventType: fc.constantFrom('StartNode', 'EndNode', 'Retry', 'Snapshot'),
    payload: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
    correlationId: text,
  });
