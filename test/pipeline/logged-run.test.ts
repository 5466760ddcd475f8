import { parseBudget } from '@alas-jssp/core/stopping';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemoryStore,
  type LogStore,
  replayRun,
  stateOfRun,
} from '../../packages/workflow/src/index.js';
import { createInstance, instanceFromJobs } from '../../src/jssp/instance.js';
import type { Candidate } from '../../src/jssp/plan.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { VARIANTS } from '../../src/pipeline/blueprint/spec.js';
import { createValueCodec } from '../../src/pipeline/codecs.js';
import { type PipelineContext, runPipeline } from '../../src/pipeline/pipeline.js';
import { createPlanner } from '../../src/pipeline/planners/planners.js';
import { createReplayRegistry } from '../../src/pipeline/replay-registry.js';
import { dispatch } from '../../src/search/construct/dispatch.js';
import { validate } from '../../src/validator/index.js';
import { arbitraryExecution } from '../search/arbitrary-execution.js';
import { arbitraryPlan } from '../validator/arbitraries.js';

const damaged = arbitraryExecution({ downtimes: true }).chain((instance) =>
  fc.tuple(
    fc.constant(instance),
    arbitraryPlan(instance, dispatch(instance, { rule: 'spt' }).start),
  ),
);
const full: PipelineContext = {
  seed: 1,
  repair: { seed: 2 },
  optimize: { budget: parseBudget('100-iterations'), seed: 3 },
};
const answering = (plan: Candidate) => ({ name: 'answers', plan: async () => plan });

async function outcome(...of: Parameters<typeof runPipeline>) {
  // What was seen by the clock.
  const { seconds, progress, ...rest } = await runPipeline(...of);
  return rest;
}

/** A store that breaks off after so many entries. */
function breaking(store: LogStore, entries: number): LogStore {
  let left = entries;
  const append: LogStore['append'] = (all, options) => {
    left -= all.length;
    if (left < 0) throw new Error('the power is cut');
    return store.append(all, options);
  };
  return { ...store, append };
}

describe('a pipeline with a log', () => {
  it('comes to the same as without, and its log replays with parity', async () => {
    const cases = fc.tuple(damaged, fc.constantFrom(...VARIANTS));
    await fc.assert(
      fc.asyncProperty(cases, async ([[instance, plan], variant]) => {
        const store = createMemoryStore();
        const log = { store, runId: 'r' };
        const logged = await outcome(instance, answering(plan), { ...full, variant, log });
        expect(logged).toEqual(await outcome(instance, answering(plan), { ...full, variant }));
        const registry = createReplayRegistry(stateOfRun(store, 'r').input, () => instance);
        expect(await replayRun(store, 'r', { registry })).toMatchObject({ parity: true });
      }),
      { numRuns: 30 },
    );
  });

  it('goes on from any entry at which it was cut off, without repeating what was completed', async () => {
    const instance = instanceFromJobs('three', [[[0, 3]], [[0, 4]], [[1, 9]]]);
    const plan = { entries: [{ job: 0, step: 0, machine: 0, start: 50, end: 53 }] };
    const whole = createMemoryStore();
    const expected = await outcome(instance, answering(plan), {
      ...full,
      log: { store: whole, runId: 'r' },
    });
    // The first is written with the lease.
    const entries = [...whole.read({ runId: 'r' })].length - 1;
    for (let cut = 1; cut <= entries; cut++) {
      const store = createMemoryStore();
      const log = { store: breaking(store, cut), runId: 'r' };
      const first = runPipeline(instance, answering(plan), { ...full, log });
      if (cut < entries) await expect(first).rejects.toThrow('the power is cut');
      else await first;
      const planned = stateOfRun(store, 'r').nodes.get('plan')?.status === 'done';
      let asked = 0;
      const count = async () => {
        asked++;
        return plan;
      };
      const planner = { name: 'answers', plan: count };
      const again = { ...full, log: { store, runId: 'r', resume: true } };
      expect(await outcome(instance, planner, again)).toEqual(expected);
      expect(asked).toBe(planned ? 0 : 1);
      expect(store.runs()).toEqual(['r']);
    }
  });

  it('makes a run again that ended with an error, that is another, or that nobody resumes', async () => {
    const instance = instanceFromJobs('tiny', [[[0, 3]], [[0, 4]]]);
    const store = createMemoryStore();
    const log = { store, runId: 'r', resume: true };
    const failing = {
      name: 'answers',
      plan: async () => {
        throw new Error('not now');
      },
    };
    const right = answering(createSchedule(instance, Int32Array.of(0, 3)));
    expect(await runPipeline(instance, failing, { seed: 1, log })).toMatchObject({
      status: 'error',
      error: 'not now',
    });
    expect(await runPipeline(instance, right, { seed: 1, log })).toMatchObject({ status: 'ok' });
    expect(store.runs()).toEqual(['r', 'r~2']);
    await runPipeline(instance, right, { seed: 2, log });
    await runPipeline(instance, right, { seed: 2, log: { store, runId: 'r' } });
    expect(store.runs()).toEqual(['r', 'r~2', 'r~3', 'r~4']);
  });

  it('replays the planners of this package, too, and refuses other numbers', async () => {
    const instance = instanceFromJobs('tiny', [[[0, 3]], [[0, 4]]]);
    const store = createMemoryStore();
    const planner = createPlanner('dispatch:random');
    await runPipeline(instance, planner, { seed: 1, log: { store, runId: 'r' } });
    const { input } = stateOfRun(store, 'r');
    const registry = createReplayRegistry(input, () => instance);
    expect(await replayRun(store, 'r', { registry })).toMatchObject({ parity: true, rerun: 3 });
    const other = instanceFromJobs('tiny', [[[0, 3]], [[0, 5]]]);
    expect(() => createReplayRegistry(input, () => other)).toThrow('other numbers');
  });
});

describe('rounds of repair', () => {
  it('end with the last one that is allowed, and each has a seed of its own', async () => {
    const tiny = instanceFromJobs('tiny', [[[0, 3]], [[0, 4]]]);
    const hopeless = createInstance({ ...tiny, deadline: Int32Array.of(3, 4) });
    const plan = createSchedule(hopeless, Int32Array.of(1, 0));
    for (const rounds of [1, 3]) {
      const repair = { seed: 2, rounds };
      expect(await runPipeline(hopeless, answering(plan), { seed: 1, repair })).toMatchObject({
        status: 'infeasible',
        stages: { repair: { rounds, feasible: false, keptOrder: 0 } },
      });
    }
  });
});

describe('the codec of values', () => {
  const tiny = instanceFromJobs('tiny', [[[0, 3]], [[0, 4]]]);
  const codec = createValueCodec(tiny);
  const through = (value: unknown) => codec.decode(JSON.parse(JSON.stringify(codec.encode(value))));

  it('brings back whatever an untrusted plan and its verdict may hold', () => {
    fc.assert(
      fc.property(damaged, ([instance, plan]) => {
        const report = validate(instance, plan);
        expect(through({ plan, report })).toEqual({ plan, report });
      }),
    );
    fc.assert(
      fc.property(fc.object({ withNullPrototype: false }), (value) => {
        const known = JSON.parse(JSON.stringify(value));
        expect(through(known)).toEqual(known);
      }),
    );
    const odd = { makespan: Number.NaN, $schedule: [1], entries: [{ start: -Infinity }] };
    expect(through(odd)).toEqual(odd);
  });

  it('makes schedules of the instance again', () => {
    const schedule = createSchedule(tiny, Int32Array.of(0, 3));
    expect(through({ candidate: schedule })).toEqual({ candidate: schedule });
  });
});
