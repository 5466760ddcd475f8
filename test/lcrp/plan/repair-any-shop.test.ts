import { AlasError } from '@alas-jssp/core/errors';
import { createRandom } from '@alas-jssp/core/random';
import { describe, expect, it } from 'vitest';
import { shopCase } from '../../../packages/lab/src/shops/cases.js';
import type { Instance } from '../../../src/jssp/instance.js';
import { type Plan, planFromSchedule } from '../../../src/jssp/plan.js';
import { repairPlan } from '../../../src/lcrp/plan/repair-plan.js';
import { degradePlan } from '../../../src/pipeline/planners/degraded-planner.js';
import { dispatch } from '../../../src/search/index.js';
import { shopOracle } from '../../oracles/shop-oracle.js';

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
});
