import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { affected } from '../../../src/lcrp/baselines/affected.js';
import { dispatchMethod } from '../../../src/lcrp/baselines/dispatch.js';
import { none } from '../../../src/lcrp/baselines/none.js';
import { rightShift } from '../../../src/lcrp/baselines/right-shift.js';
import { measureRepair } from '../../../src/lcrp/metrics/metrics.js';
import { updateStatus } from '../../../src/lcrp/phases/status.js';
import { defaultPolicy } from '../../../src/lcrp/policy/policy.js';
import type { MethodResult } from '../../../src/lcrp/task.js';
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
const repairedTo = (...start: number[]): MethodResult => ({
  schedule: createSchedule(task.instance, Int32Array.from(start)),
  phase: 'reordering',
  neighbourhood: null,
  evaluations: 7,
  compensated: createSchedule(task.instance, Int32Array.of(0, 10, 16, 30, 25)),
  reordered: createSchedule(task.instance, Int32Array.of(0, 10, 16, 31, 25)),
});

test('a delay that slack absorbs is a small edit, and soon over', () => {
  expect(measureRepair({ task, before, ...repairedTo(0, 10, 16, 30, 25) })).toEqual({
    affected: 1,
    ...{ edited_operations: 1, edited_jobs: 1, edited_machines: 1, edited_fraction: 0.25 },
    ...{
      edit_radius: 0,
      start_changes: 1,
      rank_changes: 0,
      reassigned: 0,
      wip_moves: 0,
      wip_units: 0,
    },
    unscheduled: 0,
    ...{ compared: 4, shift_total: 6, shift_mean: 1.5, shift_max: 6 },
    ...{ inversions: 0, kendall: 0, displacement: 0, footrule: 0 },
    match_up: 14,
    makespan: { before: 36, compensated: 36, reordered: 37, final: 36 },
    tardiness: { before: 12, compensated: 12, reordered: 14, final: 12 },
    phase: 'reordering',
    evaluations: 7,
  });
});

test('a swap moves two places, and an earlier operation is moved material', () => {
  const metrics = measureRepair({ task, before, ...repairedTo(0, 10, 21, 30, 16) });
  expect(metrics).toMatchObject({
    ...{ edited_operations: 2, edited_jobs: 2, edited_machines: 1, edited_fraction: 0.5 },
    ...{ edit_radius: 1, start_changes: 2, rank_changes: 2 },
    ...{ shift_total: 20, shift_max: 11, wip_moves: 1, wip_units: 9 },
    ...{ inversions: 1, kendall: 0.5, displacement: 2, footrule: 0.5 },
    match_up: 20,
  });
});

test('a plan that was not repaired has no edits; an operation without a start never matches up', () => {
  const arrival = { kind: 'arrival', job: { operations: [{ machine: 0, duration: 1 }] } } as const;
  const { task, before } = updateStatus(
    { schedule: plan, events: [arrival], now: 10 },
    { tooLate: 'skip' },
  );
  const repaired = none.repair(task, defaultPolicy, context) as MethodResult;
  expect(measureRepair({ task, before, ...repaired })).toMatchObject({
    affected: 1,
    ...{ edited_operations: 0, edited_fraction: 0, edit_radius: 0 },
    unscheduled: 1,
    match_up: null,
    makespan: { before: 36, compensated: null, reordered: null, final: 36 },
  });
});

test('relations between the metrics hold for every repair', () => {
  const methods = [affected, rightShift, dispatchMethod(), none];
  fc.assert(
    fc.property(arbitraryDisruption, fc.constantFrom(...methods), ({ task, before }, method) => {
      const repaired = method.repair(task, defaultPolicy, context) as MethodResult;
      const metrics = measureRepair({ task, before, ...repaired });
      const { edited_operations: edited, edited_jobs, start_changes, rank_changes } = metrics;
      expect(edited).toBeGreaterThanOrEqual(Math.max(start_changes, rank_changes));
      expect(edited).toBeLessThanOrEqual(start_changes + rank_changes);
      expect(metrics.edited_fraction).toBeLessThanOrEqual(1);
      expect(edited_jobs).toBeLessThanOrEqual(edited);
      const { machines } = task.instance;
      expect(metrics.edited_machines).toBeLessThanOrEqual(edited_jobs === 0 ? 0 : machines);
      expect(metrics.shift_total).toBeGreaterThanOrEqual(metrics.shift_max);
      expect(metrics.shift_max > 0).toBe(start_changes > 0);
      expect(metrics.inversions > 0).toBe(rank_changes > 0);
      // Work that was planned to begin before now and did not may begin now: nothing later differs then.
      const isAsBefore = (start: number, op: number) =>
        start === before.start[op] || before.start[op] < task.now;
      if (metrics.match_up === 0) expect(repaired.schedule.start.every(isAsBefore)).toBe(true);
      if (method === none) expect(edited).toBe(0);
      else if (method !== methods[2]) expect(rank_changes + metrics.wip_moves).toBe(0);
    }),
    { numRuns: 300 },
  );
});
