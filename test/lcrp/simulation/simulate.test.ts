import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DisruptionEvent } from '../../../src/disruption/event.js';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { affected } from '../../../src/lcrp/baselines/affected.js';
import { findMethod } from '../../../src/lcrp/baselines/find-method.js';
import { none } from '../../../src/lcrp/baselines/none.js';
import { rightShift } from '../../../src/lcrp/baselines/right-shift.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import { pinnedNumbers } from '../../../src/lcrp/policy/policy.js';
import { type Simulation, simulate } from '../../../src/lcrp/simulation/simulate.js';
import type { RepairMethod } from '../../../src/lcrp/task.js';
import { validate } from '../../../src/validator/validate.js';
import { arbitraryExecution } from '../arbitraries.js';

// machine 0: op 0 [0, 10), op 2 [10, 18), op 4 [25, 30); machine 1: op 1 [10, 30), op 3 [30, 36)
const shop = instanceFromJobs('shop', [
  [
    [0, 10],
    [1, 20],
  ],
  [
    [0, 8],
    [1, 6],
  ],
  [[0, 5]],
]);
const plan = createSchedule(shop, Int32Array.of(0, 10, 10, 30, 25));
const events: DisruptionEvent[] = [
  { kind: 'duration', at: 32, job: 1, step: 0, duration: 9 }, // done by then
  { kind: 'breakdown', at: 15, machine: 1, from: 15, to: 19, resumable: true },
  { kind: 'breakdown', at: 4, machine: 0, from: 4, to: 6, resumable: false },
];

describe('an execution', () => {
  test('reveals events when they happen, and repairs one after the other', async () => {
    const run = await simulate({ schedule: plan, events, method: affected });
    // Lost at 4, op 0 starts again at 6; op 1 is interrupted from 15 … but starts after that now.
    expect(run.schedule.start).toEqual(Int32Array.of(6, 19, 16, 39, 25));
    expect(run.finished).toBe(true);
    expect(run.report.valid).toBe(true);
    expect(run.steps.map(({ now, lost }) => [now, lost])).toEqual([
      [4, 1],
      [15, 0],
    ]);
    expect(run.steps.map(({ metrics }) => metrics.makespan.final)).toEqual([42, 45]);
    expect(run.skipped).toMatchObject([
      { event: events[0], reason: { code: 'operation_finished' } },
    ]);
    expect(run.totals).toMatchObject({ repairs: 2, events: 2, lost: 1 });
    expect(run.repair).toMatchObject({ edited_operations: 6, shift_total: 30 });
    expect(run.repair).toMatchObject({ edited_jobs: 4, edited_machines: 3, phase: 'compensation' });
    expect(run.outcome).toMatchObject({
      ...{ compared: 5, shift_total: 30, shift_max: 9, inversions: 0 },
      ...{ start_changes: 4, rank_changes: 0 },
      makespan: { planned: 36, realised: 45 },
    });
  });

  test('without events is the plan', async () => {
    const run = await simulate({ schedule: plan, events: [], method: rightShift });
    expect(run).toMatchObject({ finished: true, steps: [], skipped: [], schedule: plan });
    expect(run.outcome.makespan).toEqual({ planned: 36, realised: 36 });
  });

  test('continues for jobs that arrive when all is done', async () => {
    const operations = [{ machine: 1, duration: 3 }];
    const late = { kind: 'arrival', at: 50, job: { operations, release: 52, due: 54 } } as const;
    const run = await simulate({ schedule: plan, events: [late], method: affected });
    expect(run.schedule.start).toEqual(Int32Array.of(0, 10, 10, 30, 25, 52));
    expect(run.outcome.tardiness).toEqual({ planned: 0, realised: 1 });
  });

  test('ends if nothing is repaired', async () => {
    const run = await simulate({ schedule: plan, events, method: none });
    expect(run.finished).toBe(false);
    expect(run.report.valid).toBe(false);
    expect(run.steps).toHaveLength(1);
    expect(run.steps[0].judgement).toMatchObject({ feasible: false, executable: false });
  });

  test('keeps pinned operations pinned when events renumber them', async () => {
    const cancelled = { kind: 'cancellation', at: 1, job: 0 } as const;
    const asked: number[][] = [];
    const method: RepairMethod = {
      name: 'watching',
      repair: (task, rules, context) => {
        asked.push([...pinnedNumbers(task.instance, rules.limits)]);
        return affected.repair(task, rules, context);
      },
    };
    const pinned = [
      { job: 0, step: 1 },
      { job: 2, step: 0 },
    ];
    const limited = policy({ limits: { pinned } });
    await simulate({ schedule: plan, events: [cancelled, ...events], method, policy: limited });
    // Job 1 keeps its first operation, which runs; its second is gone, and those behind move up.
    expect(asked[0]).toEqual([3]);
  });

  test('continues when a deadline is missed, which the report lists', async () => {
    const instance = replaceInstance(shop, { deadline: Int32Array.of(31, -1, -1) });
    const schedule = createSchedule(instance, plan.start);
    const run = await simulate({ schedule, events, method: affected });
    expect(run.finished).toBe(true);
    expect(run.report.violations.map(({ code }) => code)).toEqual(['deadline']);
    expect(run.steps[0].judgement).toMatchObject({ feasible: false, executable: true });
  });

  test('needs a feasible plan, a method without mistakes, and a signal that is not aborted', async () => {
    const bad = createSchedule(shop, Int32Array.of(0, 10, 9, 30, 25));
    await expect(simulate({ schedule: bad, events, method: affected })).rejects.toMatchObject({
      code: 'infeasible_plan',
      message: expect.stringMatching(/^the plan for shop cannot be executed: job 2, step 1 starts/),
    });
    const lazy: RepairMethod = {
      name: 'lazy',
      repair: (...task) => ({ ...(none.repair(...task) as object), phase: 'reordering' }) as never,
    };
    await expect(simulate({ schedule: plan, events, method: lazy })).rejects.toMatchObject({
      code: 'bad_repair',
    });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(simulate({ schedule: plan, events, method: none, signal })).rejects.toThrow(
      'enough',
    );
  });
});

