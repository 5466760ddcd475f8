// Cases of the trials: a random shop, with some of it in the past in every third case, and plans for it.
import { createRandom } from '@alas-jssp/core';
import type { Instance } from 'alas-jssp/jssp';
import { instanceOf } from './instances.js';
import { plainMakespan } from './plain-judge.js';
import { buildPlan, disturb, inExecution, scatter } from './random-plan.js';
import { type Feature, featuresOf, randomShop, SIZES } from './random-shop.js';
import type { PlainPlan, PlainShop } from './shop.js';

export interface ShopCase {
  seed: number;
  features: Set<Feature>;
  shop: PlainShop;
  instance: Instance;
  /** The plan that part of the shop is done by; null if none was built. */
  built: PlainPlan | null;
  plans: PlainPlan[];
}

/** Plans of each kind in a case. */
const PLANS = 6;

/** The case of a seed; two of three are tiny. */
export function shopCase(seed: number): ShopCase {
  const features = featuresOf(seed);
  const random = createRandom(`case ${seed}`);
  const size = random.next() < 0.6 ? SIZES.tiny : SIZES.small;
  const empty = randomShop(seed, features, size);
  const built = buildPlan(empty, random);
  const runs = built !== null && random.integer(0, 2) === 0;
  const now = runs ? random.integer(0, plainMakespan(empty, built)) : 0;
  const shop = runs ? inExecution(empty, built, now) : empty;
  const plans: PlainPlan[] = [];
  for (let i = 0; i < PLANS; i++) {
    const plan = buildPlan(shop, random);
    if (plan !== null) plans.push(plan);
    const base = plan ?? built ?? scatter(shop, random);
    plans.push(disturb(shop, base, random), scatter(shop, random));
  }
  return { seed, features, shop, instance: instanceOf(shop, `random ${seed}`), built, plans };
}
