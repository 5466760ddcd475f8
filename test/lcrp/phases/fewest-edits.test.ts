import fc from 'fast-check';
import { expect, test } from 'vitest';
import { earliestStart } from '../../../src/jssp/calendar.js';
import { isFree } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { measureRepair } from '../../../src/lcrp/metrics/metrics.js';
import { compensate } from '../../../src/lcrp/phases/compensate.js';
import { fewestEdits } from '../../../src/lcrp/phases/fewest-edits.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import { type RepairTask, singlePhaseResult } from '../../../src/lcrp/task.js';
import { validate } from '../../../src/validator/validate.js';
import { arbitraryTask, cases } from '../arbitrary-repair.js';

const MOST_FREE = 6;

test('the fewest edits are those that enumeration finds, in tiny shops', () => {
  const seen = new Map<number, number>();
  let arrivals = 0;
  fc.assert(
    fc.property(arbitraryTask, (task) => {
      const free = task.planned.filter((_, op) => isFree(task.instance, op)).length;
      fc.pre(free > 0 && free <= MOST_FREE);
      if (task.planned.some((time) => time < 0)) arrivals++;
      const compensated = compensate(task);
      const found = fewestEdits(
        task,
        compensated,
        policy({ objective: 'makespan' }),
        [compensated],
        () => false,
      );
      expect(brokenRules(task, found.schedule.start)).toEqual([]);
      expect(editsOf(task, found.schedule.start)).toBe(found.edits);
      expect(found.atLeast).toBe(found.edits);
      expect(found.edits).toBe(enumerated(task));
      seen.set(found.edits, (seen.get(found.edits) ?? 0) + 1);
    }),
    { numRuns: cases },
  );
  for (const edits of [0, 1, 2, 3]) expect(seen.get(edits) ?? 0).toBeGreaterThan(0);
  expect(arrivals).toBeGreaterThan(0);
}, 600_000);

function brokenRules({ instance }: RepairTask, start: Int32Array) {
  const { violations } = validate(instance, createSchedule(instance, start));
  return violations.filter(({ code }) => code !== 'deadline');
}

function editsOf(task: RepairTask, start: Int32Array): number {
  const made = singlePhaseResult(createSchedule(task.instance, start), 'recompute');
  const { end } = createSchedule(task.instance, task.planned);
  const before = { start: task.planned, end };
  return measureRepair({ ...made, task, before }).edited_operations;
}

/** The fewest edits of all schedules in which everything free starts as soon as it can, or as planned. */
function enumerated(task: RepairTask): number {
  const { instance, planned } = task;
  const { operations, jobOf } = instance;
  const start = instance.frozen?.slice() ?? new Int32Array(operations).fill(-1);
  let fewest = Number.POSITIVE_INFINITY;
  const visit = (left: number): void => {
    if (left === 0) {
      fewest = Math.min(fewest, editsOf(task, start));
      return;
    }
    for (let op = 0; op < operations; op++) {
      if (start[op] >= 0 || (op > 0 && jobOf[op - 1] === jobOf[op] && start[op - 1] < 0)) continue;
      const ready = readyAt(task, start, op);
      const earliest = earliestStart(instance, op, ready);
      const delayed = earliestStart(instance, op, Math.max(ready, planned[op]));
      for (const time of new Set([earliest, delayed])) {
        start[op] = time;
        visit(left - 1);
      }
      start[op] = -1;
    }
  };
  visit(start.filter((time) => time < 0).length);
  return fewest;
}

/** When job and machine are done with all that has a start. */
function readyAt({ instance }: RepairTask, start: Int32Array, op: number): number {
  const { machine, jobOf, duration } = instance;
  const { end } = createSchedule(instance, start);
  return Math.max(
    0,
    ...Array.from(end).filter(
      (_, other) =>
        start[other] >= 0 &&
        (jobOf[other] === jobOf[op] ||
          (machine[other] === machine[op] && duration[other] > 0 && duration[op] > 0)),
    ),
  );
}
