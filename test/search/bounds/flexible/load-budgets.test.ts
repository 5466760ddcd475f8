import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shopCase } from '../../../../packages/lab/src/shops/cases.js';
import { modeNumbers } from '../../../../packages/lab/src/shops/instances.js';
import { judgePlain, plainMakespan } from '../../../../packages/lab/src/shops/plain-judge.js';
import { createInstance, type Instance } from '../../../../src/jssp/instance.js';
import { createShopFacts } from '../../../../src/search/bounds/flexible/facts.js';
import { firstBounds } from '../../../../src/search/bounds/flexible/first-bounds.js';
import { createLoadBudgets } from '../../../../src/search/bounds/flexible/load-budgets.js';
import { closeShopGap } from '../../../../src/search/bounds/flexible/shop-closing.js';
import { createShopModel } from '../../../../src/search/bounds/flexible/shop-model.js';
import { createTrail } from '../../../../src/search/bounds/learning/trail.js';

const CASES = 800;

/** How much of each budget the modes of a schedule use, as a share. */
function usedShares(instance: Instance, modes: Int32Array, makespan: number): number[] {
  const model = createShopModel(instance);
  const trail = createTrail(model.slots, model.variables);
  trail.bound.set(firstBounds(instance, model, makespan));
  const budgets = createLoadBudgets(model, createShopFacts(model, trail), makespan);
  const used = new Set(modes);
  return budgets.map(({ cost, room }) => {
    let sum = 0;
    model.given.forEach((mode, i) => {
      if (used.has(mode)) sum += cost[i];
    });
    expect(Number.isSafeInteger(sum) && Number.isSafeInteger(room)).toBe(true);
    return sum / room;
  });
}

/** Jobs of one operation, with a duration on each of three machines. */
function assignmentShop(durations: readonly (readonly number[])[]): Instance {
  const count = durations.length;
  const offset = Int32Array.from({ length: count + 1 }, (_, op) => 3 * op);
  const machine = Int32Array.from({ length: 3 * count }, (_, mode) => mode % 3);
  const duration = Int32Array.from(durations.flat());
  const chosen = offset.slice(0, count);
  return createInstance({
    name: 'assignment',
    machines: 3,
    jobOffset: Int32Array.from({ length: count + 1 }, (_, job) => job),
    machine: chosen.map((mode) => machine[mode]),
    duration: chosen.map((mode) => duration[mode]),
    modes: { offset, machine, duration, chosen },
  });
}

/** The least makespan of these, by enumeration. */
function leastAssignment(durations: readonly (readonly number[])[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let code = 0; code < 3 ** durations.length; code++) {
    const load = [0, 0, 0];
    let rest = code;
    for (const times of durations) {
      load[rest % 3] += times[rest % 3];
      rest = Math.floor(rest / 3);
    }
    least = Math.min(least, Math.max(...load));
  }
  return least;
}

describe('budgets of work', () => {
  it('are kept by every schedule within the makespan, in shops of every feature, and some just so', () => {
    let kept = 0;
    let most = 0;
    for (let seed = 1; seed <= CASES; seed++) {
      const { shop, instance, plans } = shopCase(seed);
      for (const plan of plans) {
        if (judgePlain(shop, plan).length > 0) continue;
        const makespan = plainMakespan(shop, plan);
        const modes = modeNumbers(shop, plan.mode);
        for (const share of usedShares(instance, modes, makespan)) {
          expect(share, `seed ${seed}`).toBeLessThanOrEqual(1);
          most = Math.max(most, share);
          kept++;
        }
      }
    }
    expect(kept).toBeGreaterThan(50);
    expect(most).toBeGreaterThan(0.98);
  });

  it('lead to the enumerated optimum where only modes are open', () => {
    const times = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(times, { minLength: 3, maxLength: 7 }), (durations) => {
        const least = leastAssignment(durations);
        const bounds: number[] = [];
        const value = closeShopGap(assignmentShop(durations), {
          value: 1,
          upper: least + 2,
          upperBoundNow: () => least + 2,
          isOver: () => false,
          onBound: (bound) => bounds.push(bound),
          onSchedule: () => {},
        });
        expect(value).toBe(least);
        expect(Math.max(...bounds)).toBe(least);
      }),
      { numRuns: 150 },
    );
  });
});
