import { parseBudget } from '@alas-jssp/core/stopping';
import { describe, expect, it } from 'vitest';
import { instanceFromJobs } from '../../src/jssp/instance.js';
import type { Candidate } from '../../src/jssp/plan.js';
import type { Planner } from '../../src/jssp/planner.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { shareInstance } from '../../src/jssp/share-instance.js';
import { runPipeline } from '../../src/pipeline/pipeline.js';

const tiny = instanceFromJobs('tiny', [[[0, 3]], [[0, 4]]]);
const context = { seed: 1 };

function planner(plan: () => Candidate | Promise<Candidate>): Planner {
  return { name: 'test', plan: async () => plan() };
}

describe('runPipeline', () => {
  it('judges what the planner hands over and times each stage that ran', async () => {
    const schedule = createSchedule(tiny, Int32Array.of(0, 3));
    const result = await runPipeline(
      tiny,
      planner(() => schedule),
      context,
    );
    expect(result).toMatchObject({ status: 'ok', error: null, verdict: { makespan: 7 } });
    expect(result.candidate).toEqual(schedule);
    const { plan, validate, repair, optimize, total } = result.seconds;
    expect([repair, optimize]).toEqual([null, null]);
    expect(total).toBeGreaterThanOrEqual((plan ?? 0) + (validate ?? 0));
  });

  it('calls an infeasible plan infeasible, with the verdict that says why', async () => {
    const overlapping = createSchedule(tiny, Int32Array.of(0, 1));
    const result = await runPipeline(
      tiny,
      planner(() => overlapping),
      context,
    );
    expect(result).toMatchObject({ status: 'infeasible', verdict: { valid: false } });
    expect(result.verdict?.counts).toMatchObject({ machine_overlap: 1 });
  });

  it('does not believe a makespan below a proven bound', async () => {
    const schedule = createSchedule(tiny, Int32Array.of(0, 3));
    const bound = { value: 8, source: 'a proof' };
    const result = await runPipeline(
      tiny,
      planner(() => schedule),
      { ...context, bound },
    );
    expect(result.status).toBe('infeasible');
  });

  it('tells a planner its seed and replicate, and nothing of bounds and budgets', async () => {
    const seen: object[] = [];
    const curious: Planner = {
      name: 'curious',
      async plan(instance, told) {
        seen.push(told);
        return createSchedule(instance, Int32Array.of(0, 3));
      },
    };
    const optimize = { budget: parseBudget('1-iterations'), seed: 2 };
    await runPipeline(tiny, curious, { ...context, bound: { value: 7, source: 'x' }, optimize });
    const taking = expect.any(Function);
    const hands = { onPlan: taking, onLowerBound: taking, onProcess: taking };
    expect(seen).toMatchObject([{ seed: 1, replicate: 0, signal: expect.any(AbortSignal) }]);
    const told = Object.entries(seen[0]).filter(([key, value]) => value && !(key in hands));
    expect(told.map(([key]) => key)).toEqual(['seed', 'objective', 'signal']);
  });

  it('hands out a private copy: a planner changes neither instance nor judgement', async () => {
    const shared = shareInstance(
      instanceFromJobs('shared', [
        [
          [0, 3],
          [1, 2],
        ],
      ]),
    );
    const before = structuredClone(shared.duration.slice());
    const cheat: Planner = {
      name: 'cheat',
      async plan(instance) {
        instance.duration.fill(1);
        return createSchedule(instance, Int32Array.of(0, 1));
      },
    };
    const { status, candidate, verdict } = await runPipeline(shared, cheat, context);
    expect(status).toBe('infeasible');
    expect(verdict?.counts.job_precedence).toBe(1);
    expect(shared.duration).toEqual(before);
    expect(candidate).toMatchObject({ instance: shared, end: Int32Array.of(3, 3) });
  });

  it('makes a result of an error, with the time it took to fail', async () => {
    const failing = planner(() => {
      throw new Error('no\n idea');
    });
    const result = await runPipeline(tiny, failing, context);
    expect(result).toMatchObject({
      status: 'error',
      error: 'no idea',
      candidate: null,
      verdict: null,
      seconds: { plan: expect.any(Number), validate: null },
    });
  });

  it('throws only when it was aborted', async () => {
    const controller = new AbortController();
    const aborting = planner(() => {
      controller.abort(new Error('enough'));
      throw new Error('no plan');
    });
    const { signal } = controller;
    await expect(runPipeline(tiny, aborting, { ...context, signal })).rejects.toThrow('enough');
  });
});
