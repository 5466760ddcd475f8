import { createRandom } from '@alas-jssp/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RealmProblem } from '../../../src/realm/problems/realm-problem.js';
import { generateSupply } from '../../../src/realm/supply/generate-supply.js';
import { readSupply } from '../../../src/realm/supply/read-supply.js';

const PRICES = { a: 10, b: 7, c: 3 };

/** A small instance as the file states it. */
function stated(seed: number) {
  const random = createRandom(seed);
  const components = Object.keys(PRICES).slice(0, random.integer(1, 3));
  return {
    instance_id: `supply-${seed}`,
    suppliers: Array.from({ length: random.integer(1, 3) }, (_, at) => ({
      supplier_id: `s${at}`,
      capacity: random.integer(0, 9),
      lead_time: random.integer(10, 50),
      cost_multiplier: random.integer(8, 15) / 10,
    })),
    components,
    facilities: [{ facility_id: 'works', capacity: random.integer(2, 6), cost_per_unit: 5 }],
    budget: random.integer(40, 200),
    delivery_deadlines: { a: 30 },
  };
}

/** The least price of all divisions of the units among the suppliers, or null: nothing but the rules. */
function leastPrice(one: ReturnType<typeof stated>, demand: number, less = 0): number | null {
  if (one.facilities[0].capacity < demand) return null;
  const left = one.suppliers.map(({ capacity }) => capacity);
  let best: number | null = null;
  const buy = (component: number, supplier: number, units: number, price: number): void => {
    if (component === one.components.length) {
      const total = price + 5 * demand;
      if (total <= one.budget && (best === null || total < best)) best = total;
      return;
    }
    if (units === 0) {
      buy(component + 1, 0, demand, price);
      return;
    }
    if (supplier === one.suppliers.length) return;
    const name = one.components[component] as keyof typeof PRICES;
    const { lead_time, cost_multiplier, capacity } = one.suppliers[supplier];
    const isLate = name === 'a' && lead_time > 30;
    const limit = name === 'a' ? Math.floor((1 - less) * capacity) : capacity;
    for (let some = 0; some <= Math.min(units, isLate ? 0 : limit, left[supplier]); some++) {
      left[supplier] -= some;
      const cents = Math.round(100 * PRICES[name] * cost_multiplier);
      buy(component, supplier + 1, units - some, price + (some * cents) / 100);
      left[supplier] += some;
    }
  };
  buy(0, 0, demand, 0);
  return best;
}

function problemOf(value: unknown, demand: number): RealmProblem {
  const prices = Object.entries(PRICES).map(([name, price]) => `${name}:${price}`);
  const given = { demand: String(demand), prices: prices.join('/') };
  const { problem, refused } = readSupply(value, undefined, given);
  if (problem === null) throw new Error(JSON.stringify(refused));
  return problem;
}

