import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import { defaultPolicy, policies } from '../../../src/lcrp/policy/policy.js';
import { parsePolicy, resolvePolicy } from '../../../src/lcrp/policy/policy-file.js';
import { temporaryDirectory } from '../../temporary-directory.js';

const schema = 'alas-jssp/policy@1';
const shop = instanceFromJobs('shop', [
  [
    [0, 3],
    [1, 2],
  ],
  [[1, 4]],
]);

const parse = (document: object) =>
  parsePolicy(new TextEncoder().encode(JSON.stringify(document)), shop, 'my.json');

describe('a policy file', () => {
  it('takes omitted parts from its base', () => {
    expect(parse({ schema })).toEqual(defaultPolicy);
    expect(parse({ schema, objective: null })).toEqual(parse({ schema }));
    expect(parse({ schema, base: 'high-stability' })).toEqual(policies['high-stability']);
    expect(parse({ schema, cost: { rank_change: 0.01 }, budget: { seconds: 0.02 } })).toEqual(
      policy({ cost: { rankChange: 0.01 }, budget: { seconds: 0.02 } }),
    );
  });

  it('may be a text as well as its bytes, and nothing else', () => {
    const text = JSON.stringify({ schema, objective: 'total-weighted-tardiness' });
    expect(parsePolicy(text, shop)).toEqual(parsePolicy(new TextEncoder().encode(text), shop));
    expect(() => parsePolicy({} as never, shop)).toThrow('policy: this is no text (object)');
  });

  it('names jobs, steps and machines as the shop does', () => {
    const names = {
      jobs: ['WO-1', 'WO-2'],
      machines: ['Saw', 'Mill'],
      operations: Array.from({ length: shop.operations }, () => 'turning'),
    };
    const named = replaceInstance(shop, { names });
    const limitsOf = (step: string, job: string) => {
      const limits = { pinned: [{ job, step }], untouchable_machines: ['Mill'] };
      return parsePolicy(JSON.stringify({ schema, limits }), named).limits;
    };
    const limits = { pinned: [{ job: 0, step: 1 }], untouchableMachines: [1] };
    expect(limitsOf('turning (2)', 'WO-1')).toMatchObject(limits);
    expect(limitsOf('turning (2)', 'Job1')).toMatchObject(limits);
    expect(() => limitsOf('turning', 'WO-1')).toThrow(
      '$.limits.pinned[0].step: this is "turning", of which there are 2; say which: turning (1), turning (2)',
    );
  });

  it('may contain every key', () => {
    expect(
      parse({
        schema,
        base: 'default',
        objective: 'total-weighted-tardiness',
        tie_break: true,
        cost: { rank_change: 0, moved_earlier: 0.5, reassigned: 0.01 },
        radius: { first: 1, most: 2 },
        target: 0.5,
        budget: { passes: 1, evaluations: 2, seconds: null },
        fallback: { degradation: 0.1, iterations: 1000 },
        limits: {
          most_changed: 5,
          most_edited: 9,
          not_before: 30,
          pinned: [
            { job: 'Job1', step: 2 },
            { job: 2, step: 1 },
          ],
          untouchable_machines: ['Machine1', 0],
        },
        estimates: { breakdown: 40 },
      }),
    ).toEqual({
      objective: 'total-weighted-tardiness',
      tieBreak: true,
      cost: { rankChange: 0, movedEarlier: 0.5, reassigned: 0.01 },
      radius: { first: 1, most: 2 },
      target: 0.5,
      budget: { passes: 1, evaluations: 2, seconds: null },
      fallback: { degradation: 0.1, iterations: 1000 },
      limits: {
        mostChanged: 5,
        mostEdited: 9,
        notBefore: 30,
        pinned: [
          { job: 0, step: 1 },
          { job: 1, step: 0 },
        ],
        untouchableMachines: [1, 0],
      },
      estimates: { breakdown: 40 },
      methods: ['lcrp', 'affected', 'right-shift'],
      approval: null,
    });
  });

  it.each([
    [{}, '$.schema: this is missing; give "alas-jssp/policy@1", and use that format'],
    [
      { schema, costs: {} },
      '$: the key "costs" is unknown; give an object with any of the keys schema, base, objective, tie_break, cost, radius, target, budget, fallback, limits, estimates, methods, approval',
    ],
    [{ schema, base: 'rash' }, '$.base: this is "rash"; give one of default, high-stability'],
    [{ schema, cost: { rank_change: -1 } }, '$.cost.rank_change: this is -1; give a number from 0'],
    [{ schema, target: 2 }, '$.target: this is 2; give a number from 0 to 1'],
    [
      { schema, radius: { first: 300 } },
      '$.radius: the first radius is 300 and the most 100; give a first one that is not larger',
    ],
    [
      { schema, fallback: { degradation: 1 } },
      '$.fallback.iterations: this is missing; give a whole number from 1',
    ],
    [
      { schema, limits: { pinned: [{ job: 'Job0', step: 1 }] } },
      '$.limits.pinned[0].job: this is "Job0"; give a job like "Job1"; jobs count from 1',
    ],
    [
      { schema, limits: { pinned: [{ job: 1, step: 3 }] } },
      '$.limits.pinned[0].step: this is 3, which does not exist; job 1 of shop has the steps 1 to 2',
    ],
    [
      { schema, limits: { untouchable_machines: [0, 2] } },
      '$.limits.untouchable_machines[1]: this is "Machine2", which does not exist; use Machine0 to Machine1',
    ],
  ])('%j is refused', (document, message) => {
    expect(() => parse(document)).toThrow(`my.json:${message}`);
  });
});

describe('a policy on the command line', () => {
  it('is a name or a file', () => {
    expect(resolvePolicy('high-stability', shop).cost.rankChange).toBeGreaterThan(
      defaultPolicy.cost.rankChange,
    );
    const file = join(temporaryDirectory(), 'mine.json');
    writeFileSync(file, JSON.stringify({ schema, target: 0.25 }));
    expect(resolvePolicy(file, shop).target).toBe(0.25);
    expect(() => resolvePolicy('stable', shop)).toThrow(
      "there is no policy 'stable'; use default, high-stability or a file, such as ./stable.json",
    );
    expect(() => resolvePolicy('./stable.json', shop)).toThrow('stable.json');
  });
});
