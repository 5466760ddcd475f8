import { expect, test } from 'vitest';
import { wordsOf } from '../../../../src/jssp/words.js';
import { dispatch } from '../../../../src/search/construct/dispatch.js';
import { validate } from '../../../../src/validator/validate.js';
import { demoShop } from '../../src/demo/demo-shop.js';

test('the shop of the demo has ten named orders on five machines with two shifts, and work for more than a day', () => {
  const shop = demoShop();
  expect(shop).toMatchObject({ jobs: 10, machines: 5, operations: 35 });
  const words = wordsOf(shop);
  expect(words.operation(0)).toBe('WO-4711, sawing');
  expect(words.machine(2)).toBe('Lathe 2');
  const plan = dispatch(shop, { rule: 'mwkr' });
  const { valid, makespan } = validate(shop, plan);
  expect(valid).toBe(true);
  expect(makespan).toBeGreaterThan(24 * 60);
});
