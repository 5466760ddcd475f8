import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flexibleBounds } from '../../src/jssp/flexible-bounds.js';
import { instanceFromJson } from '../../src/jssp/formats/instance-json.js';
import { replaceInstance } from '../../src/jssp/instance.js';
import { modeDuration, modeMachine, modesOf } from '../../src/jssp/shop-parts.js';
import { spreadLoads } from '../../src/jssp/spread-loads.js';
import { anyShop } from './shops.js';

test('spread loads are those of some choice of modes, and no less than the load of any group of machines', () => {
  fc.assert(
    fc.property(anyShop, (shop) => {
      const plain = { setups: null, transport: null, precedence: null, resources: null };
      const instance = replaceInstance(shop, { ...plain, frozen: null });
      const load = spreadLoads(instance);
      const most = Math.max(...load);
      expect(most).toBeGreaterThanOrEqual(flexibleBounds(instance).machineLoad());
      let total = 0;
      for (let op = 0; op < instance.operations; op++) {
        const [first, stop] = modesOf(instance, op);
        const modes = Array.from({ length: stop - first }, (_, i) => first + i);
        total += Math.min(...modes.map((mode) => modeDuration(instance, mode)));
        const only = new Set(modes.map((mode) => modeMachine(instance, mode)));
        if (only.size > 1) continue;
        const least = Math.min(...modes.map((mode) => modeDuration(instance, mode)));
        expect(load[[...only][0]]).toBeGreaterThanOrEqual(least);
      }
      expect(load.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(total);
    }),
  );
});

test('equal machines share equal work', () => {
  const operations = [{ machine: 'Lathes', duration: 5 }];
  const instance = instanceFromJson(
    {
      schema: 'alas-jssp/instance@2',
      machines: ['Lathe 1', 'Lathe 2', 'Mill'],
      groups: { Lathes: ['Lathe 1', 'Lathe 2'] },
      jobs: [
        { operations },
        { operations },
        { operations: [{ machine: 'Lathe 1', duration: 4 }, ...operations] },
        { operations: [{ machine: 'Mill', duration: 9 }] },
      ],
    },
    { name: 'shop' },
  );
  expect([...spreadLoads(instance)]).toEqual([9, 10, 9]);
});
