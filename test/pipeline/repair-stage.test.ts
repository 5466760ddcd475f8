import { parseBudget } from '@alas-jssp/core/stopping';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInstance, instanceFromJobs } from '../../src/jssp/instance.js';
import type { Candidate } from '../../src/jssp/plan.js';
import type { Planner } from '../../src/jssp/planner.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { runPipeline } from '../../src/pipeline/pipeline.js';
import { dispatch } from '../../src/search/construct/dispatch.js';
import { validate } from '../../src/validator/index.js';
import { arbitraryExecution } from '../search/arbitrary-execution.js';
import { arbitraryPlan } from '../validator/arbitraries.js';

const tiny = instanceFromJobs('tiny', [[[0, 3]], [[0, 4]]]);
const overlapping = createSchedule(tiny, Int32Array.of(1, 0));
const repairing = { seed: 1, repair: { seed: 2 } };

const planner = (candidate: Candidate): Planner => ({ name: 'test', plan: async () => candidate });

describe('the repair stage', () => {
  it('makes a feasible schedule of an infeasible plan, and keeps the two apart', async () => {
    expect(await runPipeline(tiny, planner(overlapping), repairing)).toMatchObject({
      status: 'ok',
      error: null,
      candidate: { start: Int32Array.of(4, 0) },
      verdict: { valid: true, makespan: 7 },
      stages: {
        plan: { valid: false },
        repair: { seedCoverage: 1, keptOrder: 1, inserted: 0, verdict: { valid: true } },
        optimize: null,
      },
      seconds: { repair: expect.any(Number), optimize: null },
    });
  });

  it('is off unless it is asked for, and idle where the plan is feasible', async () => {
    const off = await runPipeline(tiny, planner(overlapping), { seed: 1 });
    expect(off).toMatchObject({ status: 'infeasible', stages: { repair: null } });
    const feasible = createSchedule(tiny, Int32Array.of(9, 0));
    const idle = await runPipeline(tiny, planner(feasible), repairing);
    expect(idle).toMatchObject({
      status: 'ok',
      candidate: feasible,
      stages: { repair: null },
      seconds: { repair: null },
    });
  });

  it('repairs whatever a planner hands over', async () => {
    const damaged = arbitraryExecution({ downtimes: true }).chain((instance) =>
      fc.tuple(
        fc.constant(instance),
        arbitraryPlan(instance, dispatch(instance, { rule: 'spt' }).start),
      ),
    );
    await fc.assert(
      fc.asyncProperty(damaged, async ([instance, plan]) => {
        const result = await runPipeline(instance, planner(plan), repairing);
        expect(result).toMatchObject({ status: 'ok', error: null });
        expect(validate(instance, result.candidate as Candidate).valid).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('is where the optimize stage goes on from', async () => {
    const optimize = { budget: parseBudget('1k-iterations'), seed: 5 };
    const late = { entries: [{ job: 0, step: 0, machine: 0, start: 50, end: 53 }] };
    const jobs = instanceFromJobs('three', [[[0, 3]], [[0, 4]], [[1, 9]]]);
    const result = await runPipeline(jobs, planner(late), { ...repairing, optimize });
    expect(result).toMatchObject({
      status: 'ok',
      stages: { plan: { valid: false }, repair: { inserted: 2 }, optimize: { status: 'optimal' } },
      candidate: { makespan: 9 },
    });
  });

  it('leaves a plan infeasible whose limits cannot be kept, which is no error', async () => {
    const hopeless = createInstance({ ...tiny, deadline: Int32Array.of(3, 4) });
    expect(await runPipeline(hopeless, planner(overlapping), repairing)).toMatchObject({
      status: 'infeasible',
      error: null,
      stages: { repair: { feasible: false } },
    });
  });

  it('calls it an error of ours when the validator refuses what it made', async () => {
    const bound = { value: 8, source: 'a false proof' };
    const result = await runPipeline(tiny, planner(overlapping), { ...repairing, bound });
    expect(result.status).toBe('error');
    expect(result.error).toBe(
      'the repair is wrong, please report it: ' +
        'the makespan of 7 is below 8, a proven lower bound (a false proof)',
    );
  });

  it('has nothing to repair where there is no plan', async () => {
    const failing: Planner = {
      name: 'test',
      plan: async () => {
        throw new Error('no idea');
      },
    };
    expect(await runPipeline(tiny, failing, repairing)).toMatchObject({
      status: 'error',
      stages: { repair: null },
    });
  });
});
