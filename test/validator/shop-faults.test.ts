import { AlasError } from '@alas-jssp/core/errors';
import { createRandom } from '@alas-jssp/core/random';
import { describe, expect, it } from 'vitest';
import { shopCase } from '../../packages/lab/src/shops/cases.js';
import { modeNumbers } from '../../packages/lab/src/shops/instances.js';
import { judgePlain } from '../../packages/lab/src/shops/plain-judge.js';
import { planFaults, shopFaults } from '../../src/harness/index.js';
import type { FaultyPlan } from '../../src/harness/study/faults.js';
import { assignModes, type Instance } from '../../src/jssp/instance.js';
import { type Plan, planFromSchedule } from '../../src/jssp/plan.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { isClassic } from '../../src/jssp/shop-parts.js';
import { type Violation, validate } from '../../src/validator/index.js';

/** Valid plans of random shops, in instances with their modes chosen. */
const cases = Array.from({ length: 250 }, (_, seed) => shopCase(90_000 + seed)).flatMap(
  ({ shop, instance, plans }): { instance: Instance; valid: Plan }[] => {
    const plan = plans.find((one) => judgePlain(shop, one).length === 0);
    if (plan === undefined || isClassic(instance)) return [];
    const modes = modeNumbers(shop, plan.mode);
    const assigned = instance.modes === null ? instance : assignModes(instance, modes);
    const start = Int32Array.from(plan.start, (time) => time ?? -1);
    return [{ instance: assigned, valid: planFromSchedule(createSchedule(assigned, start)) }];
  },
);

/** Codes and operations of an expected violation, whatever else it names. */
function isFound(expected: string, violations: readonly Violation[]): boolean {
  const [code, first, second] = expected.split(' ');
  return violations.some((violation) => {
    if (violation.code !== code) return false;
    if (code.startsWith('unknown_') && code !== 'unknown_mode' && code !== 'unknown_machine') {
      return 'entry' in violation && violation.entry === Number(first);
    }
    const ops = [violation.scope.op, 'other' in violation ? violation.other : undefined];
    if (first === undefined || !/^\d+$/.test(first)) return true;
    return (
      ops.includes(Number(first)) && (code !== 'machine_overlap' || ops.includes(Number(second)))
    );
  });
}

describe.each(Object.entries({ ...planFaults, ...shopFaults }))('%s', (name, inject) => {
  it('is found in plans of shops with any parts', () => {
    const random = createRandom(name);
    let count = 0;
    for (const { instance, valid } of cases) {
      let faulty: FaultyPlan;
      try {
        faulty = inject(instance, valid, random);
      } catch (error) {
        if (error instanceof AlasError && error.code === 'no_place') continue;
        throw error;
      }
      const { plan, expected, bound } = faulty;
      const { violations } = validate(instance, plan, { bound });
      for (const one of expected) expect(isFound(one, violations), `${one}`).toBe(true);
      count++;
    }
    expect(count).toBeGreaterThan(0);
  });
});
