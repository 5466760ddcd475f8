import { describe, expect, it } from 'vitest';
import { measureDemand, readPaperDemand } from '../../../src/harness/paper/demand.js';
import { estimateExperiments, totalOf } from '../../../src/harness/paper/paper-estimate.js';
import { SHOP_EXPERIMENTS } from '../../../src/harness/paper/presets/experiments.js';
import type { PaperSetup } from '../../../src/harness/paper/presets/paper-item.js';
import { PAPER_ITEMS } from '../../../src/harness/paper/presets/presets.js';
import { PRICES } from '../../../src/llm/price-table.js';

const setup = (more: Partial<PaperSetup> = {}): PaperSetup => ({
  planners: ['openai:gpt-4o'],
  out: 'out',
  runs: 'runs',
  threads: 1,
  suite: 'paper',
  limits: [],
  file: (path) => path,
  ...more,
});

describe('the measured demand of experiments', () => {
  it('is what the estimator says of the present prompts', async () => {
    const { shops } = readPaperDemand();
    for (const experiment of Object.keys(SHOP_EXPERIMENTS)) {
      expect(await measureDemand(experiment, 'abz'), experiment).toEqual(shops[experiment].abz);
    }
  });

  it('is there for every experiment of a row', () => {
    const { shops, questions } = readPaperDemand();
    const known = [...Object.keys(shops), ...Object.keys(questions)];
    const used = new Set(PAPER_ITEMS.flatMap(({ experiments = [] }) => experiments));
    expect(known.toSorted()).toEqual([...used].toSorted());
  });
});

describe('an estimate', () => {
  it('is proportional to the threads, and adds up', async () => {
    const experiments = ['shops-alas', 'shops-rounds'];
    const [one, ten] = await Promise.all(
      [1, 10].map(async (threads) =>
        totalOf(await estimateExperiments(experiments, setup({ threads }), PRICES)),
      ),
    );
    expect(ten?.requests).toEqual(one?.requests.map((count) => 10 * count));
    expect(ten?.usd?.[0]).toBeCloseTo(10 * (one?.usd?.[0] ?? Number.NaN), 9);
  });

  it('of other suites and settings is made anew, in the same way', async () => {
    const [paper] = await estimateExperiments(['shops-alas'], setup(), PRICES);
    const own = setup({ suite: 'abz7,abz8,abz9' });
    const [abz] = await estimateExperiments(['shops-alas'], own, PRICES);
    const { requests, input } = readPaperDemand().shops['shops-alas'].abz;
    expect([abz.costs?.requests, abz.costs?.input]).toEqual([requests, input]);
    expect(paper.costs?.input[0]).toBeGreaterThan(10 * (abz.costs?.input[0] ?? 0));
  });

  it('has no dollars for a model without a price, and no costs for a planner without a model', async () => {
    const planners = ['openai:unheard-of', 'insertion'];
    const [model, rule] = await estimateExperiments(['shops-alas'], setup({ planners }), PRICES);
    expect([model.costs?.usd, model.costs?.requests[0]]).toEqual([null, 671]);
    expect([rule.costs?.usd, rule.costs?.requests]).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
});