describe('a supply chain (P10)', () => {
  it('costs as much as the best of all divisions of orders, or has no plan if there is none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000_000), fc.integer({ min: 0, max: 4 }), async (seed, demand) => {
        const instance = stated(seed);
        const problem = problemOf(instance, demand);
        const found = await problem.search();
        const best = leastPrice(instance, demand);
        if (best === null) expect(found.status).toBe('infeasible');
        else expect(found.cost).toBeCloseTo(best, 6);
        if (best !== null) {
          expect(problem.judge(found.plan)).toEqual({
            valid: true,
            violations: [],
            cost: found.cost,
          });
        }
      }),
      { numRuns: 150 },
    );
  });

  it('costs as much as the best after a shortage that is known before anything is ordered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000_000), async (seed) => {
        const instance = stated(seed);
        const shortage = { type: 'resource_shortage', component: 'a', shortage: 0.5 };
        const before = problemOf({ ...instance, disruption_scenarios: [shortage] }, 2);
        const found = await before.events[0].apply(null).search();
        const best = leastPrice(instance, 2, 0.5);
        if (best === null) expect(found.status).toBe('infeasible');
        else expect(found.cost).toBeCloseTo(best, 6);
      }),
      { numRuns: 100 },
    );
  });

  it('is repaired to a valid plan, and a valid plan keeps its orders', async () => {
    for (let seed = 0; seed < 30; seed++) {
      const read = readSupply(generateSupply('one', seed), undefined, {
        demand: '100',
        prices: '50',
      });
      const problem = read.problem as RealmProblem;
      const { plan, cost } = await problem.search();
      if (plan === null) continue;
      expect(await problem.repair?.(plan)).toMatchObject({ edits: 0, cost });
      const repaired = await problem.repair?.(problem.random(seed));
      expect(problem.judge(repaired?.plan)).toMatchObject({ valid: true, cost: repaired?.cost });
    }
  });

  it('breaks the rule that a changed plan breaks', () => {
    const problem = problemOf(
      {
        ...stated(1),
        suppliers: [
          { supplier_id: 'near', capacity: 5, lead_time: 10, cost_multiplier: 1 },
          { supplier_id: 'far', capacity: 5, lead_time: 40, cost_multiplier: 1 },
        ],
        components: ['a'],
        facilities: [
          { facility_id: 'works', capacity: 4, cost_per_unit: 5 },
          { facility_id: 'tests', capacity: 4, cost_per_unit: 5 },
        ],
        budget: 100,
      },
      4,
    );
    const order = (supplier: string, units: number, day = 0) => ({
      component: 'a',
      supplier,
      units,
      day,
    });
    const run = (facility: string, day: number, units = 4) => ({ facility, units, day });
    const codes = (orders: unknown[], runs: unknown[]) =>
      problem.judge({ orders, runs }).violations.map(({ code }) => code);
    const runs = [run('works', 10), run('tests', 10)];
    expect(codes([order('near', 4)], runs)).toEqual([]);
    expect(codes([order('near', 4, 20)], [run('works', 30), run('tests', 31)])).toEqual([]);
    expect(codes([order('near', 4, 21)], [run('works', 31), run('tests', 31)])).toEqual([
      'late_delivery',
    ]);
    expect(codes([order('far', 4)], [run('works', 40), run('tests', 40)])).toEqual([
      'late_delivery',
    ]);
    expect(codes([order('near', 6)], runs)).toEqual(['over_capacity']);
    expect(codes([order('near', 3)], runs)).toEqual(['missing_units', 'not_ready']);
    expect(codes([order('near', 4)], [run('works', 9), run('tests', 10)])).toEqual(['not_ready']);
    expect(codes([order('near', 4)], [run('works', 12), run('tests', 11)])).toEqual(['not_ready']);
    expect(codes([order('near', 4)], [run('works', 10), run('tests', 10, 3)])).toEqual([
      'missing_units',
    ]);
    expect(codes([order('moon', 4)], runs)).toContain('unknown_name');
  });

  it('that states no demand and no prices is refused with what is missing', () => {
    const { problem, refused, contradictions } = readSupply(
      { ...stated(1), dependencies: [['works', 'packaging']] },
      undefined,
      {},
    );
    expect(problem).toBeNull();
    expect(refused.map(({ code }) => code)).toEqual(['unsaid_demand', 'unsaid_price']);
    expect(contradictions.map(({ code }) => code)).toEqual(['unused_fact']);
  });

  it('reads the answer of a model', () => {
    const problem = problemOf(stated(1), 1);
    const read = problem.decode(
      '{"orders":[{"component":"A","supplier":"S0","units":"2","day":0}],"runs":[{"facility":"works","units":2,"day":"soon"}],"cost":30}',
    );
    expect(read.plan).toEqual({
      orders: [{ component: 'a', supplier: 's0', units: 2, day: 0 }],
      runs: [],
    });
    expect(read.unread).toEqual(['runs[0].day: "soon"']);
  });
});
