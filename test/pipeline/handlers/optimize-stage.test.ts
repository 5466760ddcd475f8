import { parseBudget } from '@alas-jssp/core/stopping';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInstance, type Instance, instanceFromJobs } from '../../../src/jssp/instance.js';
import { type Candidate, planFromSchedule } from '../../../src/jssp/plan.js';
import type { Planner } from '../../../src/jssp/planner.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import { type PipelineContext, runPipeline } from '../../../src/pipeline/pipeline.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';
import { validate } from '../../../src/validator/index.js';
import { arbitraryExecution } from '../../search/arbitrary-execution.js';

/** Two jobs on one machine, of which a plan makes the second wait. */
const tiny = instanceFromJobs('tiny', [[[0, 3]], [[0, 4]]]);
const idle = createSchedule(tiny, Int32Array.of(0, 9));

const planner = (plan: (instance: Instance) => Candidate): Planner => ({
  name: 'test',
  plan: async (instance) => plan(instance),
});

function optimizing(budget: string, more: Partial<PipelineContext> = {}): PipelineContext {
  return { seed: 1, optimize: { budget: parseBudget(budget), seed: 5 }, ...more };
}

describe('the optimize stage', () => {
  it('goes on from a feasible plan, and keeps the two apart', async () => {
    const result = await runPipeline(
      tiny,
      planner(() => idle),
      optimizing('2k-iterations'),
    );
    expect(result).toMatchObject({
      status: 'ok',
      error: null,
      plan: { makespan: 13 },
      candidate: { makespan: 7 },
      verdict: { valid: true, makespan: 7 },
      stages: {
        plan: { valid: true, makespan: 13 },
        optimize: { status: 'optimal', lowerBound: { value: 7 }, verdict: { makespan: 7 } },
      },
      seconds: { repair: null, optimize: expect.any(Number) },
    });
  });

  it('never makes a plan worse or infeasible, be it a schedule or claims', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryExecution({ downtimes: true }),
        fc.nat(99),
        fc.boolean(),
        async (instance, seed, asClaims) => {
          const random = planner((copy) => {
            const schedule = dispatch(copy, { rule: 'random', seed });
            return asClaims ? planFromSchedule(schedule) : schedule;
          });
          const result = await runPipeline(instance, random, optimizing('200-iterations'));
          expect(result).toMatchObject({ status: 'ok', error: null });
          expect(validate(instance, result.candidate as Candidate).valid).toBe(true);
          const { plan, optimize } = result.stages;
          expect(optimize?.verdict).toBe(result.verdict);
          expect(optimize?.verdict.makespan).toBeLessThanOrEqual(plan?.makespan as number);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('does not run where there is no feasible plan', async () => {
    const overlapping = planner(() => createSchedule(tiny, Int32Array.of(0, 1)));
    const failing = planner(() => {
      throw new Error('no idea');
    });
    for (const hopeless of [overlapping, failing]) {
      const { status, stages, seconds } = await runPipeline(tiny, hopeless, optimizing('1h'));
      expect(status).not.toBe('ok');
      expect([stages.optimize, seconds.optimize]).toEqual([null, null]);
    }
  });

  it('keeps deadlines', async () => {
    const urgent = createInstance({ ...tiny, deadline: Int32Array.of(20, 20) });
    const { status, stages } = await runPipeline(
      urgent,
      planner(() => idle),
      optimizing('1k-iterations'),
    );
    expect(status).toBe('ok');
    expect(stages.optimize?.verdict.valid).toBe(true);
  });

  it('comes to the same for equal seeds and iterations, also where it meets the bound early', async () => {
    for (const name of ['ft06', 'ft10']) {
      const instance = resolveSource(name).load();
      const run = async () => {
        const dispatched = planner((copy) => dispatch(copy, { rule: 'mwkr' }));
        const { candidate, stages } = await runPipeline(
          instance,
          dispatched,
          optimizing('30k-iterations'),
        );
        return { candidate, search: { ...stages.optimize, verdict: null } };
      };
      expect(await run()).toEqual(await run());
    }
  });

  it('ends at once when the plan meets a bound that is known from elsewhere', async () => {
    const bound = { value: 55, source: 'literature' };
    const ft06 = resolveSource('ft06').load();
    const { plan } = await runPipeline(
      ft06,
      planner((copy) => dispatch(copy, { rule: 'mwkr' })),
      optimizing('target:55', { bound }),
    );
    const { candidate } = await runPipeline(
      ft06,
      planner(() => plan as Candidate),
      {
        ...optimizing('1h', { bound }),
      },
    );
    expect(candidate).toMatchObject({ makespan: 55 });
  });

  it('counts a bound that it was told for none of its own', async () => {
    const ft10 = resolveSource('ft10').load();
    const boundsWith = async (told: object) => {
      const dispatched = planner((copy) => dispatch(copy, { rule: 'mwkr' }));
      const { progress } = await runPipeline(ft10, dispatched, optimizing('100-iterations', told));
      return progress.points.flatMap(({ lowerBound }) => lowerBound ?? []);
    };
    expect(await boundsWith({ bound: { value: 930, source: 'literature' } })).toEqual([]);
    expect(await boundsWith({})).not.toEqual([]);
  });

  it('calls it an error of ours when the validator refuses what the search found', async () => {
    // The plan of 13 does not contradict this false bound, but the optimum of 7 does.
    const bound = { value: 8, source: 'a false proof' };
    const result = await runPipeline(
      tiny,
      planner(() => idle),
      optimizing('2k-iterations', { bound }),
    );
    expect(result).toMatchObject({
      status: 'error',
      stages: { plan: { valid: true }, optimize: { verdict: { valid: false } } },
    });
    expect(result.error).toBe(
      'the search is wrong, please report it: ' +
        'the makespan of 7 is below 8, a proven lower bound (a false proof)',
    );
  });

  it('has its best so far when it is aborted', async () => {
    const controller = new AbortController();
    const aborting = planner((copy) => {
      controller.abort(new Error('enough'));
      return dispatch(copy, { rule: 'mwkr' });
    });
    const { signal } = controller;
    const ta41 = resolveSource('ta41').load();
    const { status, stages } = await runPipeline(ta41, aborting, optimizing('1h', { signal }));
    expect(status).toBe('ok');
    expect(stages.optimize).toMatchObject({ status: 'interrupted', verdict: { valid: true } });
  });
});
