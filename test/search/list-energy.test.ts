import { createRandom } from '@alas-jssp/core/random';
import { describe, expect, it } from 'vitest';
import { instanceOf } from '../../packages/lab/src/shops/instances.js';
import {
  type Feature,
  featuresOf,
  randomShop,
  SIZES,
} from '../../packages/lab/src/shops/random-shop.js';
import { isClassic } from '../../src/jssp/shop-parts.js';
import { createShopTimer } from '../../src/jssp/shop-timing/timer.js';
import { createProblem } from '../../src/search/problem.js';
import { createListEnergy, limitLateness, setTails } from '../../src/search/shop/list-energy.js';

/** A random order of the jobs' operations, and random modes. */
function drawList(
  timer: ReturnType<typeof createShopTimer>,
  random: ReturnType<typeof createRandom>,
) {
  const { operations, modeOffset, instance } = timer.table;
  const next = instance.jobOffset.slice();
  const order = random.shuffle(Int32Array.from(instance.jobOf));
  for (let i = 0; i < operations; i++) order[i] = next[order[i]]++;
  const mode = Int32Array.from({ length: operations }, (_, op) =>
    random.integer(modeOffset[op], modeOffset[op + 1] - 1),
  );
  return { order, mode };
}

describe('a limit of the tardiness of a list', () => {
  it('gives up lists that cost more, and only these', () => {
    let kept = 0;
    let givenUp = 0;
    for (let seed = 0; seed < 100; seed++) {
      const features = new Set<Feature>([...featuresOf(seed), 'due-dates']);
      const instance = instanceOf(randomShop(seed, features, SIZES.medium));
      if (isClassic(instance)) continue;
      const problem = createProblem(instance, 'total-weighted-tardiness');
      const [timer, exact] = [createShopTimer(instance), createShopTimer(instance)];
      setTails(timer);
      if (!limitLateness(timer, problem)) continue;
      const { energy } = createListEnergy(problem, exact, null);
      const random = createRandom(`limits ${seed}`);
      const draft = drawList(timer, random);
      for (let i = 0; i < 20; i++) {
        // Mostly the modes of the last operations change, so that lists have a common part.
        const at = draft.order[random.integer(0, draft.order.length - 1)];
        const [first, stop] = [timer.table.modeOffset[at], timer.table.modeOffset[at + 1]];
        draft.mode[at] = random.integer(first, stop - 1);
        if (i % 7 === 6) Object.assign(draft, drawList(timer, random));
        const missed = exact.time(draft.order, draft.mode);
        if (missed === Number.POSITIVE_INFINITY) continue;
        const cost = energy(missed);
        const limit = cost * (0.5 + random.next());
        const found = timer.time(draft.order, draft.mode, limit);
        if (cost <= limit) expect({ seed, i, found }).toEqual({ seed, i, found: missed });
        if (found < Number.POSITIVE_INFINITY) {
          kept++;
          expect({ seed, i, start: timer.start }).toEqual({ seed, i, start: exact.start });
        } else givenUp++;
      }
    }
    expect(kept).toBeGreaterThan(300);
    expect(givenUp).toBeGreaterThan(80);
  });
});
