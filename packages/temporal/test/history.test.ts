import { describe, expect, it } from 'vitest';
import { findDifferences } from '../bench/history.mjs';

const entry = (nodeId: string, eventType: string, payload: object) => ({
  nodeId,
  eventType,
  payload,
});
const step = (path: string, attempt: number, end: string, error?: string) => ({
  ...{ kind: 'handler', path, attempt, end },
  ...(error && { error }),
});

const entries = [
  entry('a', 'StartNode', { attempt: 1 }),
  entry('a', 'Retry', { attempt: 1, error: { code: 'Busy' } }),
  entry('a', 'StartNode', { attempt: 2 }),
  entry('a', 'EndNode', { output: 1 }),
  entry('b', 'StartNode', { attempt: 1 }),
  entry('b', 'FailNode', { error: { code: 'Timeout' } }),
  entry('a', 'Compensate', { attempt: 1 }),
  entry('a', 'Compensated', {}),
];
const steps = [
  step('a', 1, 'failed', 'Busy'),
  step('a', 2, 'completed'),
  step('b', 1, 'cancelled'),
  { ...step('a', 1, 'completed'), kind: 'compensator' },
];

describe("Temporal's own history beside a log", () => {
  it('has each attempt once, with its end', () => {
    expect(findDifferences(entries, steps)).toEqual([]);
  });

  it('gives away attempts that one of them has not', () => {
    expect(findDifferences(entries, steps.slice(1))).toEqual([
      "Temporal's history has no handler a #1",
    ]);
    expect(findDifferences(entries, [...steps, step('c', 1, 'completed')])).toEqual([
      "Temporal's history has handler c #1, which the log does not have",
    ]);
  });

  it('gives away ends that are not the same', () => {
    const [first, , ...rest] = steps;
    expect(findDifferences(entries, [first, step('a', 2, 'failed', 'Busy'), ...rest])).toEqual([
      "handler a #2 is failed in Temporal's history, not completed",
    ]);
    const other = [step('a', 1, 'failed', 'Broken'), ...steps.slice(1)];
    expect(findDifferences(entries, other)).toEqual([
      "handler a #1 failed with Broken in Temporal's history, not Busy",
    ]);
  });
});
