import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { delayAffected } from '../../../src/lcrp/baselines/affected.js';
import { compensate, plannedTimes } from '../../../src/lcrp/phases/compensate.js';
import { updateStatus } from '../../../src/lcrp/phases/status.js';
import { validate } from '../../../src/validator/validate.js';
import { arbitraryTask, cases } from '../arbitrary-repair.js';
import { leastFixpoint } from '../least-fixpoint.js';

test('compensation is feasible, keeps started operations, and is least among all with its orders', () => {
  let shifted = 0;
  fc.assert(
    fc.property(arbitraryTask, (task) => {
      const schedule = compensate(task);
      expect(validate(task.instance, schedule).violations).toEqual([]);
      expect(schedule.start).toEqual(leastFixpoint(task, schedule));
      shifted += schedule.start.filter((time, op) => time > task.planned[op]).length;
    }),
    { numRuns: cases },
  );
  expect(shifted).toBeGreaterThan(cases);
});

test('compensation keeps the planned order of free operations on every machine', () => {
  fc.assert(
    fc.property(arbitraryTask, (task) => {
      const { instance } = task;
      const { start } = compensate(task);
      const times = plannedTimes(task);
      const isPlanned = (op: number) => times[op] >= 0 && instance.duration[op] > 0;
      for (let k = 0; k < instance.machines; k++) {
        const queue = [...instance.machineOperations.keys()].filter(
          (op) => instance.machine[op] === k && isPlanned(op),
        );
        const planned = queue.toSorted((a, b) => times[a] - times[b] || a - b);
        expect(queue.toSorted((a, b) => start[a] - start[b])).toEqual(planned);
      }
    }),
    { numRuns: cases },
  );
});

test('an arriving job takes gaps and delays no other job', () => {
  fc.assert(
    fc.property(arbitraryTask, (task) => {
      const { instance, planned } = task;
      const { start } = compensate(task);
      // Without the jobs that are new, what is left starts at the same times.
      const isOld = (job: number) => {
        const first = instance.jobOffset[job];
        return first < instance.jobOffset[job + 1] && planned[first] >= 0;
      };
      const jobs = [...Array(instance.jobs).keys()].filter(isOld);
      if (jobs.length === 0) return;
      const all = [...instance.machineOperations.keys()];
      const old = jobs.flatMap((job) => all.filter((op) => instance.jobOf[op] === job));
      const pick = (all: Int32Array | null) =>
        all === null ? null : Int32Array.from(old, (op) => all[op]);
      const rest = instanceFromJobs(
        'rest',
        jobs.map((job) =>
          old
            .filter((op) => instance.jobOf[op] === job)
            .map((op) => [instance.machine[op], instance.duration[op]] as const),
        ),
        instance.machines,
      );
      const without = compensate({
        ...task,
        instance: {
          ...rest,
          release: pick(instance.release),
          frozen: pick(instance.frozen),
          calendar: instance.calendar,
        },
        planned: Int32Array.from(old, (op) => planned[op]),
      });
      expect([...without.start]).toEqual(old.map((op) => start[op]));
    }),
    { numRuns: 100 },
  );
});

test('no operation starts later than where new jobs come last, so none later than by right-shift', () => {
  fc.assert(
    fc.property(arbitraryTask, (task) => {
      const { start } = compensate(task);
      const last = delayAffected(task).start;
      start.forEach((time, op) => {
        expect(time).toBeLessThanOrEqual(last[op]);
      });
    }),
    { numRuns: cases },
  );
});

test('an overdue operation waits for one that started just before the current time', () => {
  const shop = instanceFromJobs('shop', [[[0, 4]], [[0, 5]]]);
  const frozen = Int32Array.of(-1, 9);
  const instance = replaceInstance(shop, { frozen, release: Int32Array.of(10, 0) });
  const task = { instance, planned: Int32Array.of(3, 9), now: 10, affected: Int32Array.of(0) };
  expect([...compensate(task).start]).toEqual([14, 9]);
});

test('a breakdown moves the operations it hits and those that must wait for them, and slack absorbs the rest', () => {
  const shop = instanceFromJobs('shop', [
    [
      [0, 3],
      [1, 2],
    ],
    [
      [1, 4],
      [0, 3],
    ],
    [
      [0, 2],
      [1, 1],
    ],
  ]);
  const schedule = createSchedule(shop, Int32Array.from([0, 4, 0, 4, 9, 12]));
  const events = [{ kind: 'breakdown', machine: 0, from: 1, to: 3, resumable: true }] as const;
  const { task } = updateStatus({ schedule, events, now: 1 });
  expect([...compensate(task).start]).toEqual([0, 5, 0, 5, 9, 12]);
});
