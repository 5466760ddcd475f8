import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keptOrder } from '../../../src/lcrp/plan/kept-order.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';
import { arbitraryInstance } from '../../arbitraries.js';

it('is the share of claimed pairs on machines that start in their order, null without any', () => {
  fc.assert(
    fc.property(arbitraryInstance(), fc.infiniteStream(fc.option(fc.nat(9))), (shop, stream) => {
      const { machine, duration, operations } = shop;
      const claim = Float64Array.from(machine, () => stream.next().value ?? Number.NaN);
      const { start } = dispatch(shop, { rule: 'spt' });
      let claimed = 0;
      let kept = 0;
      for (let a = 0; a < operations; a++) {
        for (let b = 0; b < operations; b++) {
          const occupied = machine[a] === machine[b] && duration[a] > 0 && duration[b] > 0;
          if (!occupied || !(claim[a] < claim[b])) continue;
          claimed++;
          if (start[a] < start[b]) kept++;
        }
      }
      expect(keptOrder(shop, claim, start)).toBe(claimed === 0 ? null : kept / claimed);
    }),
    { numRuns: 300 },
  );
});