const recomputing = policy({ fallback: { degradation: 0, iterations: 50 } });

/** What is the same in equal runs. */
const withoutSeconds = ({ steps, totals, ...rest }: Simulation) => ({
  ...rest,
  steps: steps.map((step) => ({ ...step, seconds: 0 })),
  totals: { ...totals, seconds: 0 },
});

test('for any events, every method finishes, and the realised schedule is feasible', async () => {
  const names = ['right-shift', 'affected', 'dispatch', 'recompute', 'none'];
  let events = 0;
  let unfinished = 0;
  await fc.assert(
    fc.asyncProperty(arbitraryExecution, fc.constantFrom(...names), async (execution, name) => {
      const options = {
        schedule: execution.plan,
        events: execution.events,
        method: findMethod(name),
        policy: recomputing,
      };
      const run = await simulate(options);
      expect(withoutSeconds(await simulate(options))).toEqual(withoutSeconds(run));
      if (name === 'none' && !run.finished) {
        unfinished++;
        return;
      }
      const { counts, total, valid } = validate(run.schedule.instance, run.schedule);
      expect(total).toBe(counts.deadline);
      expect(run.report.valid).toBe(valid);
      expect(run.finished).toBe(true);
      expect(run.totals.events + run.skipped.length).toBe(execution.events.length);
      events += run.totals.events;
      checkHistory(run);
    }),
    { numRuns: 150 },
  );
  expect(events).toBeGreaterThan(100);
  expect(unfinished).toBeGreaterThan(5);
});

/** What was frozen when it was last looked at is still what was done. */
function checkHistory({ schedule, steps }: Simulation): void {
  const { frozen } = schedule.instance;
  const last = steps.at(-1)?.now ?? 0;
  for (let op = 0; op < schedule.start.length; op++) {
    const isStarted = frozen !== null && frozen[op] >= 0;
    if (isStarted) expect(schedule.start[op]).toBe(frozen[op]);
    else expect(schedule.start[op]).toBeGreaterThanOrEqual(last);
  }
}
