import { existsSync } from 'node:fs';
import { InputError } from '@alas-jssp/core/errors';
import { resolveSources } from '../../jssp/suites.js';
import { openAnswerStore } from '../../llm/answer-store.js';
import { modelOf } from '../../llm/model-of.js';
import type { Topology } from '../../llm/planner-spec.js';
import { PRICES, type Prices } from '../../llm/price-table.js';
import { priceOf, priceTokens, readPrices } from '../../llm/prices.js';
import { createModelPlanner } from '../../pipeline/planners/llm-planner.js';
import { replayedBy } from '../../pipeline/planners/models.js';
import {
  addDemand,
  type Demand,
  type DemandSettings,
  estimateDemand,
  NO_DEMAND,
} from './estimate-demand.js';
import { askingPlanners, fillRunSpec, layOver } from './fill-spec.js';
import { answersDirectory } from './model-bundle.js';
import type { FilledRunSpec, RunSpec } from './spec.js';
import { readManifest } from './stored-run.js';

/** Assumed tokens per second of a model, and seconds to its first token; neither is known in advance. */
const ASSUMED_SPEED = { tokensPerSecond: 50, secondsEach: 1 };

/** Costs of one planner or of all, as ranges from the minimum to the maximum. */
export interface CostEstimate {
  /** Instances times replicates. */
  readonly plans: number;
  readonly requests: Range;
  readonly input: Range;
  readonly output: Range;
  /** US dollars; null if the price is unknown. */
  readonly usd: Range | null;
  /** US dollars if every answer reaches its maximum length, including reasoning; null if the price is unknown. */
  readonly mostUsd: number | null;
  /** Seconds under the limits of the run at the assumed speed. */
  readonly seconds: Range;
}

export type Range = readonly [least: number, most: number];

/** Costs of one planner of a run. */
export interface PlannerEstimate extends CostEstimate {
  readonly planner: string;
  /** Instances that exceed the context of the model; no request is made for them. */
  readonly unfit: readonly string[];
}

/** Costs of a run, before anything is sent. */
export interface RunEstimate {
  readonly planners: readonly PlannerEstimate[];
  readonly total: CostEstimate;
  /** Budget limits that the maximum would exceed, in words. */
  readonly exceeded: readonly string[];
  readonly spec: FilledRunSpec;
  /** The assumed speed of models. */
  readonly speed: typeof ASSUMED_SPEED;
}

/** The directory of the run, and the listener for progress. */
export interface EstimateContext {
  readonly out?: string | undefined;
  readonly resume?: boolean | undefined;
  readonly onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
}

/** Topologies whose number of requests depends on the answers. */
const OPEN: readonly Topology[] = ['group-chat', 'graph', 'swarm'];

/**
 * Estimates the costs of planners that use models: every request is written, and a priority rule answers it instead of
 * the model. The minimum assumes that agents agree at once and no plan needs a repair, the maximum that they never
 * agree and every plan takes all rounds. Stored answers cost nothing. Nothing is sent.
 *
 * @throws InputError if the spec, an instance or the prices are invalid
 */
export async function estimateRun(
  given: RunSpec,
  { out, resume = false, onProgress }: EstimateContext = {},
): Promise<RunEstimate> {
  const before = resume && out !== undefined ? readManifest(out).spec : null;
  const spec = fillRunSpec(before === null ? given : layOver(before, given));
  const sources = resolveSources(spec.suite ?? '');
  const prices = spec.models.prices === null ? PRICES : readPrices(spec.models.prices);
  const asking = askingPlanners(spec);
  const sums = asking.map((planner) => newSum(planner, spec, out));
  const total = sources.length * asking.length;
  for (const [i, source] of sources.entries()) {
    const instance = source.load();
    for (const [k, sum] of sums.entries()) {
      await sum.add(instance);
      onProgress?.({ done: i * asking.length + k + 1, total });
    }
  }
  const planners = sums.map((sum) => sum.end(prices));
  const all = planners.reduce(addCosts, NO_COSTS);
  return {
    planners,
    total: all,
    exceeded: exceededBy(planners, all, spec),
    spec,
    speed: ASSUMED_SPEED,
  };
}

