import { expect, test } from 'vitest';
import type { EventInput } from '../../../src/disruption/event.js';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { rightShift } from '../../../src/lcrp/baselines/right-shift.js';
import { repair } from '../../../src/lcrp/engine.js';
import { explainRepair } from '../../../src/lcrp/metrics/explain.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import type { RepairResult } from '../../../src/lcrp/repair-result.js';

// machine 0: op 0 [0, 3), op 3 [5, 9), op 5 [10, 12); machine 1: op 2 [0, 4), op 1 [4, 6), op 4 [9, 11)
const shop = instanceFromJobs('shop', [
  [
    [0, 3],
    [1, 2],
  ],
  [
    [1, 4],
    [0, 4],
    [1, 2],
  ],
  [[0, 2]],
]);
const plan = createSchedule(shop, Int32Array.of(0, 4, 0, 5, 9, 10));
const compensateOnly = policy({ budget: { passes: 0 } });

const causesOf = (result: RepairResult) =>
  explainRepair(result).map(({ operation, cause, waitsFor, event }) => [
    operation,
    cause,
    waitsFor,
    event,
  ]);

test('a chain leads from a waiting operation, along job and machine, to the event that began it', async () => {
  const events: EventInput[] = [
    { kind: 'delay', job: 0, step: 1, until: 5 },
    { kind: 'duration', job: 1, step: 0, duration: 7 },
  ];
  const result = await repair({ schedule: plan, events, now: 1 }, compensateOnly);
  expect([...result.schedule.start]).toEqual([0, 7, 0, 7, 11, 11]);
  expect(causesOf(result)).toEqual([
    [1, 'machine', 2, 1],
    [3, 'job', 2, 1],
    [4, 'job', 3, 1],
    [5, 'machine', 3, 1],
  ]);
});

test('of several events that hit an operation, the one counts that holds it longest', async () => {
  const events: EventInput[] = [
    { kind: 'breakdown', machine: 0, from: 10, to: 14, resumable: false },
    { kind: 'delay', job: 2, step: 0, until: 12 },
    { kind: 'cancellation', job: 0 },
  ];
  const result = await repair({ schedule: plan, events, now: 1 }, compensateOnly);
  // Operation 5 of before: one of job 0 fell away.
  expect(causesOf(result)).toEqual([[4, 'event', null, 0]]);
});

test('an unnecessary move is a choice of the method, and nothing changes without an event', async () => {
  const events: EventInput[] = [{ kind: 'breakdown', machine: 1, from: 9, to: 12 }];
  const execution = { schedule: plan, events, now: 8 };
  const shifted = await repair(execution, compensateOnly, { method: rightShift });
  expect(causesOf(shifted)).toEqual([
    [4, 'event', null, 0],
    [5, 'later', null, 0],
  ]);
  const quiet = await repair({ schedule: plan, events: [], now: 8 }, compensateOnly);
  expect(causesOf(quiet)).toEqual([]);
});

test('an operation that makes way for a pinned one does so for a limit', async () => {
  // machine 0: op 2 [4, 6), op 4 [6, 9); machine 1: op 0 [0, 2), op 1 [2, 4); machine 2: op 3 [6, 26)
  const other = instanceFromJobs('other', [
    [[1, 2]],
    [
      [1, 2],
      [0, 2],
      [2, 20],
    ],
    [[0, 3]],
  ]);
  const before = createSchedule(other, Int32Array.of(0, 2, 4, 6, 6));
  const events: EventInput[] = [{ kind: 'delay', job: 0, step: 0, until: 6 }];
  const shop = { schedule: before, events, now: 0 };
  const limits = { pinned: [{ job: 2, step: 0 }] };
  const compensated = await repair(shop, { ...compensateOnly, limits });
  expect([...compensated.schedule.start]).toEqual([6, 8, 10, 12, 6]);
  expect(causesOf(compensated)).toEqual([
    [0, 'event', null, 0],
    [4, 'limit', null, 0],
    [1, 'machine', 0, 0],
    [2, 'limit', null, 0],
    [3, 'job', 2, 0],
  ]);
  // Operation 1 passes operation 0, so that 2 is done before 4 again.
  const result = await repair(shop, policy({ limits }));
  expect([...result.schedule.start]).toEqual([6, 0, 2, 4, 6]);
  expect(causesOf(result)).toEqual([
    [1, 'place', null, 0],
    [2, 'earlier', null, 0],
    [3, 'earlier', null, 0],
    [0, 'place', null, 0],
  ]);
});

test('a lost operation keeps its place before one that has a duration only since then', async () => {
  // Operation 0 takes no time while 1 runs; then 1 is lost, and 0 takes time.
  const two = instanceFromJobs('two', [[[0, 0]], [[0, 13]]]);
  const before = createSchedule(two, Int32Array.of(53, 48));
  const events: EventInput[] = [
    { kind: 'breakdown', machine: 0, from: 53, to: 54, resumable: false },
    { kind: 'duration', job: 0, step: 0, duration: 1 },
  ];
  const result = await repair({ schedule: before, events, now: 53 }, compensateOnly);
  expect([...result.schedule.start]).toEqual([67, 54]);
  expect(causesOf(result)).toEqual([
    [1, 'event', null, 0],
    [0, 'machine', 1, 0],
  ]);
});
