import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { affected } from '../../../src/lcrp/baselines/affected.js';
import { dispatchAnew } from '../../../src/lcrp/baselines/dispatch.js';
import { none } from '../../../src/lcrp/baselines/none.js';
import { rightShift } from '../../../src/lcrp/baselines/right-shift.js';
import { measureRepair } from '../../../src/lcrp/metrics/metrics.js';
import { defaultPolicy } from '../../../src/lcrp/policy.js';
import { updateStatus } from '../../../src/lcrp/status.js';
import type { Repaired } from '../../../src/lcrp/task.js';
import { arbitraryDisruption, context } from '../arbitraries.js';

// machine 0: op 0 [0, 10), op 2 [10, 18), op 4 [25, 30); machine 1: op 1 [10, 30), op 3 [30, 36)
const shop = replaceInstance(
  instanceFromJobs('shop', [
    [
      [0, 10],
      [1, 20],
    ],
    [
      [0, 8],
      [1, 6],
    ],
    [[0, 5]],
  ]),
  { due: Int32Array.of(30, 30, 40), weight: Int32Array.of(1, 2, 1) },
);
const plan = createSchedule(shop, Int32Array.of(0, 10, 10, 30, 25));
const down = { kind: 'breakdown', machine: 0, from: 10, to: 16, resumable: true } as const;
const { task, before } = updateStatus(
  { schedule: plan, events: [down], now: 10 },
  { tooLate: 'skip' },
);
const repairedTo = (...start: number[]): Repaired => ({
  schedule: createSchedule(task.instance, Int32Array.from(start)),
  phase: 'reordering',
  neighbourhood: null,
  evaluations: 7,
  compensated: createSchedule(task.instance, Int32Array.of(0, 10, 16, 30, 25)),
  reordered: createSchedule(task.instance, Int32Array.of(0, 10, 16, 31, 25)),
});

test('what slack absorbs is a small edit, and soon over', () => {
  expect(measureRepair(task, before, repairedTo(0, 10, 16, 30, 25))).toEqual({
    affected: 1,
    edited: { operations: 1, starts: 1, ranks: 0, jobs: 1, machines: 1, fraction: 0.25, radius: 0 },
    unscheduled: 0,
    starts: { compared: 4, sum: 6, mean: 1.5, max: 6, earlier: 0, earlierUnits: 0 },
    sequences: { inversions: 0, kendall: 0, displacement: 0, footrule: 0 },
    matchUp: 14,
    makespan: { before: 36, compensated: 36, reordered: 37, final: 36 },
    tardiness: { before: 12, compensated: 12, reordered: 14, final: 12 },
    phase: 'reordering',
    evaluations: 7,
  });
});

test('a swap moves two places, and what comes forward is moved material', () => {
  const metrics = measureRepair(task, before, repairedTo(0, 10, 21, 30, 16));
  expect(metrics).toMatchObject({
    edited: { operations: 2, starts: 2, ranks: 2, jobs: 2, machines: 1, fraction: 0.5, radius: 1 },
    starts: { sum: 20, max: 11, earlier: 1, earlierUnits: 9 },
    sequences: { inversions: 1, kendall: 0.5, displacement: 2, footrule: 0.5 },
    matchUp: 20,
  });
});

test('a plan that was not repaired has edited nothing; what has no start never matches up', () => {
  const arrival = { kind: 'arrival', job: { operations: [{ machine: 0, duration: 1 }] } } as const;
  const { task, before } = updateStatus(
    { schedule: plan, events: [arrival], now: 10 },
    { tooLate: 'skip' },
  );
  const repaired = none.repair(task, defaultPolicy, context) as Repaired;
  expect(measureRepair(task, before, repaired)).toMatchObject({
    affected: 1,
    edited: { operations: 0, fraction: 0, radius: 0 },
    unscheduled: 1,
    matchUp: null,
    makespan: { before: 36, compensated: null, reordered: null, final: 36 },
  });
});

test('what the measures have to do with each other holds for every repair', () => {
  const methods = [affected, rightShift, dispatchAnew(), none];
  fc.assert(
    fc.property(arbitraryDisruption, fc.constantFrom(...methods), ({ task, before }, method) => {
      const repaired = method.repair(task, defaultPolicy, context) as Repaired;
      const metrics = measureRepair(task, before, repaired);
      const { edited, starts, sequences, matchUp } = metrics;
      expect(edited.operations).toBeGreaterThanOrEqual(Math.max(edited.starts, edited.ranks));
      expect(edited.operations).toBeLessThanOrEqual(edited.starts + edited.ranks);
      expect(edited.fraction).toBeLessThanOrEqual(1);
      expect(edited.jobs).toBeLessThanOrEqual(edited.operations);
      expect(edited.machines).toBeLessThanOrEqual(edited.jobs === 0 ? 0 : task.instance.machines);
      expect(starts.sum).toBeGreaterThanOrEqual(starts.max);
      expect(starts.max > 0).toBe(edited.starts > 0);
      expect(sequences.inversions > 0).toBe(edited.ranks > 0);
      if (matchUp === 0) expect(edited.operations).toBe(0);
      if (method === none) expect(edited).toMatchObject({ operations: 0 });
      else if (method !== methods[2]) expect(edited.ranks + starts.earlier).toBe(0);
    }),
    { numRuns: 300 },
  );
});
