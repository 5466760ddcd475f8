import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribution } from '../../../src/harness/attribution/attribution.js';
import type { RunRecord } from '../../../src/harness/records/record.js';
import { attributionFindings } from '../../../src/report/attribution-tables.js';
import { makeRecord } from '../fixtures.js';

type Values = NonNullable<RunRecord['attribution']>['values'];

const NO_EDGES = { operations: 36, claimed: 36, pairs: null, neighbours: null };

function recordOf(planner: string, instance: string, values: Values): RunRecord {
  const attribution = { values, ...NO_EDGES };
  return makeRecord({ planner, instance, makespan: values.final, attribution });
}

/** The records of one instance: random 200, rule 140 before and 110 after its search, nothing 150 and 120. */
function instanceOf(instance: string, own: Values): RunRecord[] {
  return [
    recordOf('own', instance, own),
    recordOf('empty', instance, { plan: null, repair: 150, final: 120 }),
    recordOf('random', instance, { plan: 200, repair: null, final: 125 }),
    recordOf('dispatch:mwkr', instance, { plan: 140, repair: null, final: 110 }),
  ];
}

function sharesOf(records: readonly RunRecord[]) {
  const { shares = [] } = attribution(records) ?? {};
  const own = shares.filter(({ planner }) => planner === 'own');
  const rows = own.map(({ control, plan, start, search, finding }) => {
    return [control, { plan: plan.percent, start: start.percent, search: search.percent, finding }];
  });
  return Object.fromEntries(rows);
}

const value = fc.integer({ min: 90, max: 300 });
const stage = fc.option(value, { nil: null });
const values = fc.record({ plan: stage, repair: stage, final: stage });

describe('attribution', () => {
  it('divides the gain over a random plan among plan, start and search', () => {
    const shares = sharesOf(instanceOf('a', { plan: null, repair: 130, final: 105 }));
    // 200 − 105 = 95: 95 = (120 − 105) + (200 − 150) + (150 − 120), and so on.
    expect(shares.empty.plan).toBeCloseTo(1500 / 95);
    expect(shares.empty.start).toBeCloseTo(5000 / 95);
    expect(shares.empty.search).toBeCloseTo(3000 / 95);
    expect(shares.random).toMatchObject({ start: 0 });
    expect(shares.random.plan).toBeCloseTo(2000 / 95);
    expect(shares['dispatch:mwkr'].plan).toBeCloseTo(500 / 95);
  });

  it('owes nothing to a plan whose controls end equal', () => {
    const records = instanceOf('a', { plan: null, repair: 150, final: 120 });
    expect(sharesOf(records).empty).toMatchObject({ plan: 0, finding: 'none' });
    expect(sharesOf(records)['dispatch:mwkr'].plan).toBeLessThan(0);
  });

  it('owes everything to an optimal plan without repair and search', () => {
    const records = [
      recordOf('own', 'a', { plan: 100, repair: null, final: 100 }),
      recordOf('empty', 'a', { plan: null, repair: null, final: null }),
      recordOf('random', 'a', { plan: 200, repair: null, final: 200 }),
    ];
    expect(sharesOf(records)).toMatchObject({
      empty: { plan: 100, start: 0, search: 0 },
      random: { plan: 100, start: 0, search: 0 },
    });
  });

  it('counts a failure as a random plan, and has no share where there is no gain', () => {
    const failed = instanceOf('a', { plan: null, repair: null, final: null });
    expect(sharesOf(failed).random.plan).toBeNull();
    const report = attribution(failed);
    expect(report && attributionFindings(report)[0]).toBe(
      'own: no gain over random plans, so there are no shares',
    );
    const { shares = [] } =
      attribution([...failed, ...instanceOf('b', { plan: 100, repair: null, final: 100 })]) ?? {};
    const random = shares.find(({ planner, control }) => planner === 'own' && control === 'random');
    // (125 − 200) + (125 − 100) of (200 − 200) + (200 − 100).
    expect(random?.plan.percent).toBeCloseTo(-50);
  });

  it('always has parts that add up to the whole, whatever the values', () => {
    fc.assert(
      fc.property(values, values, values, value, (own, empty, rule, random) => {
        const made = { plan: random, repair: null, final: random };
        const records = [
          recordOf('own', 'a', own),
          recordOf('empty', 'a', empty),
          recordOf('random', 'a', made),
          recordOf('dispatch:mwkr', 'a', rule),
        ];
        for (const { plan, start, search } of attribution(records)?.shares ?? []) {
          if (plan.percent === null) continue;
          expect(plan.percent + (start.percent ?? 0) + (search.percent ?? 0)).toBeCloseTo(100, 6);
        }
      }),
    );
  });

  it('owes nothing to a planner in the place of which its own plan is put', () => {
    fc.assert(
      fc.property(values, value, (own, random) => {
        const records = [
          recordOf('own', 'a', own),
          recordOf('empty', 'a', own),
          recordOf('random', 'a', { plan: random, repair: null, final: own.final }),
        ];
        for (const { plan, finding, difference } of attribution(records)?.shares ?? []) {
          expect([0, null]).toContain(plan.percent);
          expect(difference).toBe(0);
          expect(finding).toBe('none');
        }
      }),
    );
  });

  it('measures the gain of each stage from the value before it', () => {
    const gains = attribution(instanceOf('a', { plan: null, repair: 130, final: 105 }))?.gains;
    const own = gains?.filter(({ planner }) => planner === 'own');
    expect(own?.map(({ stage, gain_points }) => [stage, gain_points])).toEqual([
      ['plan', 0],
      ['repair', 70],
      ['search', 25],
    ]);
  });

  it('leaves out what has no random control, and is null without any facts', () => {
    const alone = recordOf('own', 'a', { plan: 100, repair: null, final: 100 });
    expect(attribution([alone])).toBeNull();
    expect(attribution([makeRecord()])).toBeNull();
    const also = instanceOf('b', { plan: 100, repair: null, final: 100 });
    expect(attribution([alone, ...also])?.left_out).toBe(1);
  });

  it('counts executions of one schedule once', () => {
    const records = instanceOf('a', { plan: null, repair: 130, final: 105 });
    const executed = records.flatMap((record) => [
      { ...record, method: 'lcrp' },
      { ...record, method: 'none' },
    ]);
    expect(attribution(executed)?.shares[0].records).toBe(1);
  });
});
