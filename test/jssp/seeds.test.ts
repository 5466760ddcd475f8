import { deriveSeed } from '@alas-jssp/core/seed';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOf } from '../../src/jssp/seeds.js';

test('seeds of a benchmark derive from suite, instance, replicate and purpose', () => {
  const ta01 = { suite: 'ta', name: 'ta01' };
  expect(seedOf(7, ta01, 2, 'plan')).toBe(deriveSeed(7, 'ta', 'ta01', 2, 'plan'));
  const others = [
    seedOf(8, ta01, 2, 'plan'),
    seedOf(7, { suite: 'ta', name: 'ta02' }, 2, 'plan'),
    seedOf(7, ta01, 3, 'plan'),
    seedOf(7, ta01, 2, 'repair'),
    seedOf(7, ta01, 2),
  ];
  expect(new Set([seedOf(7, ta01, 2, 'plan'), ...others]).size).toBe(6);
});

test('a file has the same seeds in every folder', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      const seed = (suite: string) => seedOf(1, { suite, name: 'my-shop' }, 0, 'plan');
      expect(seed(one)).toBe(seed(other));
    }),
  );
});
