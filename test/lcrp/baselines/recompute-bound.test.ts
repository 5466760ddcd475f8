import { expect, test } from 'vitest';
import { lowerBound } from '../../../src/jssp/bounds.js';
import { generateRandom } from '../../../src/jssp/generator.js';
import { findMethod } from '../../../src/lcrp/baselines/find-method.js';
import { repair } from '../../../src/lcrp/engine.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';

test.each([true, false])(
  'a recompute after all machines are down ends at the bound that knows of it, resumable: %s',
  async (resumable) => {
    const instance = generateRandom({ jobs: 40, machines: 4, seed: 1 });
    const schedule = dispatch(instance, { rule: 'mwkr' });
    const events = [0, 1, 2, 3].map((machine) => {
      return { kind: 'breakdown', machine, from: 300, to: 450, resumable } as const;
    });
    const policy = { fallback: { degradation: 0, iterations: 1_000_000 } };
    const method = findMethod('recompute');
    const repaired = await repair({ schedule, events, now: 300 }, policy, { method });
    expect(repaired.schedule.makespan).toBe(lowerBound(repaired.schedule.instance).value);
    expect(repaired.evaluations).toBeLessThan(1_000_000);
  },
);
