import { describe, expect, it } from 'vitest';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { rightShift } from '../../../src/lcrp/baselines/right-shift.js';
import { createRepairEngine, repair } from '../../../src/lcrp/engine.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import { defaultPolicy, type PolicyChanges, policies } from '../../../src/lcrp/policy/policy.js';
import { simulate } from '../../../src/lcrp/simulation/simulate.js';
import { messageOf } from '../../jssp/formats/refusal.js';

describe('a policy', () => {
  it('is the default one, a named one or any other, with changes however deep', () => {
    expect(policy()).toEqual(defaultPolicy);
    expect(policy('high-stability')).toEqual(policies['high-stability']);
    expect(policy({ limits: { mostChanged: 5 } })).toEqual({
      ...defaultPolicy,
      limits: { ...defaultPolicy.limits, mostChanged: 5 },
    });
    const careful = policy('high-stability', { budget: { passes: 2 }, objective: undefined });
    expect(careful.cost).toEqual(policies['high-stability'].cost);
    expect(careful.budget).toEqual({ ...defaultPolicy.budget, passes: 2 });
    expect(careful.objective).toBeNull();
    expect(policy(careful, { target: 0.5 })).toEqual({ ...careful, target: 0.5 });
  });

  it('takes a budget as searches do, and in its own words', () => {
    const budgetOf = (budget: PolicyChanges['budget']) => policy({ budget }).budget;
    const { budget } = defaultPolicy;
    expect(budgetOf('20ms')).toEqual({ ...budget, seconds: 0.02 });
    expect(budgetOf('5k-iterations,target:9')).toEqual({ ...budget, evaluations: 5000, target: 9 });
    expect(budgetOf({ iterations: 300 })).toEqual({ ...budget, evaluations: 300 });
    expect(budgetOf({ evaluations: 300, seconds: null })).toEqual({ ...budget, evaluations: 300 });
    expect(messageOf(() => policy({ budget: '20' }))).toBe(
      '$.policy.budget: this is "20"; write it like 10s, 2m, 200k-iterations or target:1234',
    );
  });

  it.each([
    [
      { limit: {} },
      '$.policy: the key "limit" is unknown; give an object with any of the keys objective, tieBreak, cost, radius, target, budget, fallback, limits, estimates, methods, approval',
    ],
    [
      { limits: { mostchanged: 5 } },
      '$.policy.limits: the key "mostchanged" is unknown; give an object with any of the keys mostChanged, mostEdited, notBefore, pinned, untouchableMachines',
    ],
    [
      { limits: { mostChanged: -1 } },
      '$.policy.limits.mostChanged: this is -1; give a whole number from 0',
    ],
    [{ target: Number.NaN }, '$.policy.target: this is NaN; give a number from 0 to 1'],
    [
      { limits: { pinned: [4] } },
      '$.policy.limits.pinned[0]: this is 4; give an object with the keys job and step',
    ],
    [
      { radius: { first: 200 } },
      '$.policy.radius: the first radius is 200 and the most 100; give a first one that is not larger',
    ],
    [
      null,
      '$.policy: this is null; give an object with any of the keys objective, tieBreak, cost, radius, target, budget, fallback, limits, estimates, methods, approval',
    ],
  ])('%j is refused', (changes, message) => {
    expect(messageOf(() => policy(changes as PolicyChanges))).toBe(message);
  });

  it('must have a known name', () => {
    expect(messageOf(() => policy('stable'))).toBe(
      "there is no policy 'stable'; use one of default, high-stability",
    );
  });
});

describe('limits for a shop', () => {
  const shop = instanceFromJobs('shop', [
    [
      [0, 3],
      [1, 2],
    ],
    [[1, 4]],
  ]);
  const schedule = createSchedule(shop, Int32Array.of(0, 4, 0));

  it.each([
    [
      {
        pinned: [
          { job: 1, step: 0 },
          { job: 1, step: 1 },
        ],
      },
      '$.policy.limits.pinned[1].step: this is 1, which does not exist; job 1 of shop has the steps 0 to 0',
    ],
    [
      { pinned: [{ job: 2, step: 0 }] },
      '$.policy.limits.pinned[0].job: this is 2, which does not exist; shop has the jobs 0 to 1',
    ],
    [
      { untouchableMachines: [0, 2] },
      '$.policy.limits.untouchableMachines[1]: this is 2, which does not exist; use 0 to 1',
    ],
  ])('name what it has: %j is refused at every entry point', async (limits, message) => {
    const changes = { limits };
    expect(messageOf(() => createRepairEngine(schedule, changes))).toBe(message);
    const refused = { code: 'bad_policy', message };
    const disturbed = { schedule, events: [], now: 0 };
    await expect(repair(disturbed, changes)).rejects.toMatchObject(refused);
    const run = simulate({ schedule, events: [], method: rightShift, policy: changes });
    await expect(run).rejects.toMatchObject(refused);
  });

  it('may name what an event cancels later: an engine then has nothing to keep', async () => {
    const engine = createRepairEngine(schedule, { limits: { pinned: [{ job: 0, step: 1 }] } });
    const { instance } = (await engine.handle([{ kind: 'cancellation', job: 0 }], 1)).schedule;
    expect(instance.operations).toBe(2);
    const breakdown = { kind: 'breakdown', machine: 1, from: 2, to: 5 } as const;
    expect((await engine.handle([breakdown], 2)).schedule.start).toEqual(Int32Array.of(0, 0));
  });
});
