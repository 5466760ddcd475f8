import { describe, expect, it } from 'vitest';
import type { DisruptionEvent } from '../../../src/disruption/event.js';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { planFromSchedule } from '../../../src/jssp/plan.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { defaultPolicy } from '../../../src/lcrp/policy/policy.js';
import { executeSchedule } from '../../../src/pipeline/handlers/execute-stage.js';
import { runPipeline } from '../../../src/pipeline/pipeline.js';

const shop = instanceFromJobs('shop', [
  [
    [0, 10],
    [1, 20],
  ],
  [[0, 8]],
]);
const plan = createSchedule(shop, Int32Array.of(0, 10, 10));
const breakdown: DisruptionEvent = {
  kind: 'breakdown',
  at: 4,
  machine: 0,
  from: 4,
  to: 6,
  resumable: true,
};
const settings = { disruption: [breakdown], policy: defaultPolicy, eventSeed: 1, seed: 2 };
const planner = (start: number[]) => ({
  name: 'test',
  plan: async () => createSchedule(shop, Int32Array.from(start)),
});

describe('the execute stage', () => {
  it('executes the same schedule under each method', async () => {
    const methods = ['none', 'right-shift', 'recompute', 'lcrp'];
    const executions = await executeSchedule(
      shop,
      planFromSchedule(plan),
      { ...settings, methods },
      undefined,
    );
    expect(executions.map(({ method }) => method)).toEqual(methods);
    const outcomes = executions.map(({ simulation }) => simulation?.outcome.makespan);
    expect(outcomes.slice(1)).toEqual([
      { planned: 30, realised: 32 },
      { planned: 30, realised: 32 },
      { planned: 30, realised: 32 },
    ]);
    expect(executions.map(({ simulation }) => simulation?.finished)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it('injects the events that the seed says', async () => {
    const injected = { ...settings, disruption: { delays: { rate: 1, mean: 1 } } };
    const [one, same, other] = await Promise.all(
      [1, 1, 9].map(async (eventSeed) => {
        const methods = ['affected'];
        const done = await executeSchedule(
          shop,
          plan,
          { ...injected, methods, eventSeed },
          undefined,
        );
        return done[0].simulation?.steps.map(({ events }) => events);
      }),
    );
    expect(one).not.toEqual([]);
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('tells of a method that fails, and goes on with the next', async () => {
    const methods = ['dispatch:cr', 'affected'];
    const executions = await executeSchedule(shop, plan, { ...settings, methods }, undefined);
    expect(executions[0]).toMatchObject({
      simulation: null,
      error: expect.stringContaining('due'),
    });
    expect(executions[1]).toMatchObject({ error: null, simulation: { finished: true } });
  });

  it('ends with the reason of its signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const asked = { ...settings, methods: ['affected'] };
    await expect(executeSchedule(shop, plan, asked, signal)).rejects.toThrow('enough');
  });

  it('comes after the other stages, and leaves what they came to as it is', async () => {
    const execute = { ...settings, methods: ['affected'] };
    const result = await runPipeline(shop, planner([0, 10, 10]), { seed: 1, execute });
    expect(result).toMatchObject({
      status: 'ok',
      verdict: { makespan: 30 },
      executions: [{ method: 'affected', simulation: { report: { makespan: 32 } } }],
    });
    const wrong = planner([0, 9, 10]);
    expect(await runPipeline(shop, wrong, { seed: 1, execute })).toMatchObject({
      status: 'infeasible',
      executions: [],
    });
    const repaired = { seed: 1, execute, repair: { seed: 1 } };
    expect((await runPipeline(shop, wrong, repaired)).executions).toHaveLength(1);
    expect((await runPipeline(shop, planner([0, 10, 10]), { seed: 1 })).executions).toEqual([]);
  });
});
