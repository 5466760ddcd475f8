import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instanceFromJobs } from '../../src/jssp/instance.js';
import type { PlannerContext } from '../../src/jssp/planner.js';
import { runPipeline } from '../../src/pipeline/pipeline.js';
import { improvingPoints } from '../../src/pipeline/progress.js';

const instance = instanceFromJobs('two', [
  [
    [0, 3],
    [1, 2],
  ],
]);
/** A feasible plan that ends at a time from 5 on. */
const ending = (end: number) => ({
  entries: [
    { job: 0, step: 0, machine: 0, start: 0, end: 3 },
    { job: 0, step: 1, machine: 1, start: end - 2, end },
  ],
});
const infeasible = { entries: [] };

/** Runs a planner with something to tell on the way. */
function run(plan: (context: PlannerContext) => Promise<unknown>, planSignal?: AbortSignal) {
  const planner = { name: 'tells', plan: (_: unknown, context: PlannerContext) => plan(context) };
  return runPipeline(instance, planner as never, { seed: 1, planSignal });
}

describe('a planner at work', () => {
  it('hands over plans and bounds: the feasible and better ones are improvements', async () => {
    const { progress } = await run(async ({ onPlan, onLowerBound }) => {
      onLowerBound?.(3.9999999);
      onPlan?.(infeasible);
      for (const end of [9, 12, 7]) onPlan?.(ending(end));
      onLowerBound?.(2);
      onLowerBound?.(5);
      return ending(6);
    });
    expect(progress.claimedLowerBound).toBe(5);
    const better = improvingPoints(progress.points);
    expect(better.map(({ value, lowerBound }) => [value, lowerBound])).toEqual([
      [null, 4],
      [9, 4],
      [7, 4],
      [7, 5],
      [6, 5],
    ]);
    const seconds = better.map((point) => point.seconds);
    expect(seconds).toEqual(seconds.toSorted((one, other) => one - other));
  });

  it('may return any plan; if it is the last that it handed over, the best of them counts', async () => {
    const last = ending(9);
    const best = await run(async ({ onPlan }) => {
      onPlan?.(ending(7));
      onPlan?.(last);
      return last;
    });
    expect(best.verdict?.makespan).toBe(7);
    const own = await run(async ({ onPlan }) => {
      onPlan?.(ending(7));
      return ending(8);
    });
    expect(own.verdict?.makespan).toBe(8);
  });

  it('keeps what it handed over from what becomes of the object later', async () => {
    const plan = ending(7);
    const { plan: kept } = await run(async ({ onPlan }) => {
      onPlan?.(plan);
      plan.entries.length = 0;
      return plan;
    });
    expect(kept).toMatchObject(ending(7));
  });

  it('that is stopped has the best feasible plan so far, or fails with the reason', async () => {
    const stopped = (tell: (context: PlannerContext) => void) => {
      const controller = new AbortController();
      return run(async (context) => {
        tell(context);
        controller.abort(new Error('stopped after 2 s'));
        throw new Error('cannot go on');
      }, controller.signal);
    };
    const some = await stopped(({ onPlan }) => {
      for (const end of [8, 6, 7]) onPlan?.(ending(end));
    });
    expect([some.status, some.verdict?.makespan]).toEqual(['ok', 6]);
    const none = await stopped(({ onPlan }) => onPlan?.(infeasible));
    expect([none.status, none.error]).toEqual(['error', 'stopped after 2 s']);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '7', undefined])(
    'is refused %s as a bound',
    async (value) => {
      const { error } = await run(async ({ onLowerBound }) => onLowerBound?.(value as number));
      expect(error).toContain('as a lower bound; state a number');
    },
  );
});

describe('improving points', () => {
  it('get better with each, and pass over bounds above a schedule that is known', () => {
    const number = fc.option(fc.nat(20), { nil: null });
    const point = fc.record({ seconds: fc.nat(9), value: number, lowerBound: number });
    fc.assert(
      fc.property(fc.array(point), fc.nat(20), (points, ceiling) => {
        const better = improvingPoints(points, ceiling);
        for (const [i, { value, lowerBound }] of better.entries()) {
          expect(lowerBound ?? 0).toBeLessThanOrEqual(ceiling);
          const before = better[i - 1] ?? { value: null, lowerBound: null };
          const isLower = value !== null && value < (before.value ?? Number.POSITIVE_INFINITY);
          const isHigher = lowerBound !== null && lowerBound > (before.lowerBound ?? -1);
          expect(isLower || isHigher).toBe(true);
        }
        const values = points.flatMap(({ value }) => value ?? []);
        const least = values.length === 0 ? null : Math.min(...values);
        expect(better.at(-1)?.value ?? null).toBe(least);
      }),
    );
  });
});
