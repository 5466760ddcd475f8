import { describe, expect, it } from 'vitest';
import type { DisruptionEvent } from '../../../src/disruption/event.js';
import {
  describeExecution,
  disruptionSchema,
} from '../../../src/harness/records/disruption-record.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { findMethod } from '../../../src/lcrp/baselines/find-method.js';
import { simulate } from '../../../src/lcrp/simulation/simulate.js';
import { namedSource } from '../fixtures.js';

// machine 0: job 1 [0, 3), job 2 [4, 5); machine 1: job 2 [0, 4), job 1 [4, 6)
const plan = createSchedule(namedSource('shop').load(), Int32Array.of(0, 4, 0, 4));
const events: DisruptionEvent[] = [
  { kind: 'breakdown', at: 1, machine: 1, from: 1, to: 3, resumable: true },
  { kind: 'delay', at: 5, job: 1, step: 0, until: 9 },
];

describe('describeExecution', () => {
  it('tells every repair, what came too late, the sums and the outcome', async () => {
    const method = findMethod('affected');
    const simulation = await simulate({ schedule: plan, events, method });
    const told = describeExecution(simulation, 'default');
    expect(disruptionSchema.parse(told)).toEqual(told);
    expect(told).toMatchObject({
      policy: 'default',
      finished: true,
      skipped: [{ event: 'delay:at=5,job=2,step=1,until=9', reason: 'operation_started' }],
      steps: [
        {
          now: 1,
          events: ['breakdown:at=1,machine=1,from=1,to=3,resumable=true'],
          phase: 'compensation',
          executable: true,
          ...{ edited_operations: 2, edited_jobs: 2, edited_machines: 2, edited_fraction: 1 },
          ...{ start_changes: 2, rank_changes: 0, shift_total: 4, shift_mean: 2, shift_max: 2 },
          ...{ wip_moves: 0, wip_units: 0, match_up: 7 },
          makespan: { before: 6, compensated: 8, reordered: null, final: 8 },
        },
      ],
      totals: { repairs: 1, events: 1, affected: 1 },
      outcome: {
        makespan: { planned: 6, realised: 8 },
        degradation_percent: 100 / 3,
        start_changes: 2,
        rank_changes: 0,
      },
    });
  });

  it('has no degradation of an execution that was given up', async () => {
    const simulation = await simulate({ schedule: plan, events, method: findMethod('none') });
    const { finished, outcome } = describeExecution(simulation, 'default');
    expect([finished, outcome.degradation_percent]).toEqual([false, null]);
  });
});
