import { expect, it } from 'vitest';
import { changePolicy, defaultPolicy } from '../../../../src/lcrp/policy/policy.js';
import { clampPolicy } from '../../src/shops/policy-limits.js';

const shop = { operations: 100 };

it('a policy that takes a search to keep, such as one with pins, has a limit of seconds', () => {
  const limits = [
    { pinned: [{ job: 0, step: 0 }] },
    { notBefore: 10 },
    { mostEdited: 3 },
    { untouchableMachines: [1] },
  ];
  for (const one of limits) {
    const { policy, clamped } = clampPolicy(changePolicy(defaultPolicy, { limits: one }), 5, shop);
    expect(policy.budget).toMatchObject({ seconds: 5, evaluations: 100_000 });
    expect(policy.limits).toMatchObject(one);
    expect(clamped).toEqual([{ setting: 'budget.seconds', asked: null, used: 5 }]);
  }
  expect(clampPolicy(defaultPolicy, 5, shop)).toEqual({ policy: defaultPolicy, clamped: [] });
});
