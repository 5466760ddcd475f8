import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInstance, type Instance, instanceFromJobs } from '../../../src/jssp/instance.js';
import { type Plan, planFromSchedule, scheduleFromPlan } from '../../../src/jssp/plan.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { resolveSources } from '../../../src/jssp/suites.js';
import { planPolicy, repairPlan } from '../../../src/lcrp/plan/repair-plan.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import { dispatch, dispatchBest } from '../../../src/search/construct/dispatch.js';
import { validate } from '../../../src/validator/index.js';
import { equip, everyFault, faults } from '../../plan-faults.js';
import { arbitraryExecution } from '../../search/arbitrary-execution.js';
import { arbitraryCase, arbitraryPlan } from '../../validator/arbitraries.js';

const context = { seed: 3 };
/** Leaves the schedule as it is made of the claims. */
const noReordering = policy(planPolicy, { budget: { passes: 0 } });
const nothing = { entries: [] };
const noDrops = {
  unknown_job: 0,
  unknown_step: 0,
  duplicate_operation: 0,
  negative_time: 0,
  absurd_time: 0,
};

/** An instance, perhaps in execution, and a plan for it with anything wrong. */
const arbitraryDamage = arbitraryExecution({ downtimes: true }).chain((instance) => {
  const { start } = dispatch(instance, { rule: 'random', seed: instance.operations });
  return fc.tuple(fc.constant(instance), arbitraryPlan(instance, start));
});

