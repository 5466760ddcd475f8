import { modelOf } from '../../llm/model-of.js';
import { isModelSpec } from '../../llm/planner-spec.js';
import type { Prices } from '../../llm/price-table.js';
import { priceOf, priceTokens } from '../../llm/prices.js';
import { addCosts, type CostEstimate, estimateRun, NO_COSTS, secondsFor } from '../run/estimate.js';
import { readPaperDemand, type ThreadDemand } from './demand.js';
import { plannersOf, SHOP_EXPERIMENTS } from './presets/experiments.js';
import type { PaperSetup } from './presets/paper-item.js';

/** Requests at once, as runs send them unless the user says otherwise. */
const LIMITS = { concurrency: 4, requestsPerMinute: null, tokensPerMinute: null };

/** The costs of one planner in one experiment; null if nothing is known about it. */
export interface ExperimentEstimate {
  readonly experiment: string;
  readonly planner: string;
  readonly costs: CostEstimate | null;
}

/** Estimates experiments for the planners of a setup. Nothing is sent. */
export async function estimateExperiments(
  experiments: readonly string[],
  setup: PaperSetup,
  prices: Prices,
): Promise<ExperimentEstimate[]> {
  const made: ExperimentEstimate[] = [];
  for (const experiment of experiments) {
    for (const planner of setup.planners) {
      const demand = await demandOf(experiment, planner, setup);
      const costs = demand && costsOf(demand, planner, setup.threads, prices);
      made.push({ experiment, planner, costs });
    }
  }
  return made;
}

/** The sum of estimates; null if one of them is unknown. */
export function totalOf(estimates: readonly ExperimentEstimate[]): CostEstimate | null {
  let sum: CostEstimate = NO_COSTS;
  for (const { costs } of estimates) {
    if (costs === null) return null;
    sum = addCosts(sum, costs);
  }
  return sum;
}

/** Requests and tokens of one thread: as measured before, or estimated now for other suites and settings. */
async function demandOf(
  experiment: string,
  planner: string,
  setup: PaperSetup,
): Promise<ThreadDemand | null> {
  if (!isModelSpec(planner)) return { requests: [0, 0], input: [0, 0], output: [0, 0] };
  const { shops, questions } = readPaperDemand();
  const isShop = Object.hasOwn(SHOP_EXPERIMENTS, experiment);
  if (!isShop) return questions[experiment] ?? null;
  const isUsual = setup.suite === 'paper' && !planner.includes('#');
  if (isUsual && Object.hasOwn(shops, experiment)) {
    return Object.values(shops[experiment]).reduce(addDemands);
  }
  const { total } = await estimateRun({
    suite: setup.suite,
    planners: plannersOf(planner, experiment, setup),
    ...SHOP_EXPERIMENTS[experiment].settings,
  });
  return total;
}

function addDemands(a: ThreadDemand, b: ThreadDemand): ThreadDemand {
  const sum = (key: keyof ThreadDemand) => [a[key][0] + b[key][0], a[key][1] + b[key][1]] as const;
  return { requests: sum('requests'), input: sum('input'), output: sum('output') };
}

function costsOf(
  { requests, input, output }: ThreadDemand,
  planner: string,
  threads: number,
  prices: Prices,
): CostEstimate {
  const [least, most] = [0, 1].map((end) => ({
    requests: threads * requests[end],
    input: threads * input[end],
    output: threads * output[end],
  }));
  const { model, settings } = isModelSpec(planner)
    ? modelOf(planner)
    : { model: '', settings: { maxOutputTokens: 0 } };
  const price = isModelSpec(planner) ? priceOf(model, prices) : { input: 0, output: 0 };
  const [low, high] = [priceTokens(least, price), priceTokens(most, price)];
  const longest = { input: most.input, output: most.requests * settings.maxOutputTokens };
  return {
    plans: 0,
    requests: [least.requests, most.requests],
    input: [least.input, most.input],
    output: [least.output, most.output],
    usd: low === null || high === null ? null : [low, high],
    mostUsd: priceTokens(longest, price),
    seconds: [secondsFor(least, { models: LIMITS }), secondsFor(most, { models: LIMITS })],
  };
}
