import { commonFaults } from '@alas-jssp/agents';
import type { Json } from '@alas-jssp/workflow';
import fc from 'fast-check';
import { expect, it } from 'vitest';

it('changes every leaf, list and key by itself', () => {
  const value = { total: 30, paid: true, who: 'Ann', to: { city: 'Bonn 2' }, items: ['a', 'b'] };
  const names = commonFaults(value, ['total', 'paid', 'to', 'items']).map(({ name }) => name);
  expect(names).toEqual([
    'total is 60, not 30',
    'total is missing',
    'paid is false',
    'paid is missing',
    'to.city is "Ann"',
    'to.city says 4, not 2',
    'to.city is missing',
    'items lacks its first item',
    'items.0 is "Ann"',
    'items.0 is missing',
    'items.1 is "Ann"',
    'items.1 is missing',
  ]);
});

it('plants what it says, and nothing else', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (any) => {
      const value = { any } as Json;
      const text = JSON.stringify(value);
      for (const { plant } of commonFaults(value)) {
        const planted = plant(value);
        expect(planted).toBeDefined();
        expect(JSON.stringify(planted)).not.toBe(text);
      }
      expect(JSON.stringify(value)).toBe(text);
    }),
  );
});
