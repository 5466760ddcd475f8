import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instanceFromJobs } from '../../../../src/jssp/instance.js';
import { planFromSchedule } from '../../../../src/jssp/plan.js';
import { createSchedule } from '../../../../src/jssp/schedule.js';
import { semiActive } from '../../../../src/jssp/timing.js';
import { viewPlanMoves } from '../../../../src/report/page/views/moves-view.js';
import { slackOf, viewSchedule } from '../../../../src/report/page/views/schedule-view.js';
import { isFeasible } from '../../../../src/validator/index.js';
import { arbitraryInstanceAndSequences } from '../../../arbitraries.js';

const shop = instanceFromJobs('shop', [
  [
    [0, 3],
    [1, 2],
  ],
  [
    [1, 4],
    [0, 1],
  ],
]);

describe('the slack of operations', () => {
  it('is what all of them together can wait without a longer makespan, and the critical path has none', () => {
    fc.assert(
      fc.property(arbitraryInstanceAndSequences(), ([instance, sequences]) => {
        const schedule = semiActive(instance, sequences);
        const slack = slackOf(schedule);
        const latest = schedule.start.map((time, op) => time + slack[op]);
        expect(isFeasible(instance, latest)).toBe(true);
        expect(createSchedule(instance, latest).makespan).toBe(schedule.makespan);
        const { critical } = viewSchedule(instance, schedule);
        expect(critical.map((op) => slack[op])).toEqual(critical.map(() => 0));
      }),
    );
  });

  it('is told of an example', () => {
    // Machine 0: job 1, job 2; machine 1: job 2, job 1. Everything ends at 6.
    const schedule = createSchedule(shop, Int32Array.of(0, 4, 0, 4));
    expect(viewSchedule(shop, schedule)).toMatchObject({
      makespan: 6,
      valid: true,
      slack: [1, 0, 0, 1],
      critical: [2, 1],
      busy: [4, 6],
    });
  });
});

describe('the view of a plan with faults', () => {
  const schedule = createSchedule(shop, Int32Array.of(0, 2, 0, 4));
  const { entries } = planFromSchedule(schedule);

  it('has each violation at its operations and its stretch of time, and no slack', () => {
    const view = viewSchedule(shop, { entries });
    expect(view).toMatchObject({ valid: false, slack: null, critical: [], missing: 0 });
    expect(view.counts).toEqual({ below_lower_bound: 1, job_precedence: 1, machine_overlap: 1 });
    expect(
      view.violations.map(({ code, operation, stretch }) => [code, operation, stretch]),
    ).toEqual([
      ['below_lower_bound', -1, null],
      ['job_precedence', 1, [2, 3]],
      ['machine_overlap', 1, [2, 4]],
    ]);
  });

  it('draws what is there of a plan that says nonsense', () => {
    const plan = {
      entries: [{ ...entries[0], start: 1.5 }, { ...entries[1], job: 99 }, entries[2]],
    };
    const view = viewSchedule(shop, plan);
    expect(view.start).toEqual([-1, -1, 0, -1]);
    expect(view.missing).toBe(3);
    expect(view.counts).toMatchObject({ unknown_job: 1, fractional_time: 1 });
  });

  it('says of every operation that moved why it did', () => {
    const after = createSchedule(shop, Int32Array.of(0, 4, 0, 6));
    const before = createSchedule(shop, Int32Array.of(0, 2, 0, -1));
    const moves = viewPlanMoves(viewSchedule(shop, before), before, after);
    expect(moves.moved.map(({ operation, start, cause }) => [operation, start, cause])).toEqual([
      [1, 2, 'fault'],
      [3, -1, 'missing'],
    ]);
    expect(moves.moved[0].why).toContain('before job 1, step 1 ends at 3');
  });
});
