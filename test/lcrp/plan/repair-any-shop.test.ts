import { AlasError } from '@alas-jssp/core/errors';
import { createRandom } from '@alas-jssp/core/random';
import { describe, expect, it } from 'vitest';
import { shopCase } from '../../../packages/lab/src/shops/cases.js';
import { createInstance, type Instance, replaceInstance } from '../../../src/jssp/instance.js';
import { type Plan, planFromSchedule } from '../../../src/jssp/plan.js';
import { repairPlan } from '../../../src/lcrp/plan/repair-plan.js';
import { degradePlan } from '../../../src/pipeline/planners/degraded-planner.js';
import { dispatch } from '../../../src/search/index.js';
import { shopOracle } from '../../oracles/shop-oracle.js';
import { anySchedule, randomShop } from '../reassign/random-shop.js';

/** Schedules by a rule of random shops with every feature, a third of them in execution. */
const schedules = Array.from({ length: 150 }, (_, seed) => shopCase(seed)).flatMap(
  ({ instance }) => {
    try {
      return [dispatch(instance, { rule: 'mwkr' })];
    } catch (error) {
      if (error instanceof AlasError) return [];
      throw error;
    }
  },
);

async function repaired(instance: Instance, plan: Plan) {
  const { schedule, feasible, ...rest } = await repairPlan(instance, plan, { seed: 1 });
  const violations = shopOracle(instance, schedule.start, schedule.mode);
  expect(feasible ? violations : 'violations').toEqual(feasible ? [] : 'violations');
  expect(violations.length > 0 || feasible).toBe(true);
  return { schedule, feasible, ...rest };
}

describe('the repair of a plan of a shop with alternatives, setups, graphs and operators', () => {
  it('leaves a valid plan as it is', async () => {
    for (const schedule of schedules) {
      if (shopOracle(schedule.instance, schedule.start, schedule.mode).length > 0) continue;
      const { schedule: kept } = await repaired(schedule.instance, planFromSchedule(schedule));
      expect(kept.start).toEqual(schedule.start);
      expect(kept.mode).toEqual(schedule.mode);
    }
  });

  it('makes a schedule of any plan, judged by an oracle', async () => {
    let feasible = 0;
    for (const [i, schedule] of schedules.entries()) {
      const { instance } = schedule;
      const { plan } = degradePlan(instance, planFromSchedule(schedule), 0.4, createRandom(i));
      if ((await repaired(instance, plan)).feasible) feasible++;
      if ((await repaired(instance, { entries: [] })).feasible) feasible++;
    }
    // Deadlines and greatest waiting times of random shops may have no schedule at all.
    expect(feasible).toBeGreaterThan(1.6 * schedules.length);
  });

  it('moves work to other machines where that shortens what a wrong machine made longer', async () => {
    let shorter = 0;
    let repairedPlans = 0;
    for (let seed = 0; seed < 60; seed++) {
      const { instance, ...schedule } = anySchedule(
        replaceInstance(randomShop(seed, false), { due: null, weight: null, deadline: null }),
      );
      if (instance.modes === null) continue;
      const valid = planFromSchedule({ instance, ...schedule });
      const { plan } = degradePlan(instance, valid, 0.3, createRandom(seed));
      const { schedule: found, rebuilt } = await repaired(instance, plan);
      repairedPlans++;
      expect(found.makespan).toBeLessThanOrEqual(rebuilt.makespan);
      if (found.makespan < rebuilt.makespan) shorter++;
    }
    expect(repairedPlans).toBeGreaterThan(10);
    // The others already keep the promise of the plan, which is that of a rule.
    expect(shorter).toBeGreaterThan(repairedPlans / 10);
  });

  it('moves the work of a machine that was claimed for everything', async () => {
    const instance = createInstance({
      name: 'two lathes',
      machines: 2,
      jobOffset: Int32Array.of(0, 1, 2, 3, 4),
      machine: new Int32Array(4),
      duration: new Int32Array(4).fill(10),
      modes: {
        offset: Int32Array.of(0, 2, 4, 6, 8),
        machine: Int32Array.of(0, 1, 0, 1, 0, 1, 0, 1),
        duration: new Int32Array(8).fill(10),
        chosen: Int32Array.of(0, 2, 4, 6),
      },
      setups: {
        families: 1,
        family: new Int32Array(4),
        matrixOf: Int32Array.of(0, 0),
        time: Int32Array.of(1),
        first: Int32Array.of(2),
        anticipatory: Uint8Array.of(1, 1),
      },
    });
    const entries = [0, 1, 2, 3].map((job) => {
      const start = job < 2 ? 2 : 13;
      return { job, step: 0, machine: 0, start, end: start + 10 };
    });
    const { schedule, rebuilt } = await repaired(instance, { entries });
    // On one machine: 2 + 4 × 10 + 3 × 1; on two: 2 + 2 × 10 + 1.
    expect(rebuilt.makespan).toBe(45);
    expect(schedule.makespan).toBe(23);
    expect([...(schedule.mode ?? [])].filter((mode) => mode % 2 === 1)).toHaveLength(2);
  });
});