describe('the repair of a plan', () => {
  it('makes a feasible schedule of anything, and the same one every time; reordering only improves it', async () => {
    let better = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryDamage, async ([instance, plan]) => {
        const repair = await repairPlan(instance, plan, context);
        expect(validate(instance, repair.schedule).violations).toEqual([]);
        expect(repair.feasible).toBe(true);
        expect(repair.schedule.makespan).toBeLessThanOrEqual(repair.rebuilt.makespan);
        if (repair.schedule.makespan < repair.rebuilt.makespan) better++;
        expect(repair.inserted).toBe(Math.round(instance.operations * (1 - repair.seedCoverage)));
        expect(await repairPlan(instance, plan, context)).toEqual(repair);
      }),
      { numRuns: 600 },
    );
    expect(better).toBeGreaterThan(20);
  });

  it('reports violated limits, and violates nothing else', async () => {
    const damaged = arbitraryCase.chain(({ instance, starts }) =>
      fc.tuple(fc.constant(instance), arbitraryPlan(instance, starts)),
    );
    await fc.assert(
      fc.asyncProperty(damaged, async ([instance, plan]) => {
        const { schedule, feasible } = await repairPlan(instance, plan, context);
        const { valid, violations } = validate(instance, schedule);
        expect(feasible).toBe(valid);
        const isFixed = (op: number | undefined) => (instance.frozen?.[op ?? -1] ?? -1) >= 0;
        for (const { code, scope } of violations) {
          if (code === 'job_precedence') expect(isFixed(scope.op)).toBe(true);
          else expect(['deadline', 'below_lower_bound']).toContain(code);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('returns start times that break no rule as they are, whatever else the plan claims', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryExecution({ downtimes: true }),
        fc.nat(9),
        fc.boolean(),
        async (instance, delay, lies) => {
          const late = dispatch(instance, { rule: 'mwkr' }).start.map((time) => time + delay);
          fc.pre(validate(instance, createSchedule(instance, late)).valid);
          const plan = planFromSchedule(createSchedule(instance, late));
          const entries = plan.entries.map((entry) => (lies ? { ...entry, end: 7.5 } : entry));
          const repair = await repairPlan(instance, { entries: entries.reverse() }, context);
          expect(repair.schedule.start).toEqual(late);
          expect(repair.seedCoverage).toBe(1);
          expect(repair.keptOrder ?? 1).toBe(1);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('keeps the claimed order of all pairs where every job is planned in its order', async () => {
    const gaps = fc.infiniteStream(fc.nat(30));
    await fc.assert(
      fc.asyncProperty(arbitraryExecution(), gaps, async (instance, gap) => {
        fc.pre(instance.frozen === null);
        const { repair } = await repairWithGaps(instance, gap);
        expect(repair.keptOrder ?? 1).toBe(1);
      }),
      { numRuns: 300 },
    );
  });

  it('answers an empty plan with the schedule of a heuristic, and says that it was empty', async () => {
    const [{ load }] = resolveSources('la21');
    const instance = load();
    const repair = await repairPlan(instance, nothing, context);
    expect(repair).toMatchObject({
      feasible: true,
      seedCoverage: 0,
      keptOrder: null,
      dropped: noDrops,
      inserted: 150,
    });
    expect(repair.schedule.makespan).toBeLessThanOrEqual(
      dispatchBest(instance, context.seed).schedule.makespan,
    );
  });

  it('reports what it dropped, corrected and added', async () => {
    const instance = instanceFromJobs('tiny', [
      [
        [0, 3],
        [1, 2],
      ],
      [
        [1, 4],
        [0, 1],
      ],
    ]);
    const plan: Plan = {
      makespan: 1,
      entries: [
        { job: 0, step: 0, machine: 1, start: 0, end: 3 },
        { job: 0, step: 1, machine: 1, start: 3, end: 9 },
        { job: 1, step: 0, machine: 1, start: 2.5, end: 6.5 },
        { job: 1, step: 0, machine: 1, start: 0, end: 4 },
        { job: 1, step: 1, machine: 0, start: -1, end: 0 },
        { job: 1, step: 1, machine: 0, start: Number.NaN, end: 0 },
        { job: 1, step: 2, machine: 0, start: 0, end: 0 },
        { job: 2, step: 0, machine: 0, start: 0, end: 0 },
        { job: 0.5, step: 0, machine: 0, start: 0, end: 0 },
      ],
    };
    const { schedule, ...rest } = await repairPlan(instance, plan, context);
    expect([...schedule.start]).toEqual([0, 4, 0, 4]);
    expect(rest).toEqual({
      feasible: true,
      seedCoverage: 0.75,
      keptOrder: 1,
      rebuilt: { makespan: 6, keptOrder: 1 },
      evaluations: 0,
      dropped: {
        unknown_job: 2,
        unknown_step: 1,
        duplicate_operation: 1,
        negative_time: 1,
        absurd_time: 1,
      },
      corrected: { machines: 1, ends: 1 },
      inserted: 1,
    });
  });

  it('moves late operations forward to keep deadlines, and searches if that is not enough', async () => {
    const jobs = instanceFromJobs('urgent', [[[0, 5]], [[0, 5]], [[0, 5]]]);
    const urgent = createInstance({ ...jobs, deadline: Int32Array.of(15, 10, 5) });
    const asGiven = planFromSchedule(createSchedule(jobs, Int32Array.of(0, 5, 10)));
    const { schedule, feasible, keptOrder } = await repairPlan(urgent, asGiven, context);
    expect([...schedule.start]).toEqual([10, 5, 0]);
    expect([feasible, keptOrder]).toEqual([true, 0]);
    const hopeless = createInstance({ ...jobs, deadline: Int32Array.of(5, 5, 5) });
    expect((await repairPlan(hopeless, asGiven, context)).feasible).toBe(false);
  });

  it('keeps fixed starts that are still to come, whatever is claimed for them', async () => {
    const jobs = instanceFromJobs('pinned', [[[0, 5]], [[0, 5]], [[0, 5]]]);
    const pinned = createInstance({ ...jobs, frozen: Int32Array.of(-1, 6, -1) });
    const plan = planFromSchedule(createSchedule(jobs, Int32Array.of(5, 0, 10)));
    const { schedule } = await repairPlan(pinned, plan, context);
    expect([...schedule.start]).toEqual([0, 6, 11]);
  });
});

/** A repair of a plan in which jobs do their steps in order and machines may overlap. */
async function repairWithGaps(instance: Instance, gaps: Iterator<number>) {
  const { operations, jobOf, duration } = instance;
  const start = new Int32Array(operations);
  for (let op = 0; op < operations; op++) {
    const isFirst = op === 0 || jobOf[op] !== jobOf[op - 1];
    start[op] = (isFirst ? 0 : start[op - 1] + duration[op - 1]) + gaps.next().value;
  }
  const plan = planFromSchedule({ ...createSchedule(instance, start), start });
  return { repair: await repairPlan(instance, plan, context, noReordering) };
}

const equipped = resolveSources('ft06,la03,la21,abz7,swv01').map(({ name, load }) => ({
  name,
  ...equip(load(), createRandom(deriveSeed('equip', name))),
}));

describe.each(equipped)('the repair of plans for $name in execution', ({ instance, valid }) => {
  it.each(Object.entries(faults))('%s', async (name, inject) => {
    const random = createRandom(deriveSeed('repair', name));
    for (let i = 0; i < 3; i++) {
      const { plan } = inject(instance, valid, random);
      const { schedule, keptOrder } = await repairPlan(instance, plan, context);
      expect(validate(instance, schedule).violations).toEqual([]);
      expect(keptOrder).toBeGreaterThan(0.8);
    }
  });

  it('every fault at once', async () => {
    const plan = everyFault(instance, valid, createRandom(1));
    expect(validate(instance, plan).total).toBeGreaterThan(20);
    const { schedule } = await repairPlan(instance, plan, context);
    expect(validate(instance, schedule).violations).toEqual([]);
  });

  it('nothing', async () => {
    const { schedule } = await repairPlan(instance, nothing, context);
    expect(validate(instance, schedule).violations).toEqual([]);
  });

  it('a schedule in the place of a plan', async () => {
    const starts = scheduleFromPlan(instance, valid).start.map(() => 0);
    const { schedule } = await repairPlan(instance, createSchedule(instance, starts), context);
    expect(validate(instance, schedule).violations).toEqual([]);
  });
});
