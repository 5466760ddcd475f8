import { expect, it } from 'vitest';
import { shopCase } from '../../packages/lab/src/shops/cases.js';
import { tryJudges } from '../../packages/lab/src/shops/judge-trial.js';

// The plain judge is written from docs/reference/model.md alone; `npm run trials -- flexible` tries more seeds.
it('judges random shops with every part as the plain judge does', () => {
  let valid = 0;
  let plans = 0;
  for (let seed = 70_000; seed < 70_200; seed++) {
    const one = shopCase(seed);
    const tried = tryJudges(one);
    expect(tried.problems).toEqual([]);
    valid += tried.valid;
    plans += one.plans.length;
  }
  expect(valid).toBeGreaterThan(plans / 5);
  expect(valid).toBeLessThan((4 * plans) / 5);
});
