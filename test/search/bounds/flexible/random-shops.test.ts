// Bounds and proofs on random tiny shops of every feature, against the enumerated optimum.

import { describe, expect, it } from 'vitest';
import { shopCase } from '../../../../packages/lab/src/shops/cases.js';
import { enumerate } from '../../../../packages/lab/src/shops/enumerate.js';
import { planOf } from '../../../../packages/lab/src/shops/instances.js';
import { judgePlain, plainMakespan } from '../../../../packages/lab/src/shops/plain-judge.js';
import type { PlainShop } from '../../../../packages/lab/src/shops/shop.js';
import { lowerBounds, simpleBound } from '../../../../src/jssp/bounds.js';
import type { Instance } from '../../../../src/jssp/instance.js';
import { withModes } from '../../../../src/jssp/shop-timing/lists.js';
import { knowsResources } from '../../../../src/search/bounds/flexible/resource-places.js';
import { closeShopGap } from '../../../../src/search/bounds/flexible/shop-closing.js';
import { strongLowerBound } from '../../../../src/search/bounds/strong-lower-bound.js';

const cases = Number(process.env.ALAS_JSSP_SHOP_PROOF_CASES ?? 200);
const first = Number(process.env.ALAS_JSSP_SHOP_PROOF_FIRST ?? 1);
/** Steps of enumeration; shops that take more are passed over. */
const STEPS = 30_000;
/** Contradictions after which the prover is stopped; tiny shops take far fewer. */
const MOST = 20_000;

interface Closed {
  /** The bound that was proven last, and the makespan that was found; Infinity for none. */
  bound: number;
  found: number;
  polls: number;
}

/** Closes the gap between 0 and a makespan above the optimum, with every claim checked against enumeration. */
function close(shop: PlainShop, instance: Instance, optimum: number, upper: number): Closed {
  const closed: Closed = { bound: 0, found: Number.POSITIVE_INFINITY, polls: 0 };
  closed.bound = closeShopGap(instance, {
    value: 0,
    upper,
    upperBoundNow: () => upper,
    isOver: () => ++closed.polls > MOST,
    onBound: (bound) => {
      if (bound < upper) expect(bound).toBeLessThanOrEqual(optimum);
    },
    onSchedule: (starts, chosen, makespan) => {
      const plan = planOf(withModes(instance, chosen.slice()), starts.slice());
      expect(judgePlain(shop, plan)).toEqual([]);
      expect(plainMakespan(shop, plan)).toBe(makespan);
      closed.found = makespan;
    },
  });
  return closed;
}

describe('bounds and proofs of random shops of every feature', () => {
  it('are never above the optimum, and meet it where nothing is relaxed', {
    timeout: 20_000 + 100 * cases,
  }, () => {
    let proven = 0;
    let open = 0;
    for (let seed = first; seed < first + cases; seed++) {
      const { shop, instance } = shopCase(seed);
      if (shop.operations.length > 4) continue;
      const optimum = enumerate(shop, 'makespan', STEPS);
      if (optimum === null) continue;
      const least = optimum.value ?? Number.POSITIVE_INFINITY;
      const name = `seed ${seed}`;
      for (const { value, source } of [...lowerBounds(instance), simpleBound(instance)]) {
        expect(value, `${name}: ${source}`).toBeLessThanOrEqual(least);
      }
      expect(strongLowerBound(instance).value, name).toBeLessThanOrEqual(least);
      const upper = optimum.value === null ? 60 : least + 3;
      const { bound, found, polls } = close(shop, instance, least, upper);
      expect(polls, name).toBeLessThan(MOST);
      expect(bound, name).toBeLessThanOrEqual(Math.min(least, upper));
      if (found >= upper && bound >= upper) expect(optimum.value, name).toBe(null);
      if (bound === Math.min(found, upper)) proven++;
      else {
        open++;
        expect(knowsResources(instance), `${name} is open`).toBe(false);
      }
    }
    if (process.env.ALAS_JSSP_SHOP_PROOF_CASES !== undefined) {
      process.stdout.write(`${proven} proven, ${open} open\n`);
    }
    expect(proven).toBeGreaterThan(8 * open);
  });
});
