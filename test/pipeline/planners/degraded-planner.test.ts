import { describe, expect, it } from 'vitest';
import { isSchedule, type Plan } from '../../../src/jssp/plan.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import { createPlanner, isSyntheticPlanner } from '../../../src/pipeline/planners/planners.js';
import { validate } from '../../../src/validator/index.js';
import { plainPlanner } from './plain-planner.js';

const instance = resolveSource('ft06').load();

async function planOf(spec: string, seed: number): Promise<Plan> {
  const candidate = await plainPlanner(spec).plan(instance, { seed });
  if (isSchedule(candidate)) throw new Error('a degraded plan is no schedule');
  return candidate;
}

describe('a degraded planner', () => {
  it.each([
    ['degraded:0.1', 'degraded:0.1'],
    ['degraded:.10:dispatch:best', 'degraded:0.1'],
    ['degraded:1:INSERTION', 'degraded:1:insertion'],
    ['degraded:0:dispatch:mwkr:active', 'degraded:0:dispatch:mwkr:active'],
  ])('has one name: %s', (spec, name) => {
    expect(createPlanner(spec).name).toBe(name);
    expect(isSyntheticPlanner(name)).toBe(true);
  });

  it('plans what the heuristic plans, but for its faults, which depend on the seed', async () => {
    const { makespan } = validate(instance, await planOf('degraded:0:insertion', 1));
    const heuristic = await plainPlanner('insertion').plan(instance, { seed: 1 });
    expect(makespan).toBe(validate(instance, heuristic).makespan);
    const faulty = await planOf('degraded:0.2', 1);
    expect(validate(instance, faulty).valid).toBe(false);
    expect(await planOf('degraded:0.2', 1)).toEqual(faulty);
    expect(await planOf('degraded:0.2', 2)).not.toEqual(faulty);
  });

  it.each([
    ['degraded:', "'' is no share"],
    ['degraded:1.5', "'1.5' is no share"],
    ['degraded:much:insertion', "'much' is no share"],
    ['degraded:0.1:file:x.json', "no heuristic 'file:x.json'"],
    ['degraded:0.1:dispatch:no-rule', 'no-rule'],
  ])('refuses %s', (spec, message) => {
    expect(() => createPlanner(spec)).toThrow(message);
  });
});