/** The demand of one planner, instance by instance. */
function newSum(name: string, spec: FilledRunSpec, out: string | undefined) {
  const model = modelOf(name);
  const planner = createModelPlanner(name);
  const { topology, maxOutputTokens } = model.settings;
  const { replicates, variants, repair, repairer, rounds } = spec;
  const directory = replayedBy(name)?.directory ?? answersDirectory(spec, out);
  const store = directory === null ? null : openAnswerStore(directory, name);
  const mostRounds = repair && repairer === 'llm' ? rounds : 0;
  const find: DemandSettings['find'] = (request, replicate) =>
    store?.find(request, replicate) ?? null;
  const unfit: string[] = [];
  let plans = 0;
  let least = NO_DEMAND;
  let most = NO_DEMAND;
  const isOpen = OPEN.includes(topology) || mostRounds > 0;
  // Without stored answers, which cost nothing, all replicates of an instance cost the same.
  const areEqual = directory === null || !existsSync(directory);
  const [estimated, times] = areEqual ? [1, replicates] : [replicates, 1];
  const estimateBoth = async (
    instance: Parameters<typeof estimateDemand>[1],
    replicate: number,
  ) => {
    const asked = { replicate, variants, find };
    const one = await estimateDemand(planner, instance, { ...asked, agrees: true, rounds: 0 });
    const other = isOpen
      ? await estimateDemand(planner, instance, { ...asked, agrees: false, rounds: mostRounds })
      : one;
    least = addDemand(least, one, times);
    most = addDemand(most, other, times);
  };
  return {
    async add(instance: Parameters<typeof estimateDemand>[1]): Promise<void> {
      plans += replicates;
      try {
        for (let replicate = 0; replicate < estimated; replicate++) {
          await estimateBoth(instance, replicate);
        }
      } catch (error) {
        if (!(error instanceof InputError && error.code === 'context_too_small')) throw error;
        unfit.push(instance.name);
      }
    },
    end(prices: Prices): PlannerEstimate {
      const price = priceOf(model.model, prices);
      const [low, high] = [priceTokens(least, price), priceTokens(most, price)];
      const longest = { input: most.input, output: most.requests * maxOutputTokens };
      return {
        planner: name,
        plans,
        requests: [least.requests, most.requests],
        input: [least.input, most.input],
        output: [least.output, most.output],
        usd: low === null || high === null ? null : [low, high],
        mostUsd: priceTokens(longest, price),
        seconds: [secondsFor(least, spec), secondsFor(most, spec)],
        unfit,
      };
    },
  };
}

/** The limits of requests of a run. */
type RequestLimits = Pick<
  FilledRunSpec['models'],
  'concurrency' | 'requestsPerMinute' | 'tokensPerMinute'
>;

/** Seconds of a demand: the maximum over the model's speed and the per-minute limits. */
export function secondsFor(
  { requests, input, output }: Demand,
  { models }: { readonly models: RequestLimits },
): number {
  if (requests === 0) return 0;
  const { concurrency, requestsPerMinute, tokensPerMinute } = models;
  const { tokensPerSecond, secondsEach } = ASSUMED_SPEED;
  const atOnce = Math.min(concurrency, requests);
  const writing = (requests * secondsEach + output / tokensPerSecond) / atOnce;
  const minutes = (amount: number, limit: number | null) =>
    limit === null ? 0 : 60 * (Math.ceil(amount / limit) - 1);
  return Math.max(
    writing,
    minutes(requests, requestsPerMinute),
    minutes(input + output, tokensPerMinute),
  );
}

/** The costs of nothing. */
export const NO_COSTS: CostEstimate = {
  plans: 0,
  requests: [0, 0],
  input: [0, 0],
  output: [0, 0],
  usd: [0, 0],
  mostUsd: 0,
  seconds: [0, 0],
};

/** The sum of two costs; unknown prices make it unknown. */
export function addCosts(a: CostEstimate, b: CostEstimate): CostEstimate {
  const sum = (x: Range, y: Range): Range => [x[0] + y[0], x[1] + y[1]];
  return {
    plans: a.plans + b.plans,
    requests: sum(a.requests, b.requests),
    input: sum(a.input, b.input),
    output: sum(a.output, b.output),
    usd: a.usd && b.usd && sum(a.usd, b.usd),
    mostUsd: a.mostUsd === null || b.mostUsd === null ? null : a.mostUsd + b.mostUsd,
    seconds: sum(a.seconds, b.seconds),
  };
}

function exceededBy(
  planners: readonly PlannerEstimate[],
  { input, output, seconds }: CostEstimate,
  spec: FilledRunSpec,
): string[] {
  const { budget } = spec.models;
  const known = planners.reduce((sum, { usd }) => sum + (usd?.[1] ?? 0), 0);
  const limits = [
    [budget.tokens, input[1] + output[1], `${budget.tokens} tokens`],
    [budget.usd, known, `$${budget.usd}`],
    [budget.seconds, seconds[1], `${budget.seconds} s`],
  ] as const;
  return limits.flatMap(([limit, most, words]) =>
    limit !== null && most > limit ? [`the budget of ${words}`] : [],
  );
}
