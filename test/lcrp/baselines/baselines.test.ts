import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { objectiveValue } from '../../../src/jssp/objectives.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { affected } from '../../../src/lcrp/baselines/affected.js';
import { findMethod, repairMethods } from '../../../src/lcrp/baselines/find-method.js';
import { none } from '../../../src/lcrp/baselines/none.js';
import { recompute } from '../../../src/lcrp/baselines/recompute.js';
import { rightShift } from '../../../src/lcrp/baselines/right-shift.js';
import { judgeRepair } from '../../../src/lcrp/judge-repair.js';
import { updateStatus } from '../../../src/lcrp/phases/status.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import type { MethodResult, RepairMethod, RepairTask } from '../../../src/lcrp/task.js';
import { validate } from '../../../src/validator/validate.js';
import { messageOf } from '../../jssp/formats/refusal.js';
import { arbitraryDisruption, context } from '../arbitraries.js';

const recomputing = policy({ fallback: { degradation: 0, iterations: 100 } });
const run = (method: RepairMethod, task: RepairTask) => method.repair(task, recomputing, context);
const now = (method: RepairMethod, task: RepairTask) => run(method, task) as MethodResult;
const isFree = ({ instance }: RepairTask, op: number) => (instance.frozen?.[op] ?? -1) < 0;

test('every method makes a feasible schedule that keeps started operations, and the same again', async () => {
  const methods = ['right-shift', 'affected', 'dispatch', 'dispatch:random', 'recompute'].map(
    findMethod,
  );
  await fc.assert(
    fc.asyncProperty(arbitraryDisruption, async ({ task }) => {
      for (const method of methods) {
        const repaired = await run(method, task);
        const { counts, total } = validate(task.instance, repaired.schedule);
        // A disruption may leave no schedule that meets all deadlines.
        expect(total).toBe(counts.deadline);
        expect(judgeRepair(repaired, method.name).executable).toBe(true);
        expect(await run(method, task)).toEqual(repaired);
      }
    }),
    { numRuns: 100 },
  );
});

test('affected moves nothing forward and is never later than right-shift, operation by operation', () => {
  let wins = 0;
  fc.assert(
    fc.property(arbitraryDisruption, ({ task }) => {
      const local = now(affected, task).schedule.start;
      const common = now(rightShift, task).schedule.start;
      for (let op = 0; op < local.length; op++) {
        if (isFree(task, op)) expect(local[op]).toBeGreaterThanOrEqual(task.planned[op]);
        expect(local[op]).toBeLessThanOrEqual(common[op]);
        if (local[op] < common[op]) wins++;
      }
    }),
    { numRuns: 300 },
  );
  expect(wins).toBeGreaterThan(50);
});

test('right-shift is the least common shift, where one is feasible for what is planned', () => {
  let shifted = 0;
  fc.assert(
    fc.property(arbitraryDisruption, ({ task }) => {
      const { instance, planned } = task;
      const { start } = now(rightShift, task).schedule;
      const shifts = [...planned.keys()]
        .filter((op) => isFree(task, op) && planned[op] >= 0)
        .map((op) => start[op] - planned[op]);
      const isCommon = shifts.every((shift) => shift === shifts[0]);
      if (!isCommon || shifts.length === 0) return;
      const least = Array.from({ length: shifts[0] + 1 }, (_, shift) => shift).find((shift) => {
        const moved = start.map((time, op) =>
          isFree(task, op) && planned[op] >= 0 ? planned[op] + shift : time,
        );
        const { counts, total } = validate(instance, createSchedule(instance, moved));
        return total === counts.deadline;
      });
      expect(shifts[0]).toBe(least);
      if (shifts[0] > 0) shifted++;
    }),
    { numRuns: 300 },
  );
  expect(shifted).toBeGreaterThan(20);
});

test('recompute is never worse than affected, by either objective', async () => {
  let better = 0;
  await fc.assert(
    fc.asyncProperty(
      arbitraryDisruption,
      fc.constantFrom('makespan' as const, 'total-weighted-tardiness' as const),
      async ({ task }, objective) => {
        const found = await recompute.repair(task, { ...recomputing, objective }, context);
        const start = now(affected, task);
        expect(found.compensated).toEqual(start.schedule);
        // With deadlines the search may have had to give some of it up.
        if (!judgeRepair(start, 'affected').feasible) return;
        const gain =
          objectiveValue(start.schedule, objective) - objectiveValue(found.schedule, objective);
        expect(gain).toBeGreaterThanOrEqual(0);
        if (gain > 0) better++;
      },
    ),
    { numRuns: 100 },
  );
  expect(better).toBeGreaterThan(10);
});

describe('none', () => {
  // machine 0: op 0 [0, 10), op 1 [10, 30)
  const shop = instanceFromJobs('shop', [[[0, 10]], [[0, 20]]]);
  const plan = createSchedule(shop, Int32Array.of(0, 10));

  test('keeps the plan, and the judge lists its violations', () => {
    const down = { kind: 'breakdown', machine: 0, from: 5, to: 8 } as const;
    const { task } = updateStatus({ schedule: plan, events: [down], now: 5 }, { tooLate: 'skip' });
    const repaired = now(none, task);
    expect(repaired.schedule.start).toEqual(plan.start);
    expect(repaired.schedule.end).toEqual(Int32Array.of(13, 30));
    expect(judgeRepair(repaired, 'none')).toMatchObject({
      feasible: false,
      executable: false,
      violations: [{ code: 'machine_overlap' }],
    });
    expect(() => judgeRepair({ ...repaired, phase: 'compensation' }, 'mine')).toThrow(
      'the repair method mine made a schedule that cannot be executed: job 2, step 1 starts on',
    );
  });

  test('has no place for a new job', () => {
    const arrival = {
      kind: 'arrival',
      job: { operations: [{ machine: 0, duration: 1 }] },
    } as const;
    const repaired = now(
      none,
      updateStatus({ schedule: plan, events: [arrival], now: 5 }, { tooLate: 'skip' }).task,
    );
    expect(repaired.schedule.start).toEqual(Int32Array.of(0, 10, -1));
    expect(judgeRepair(repaired, 'none').violations[0].code).toBe('missing_operation');
  });

  test('is enough, and all that affected does, as long as nothing is in the way', () => {
    let kept = 0;
    fc.assert(
      fc.property(arbitraryDisruption, ({ task }) => {
        const repaired = now(none, task);
        if (!judgeRepair(repaired, 'none').executable) return;
        expect(now(affected, task).schedule.start).toEqual(repaired.schedule.start);
        kept++;
      }),
      { numRuns: 200 },
    );
    expect(kept).toBeGreaterThan(20);
  });
});

describe('methods are found by name', () => {
  test('every one, and dispatching with any rule', () => {
    for (const method of repairMethods) expect(findMethod(method.name)).toBe(method);
    expect(findMethod('dispatch:FDD/MWKR').name).toBe('dispatch:fdd-mwkr');
  });

  test('or refused', () => {
    expect(messageOf(() => findMethod('rightshift'))).toBe(
      "there is no repair method 'rightshift'; did you mean right-shift?",
    );
    expect(messageOf(() => findMethod('x'))).toBe(
      "there is no repair method 'x'; use one of none, right-shift, affected, postpone, dispatch, recompute, lcrp",
    );
    expect(messageOf(() => findMethod('dispatch:x'))).toMatch(
      /^there is no dispatching rule 'x'; /,
    );
  });
});
