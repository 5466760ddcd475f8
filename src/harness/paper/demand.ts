import { fileURLToPath } from 'node:url';
import { readJsonFile } from '@alas-jssp/core/json-file';
import { once } from '@alas-jssp/core/once';
import { schemaName } from '@alas-jssp/core/schema-name';
import * as z from 'zod';
import { resolveSources } from '../../jssp/suites.js';
import { estimateRun } from '../run/estimate.js';
import { inTopology, paperPrompt, SHOP_EXPERIMENTS } from './presets/experiments.js';

const range = z.tuple([z.number(), z.number()]).readonly();

const counts = z.object({ requests: range, input: range, output: range });

/** Requests and tokens of one model and one thread, from least to most. */
export type ThreadDemand = z.infer<typeof counts>;

const demandSchema = z.object({
  schema: schemaName('alas-jssp/paper-demand@1'),
  note: z.string(),
  // By experiment and suite.
  shops: z.record(z.string(), z.record(z.string(), counts)),
  // By experiment.
  questions: z.record(z.string(), counts),
});

/** Reads `benchmarks/paper/demand.json`. `src/harness/paper` and `dist/harness/paper` have the same depth. */
export const readPaperDemand = once(() => {
  const file = new URL('../../../benchmarks/paper/demand.json', import.meta.url);
  return readJsonFile(fileURLToPath(file), demandSchema, 'demand of the papers');
});

/** Any model: prompts and estimates of tokens are the same for all. */
const SOME_MODEL = 'openai:gpt-4o';

/**
 * Estimates one thread of an experiment on the paper's instances of a suite. It takes seconds; {@link readPaperDemand}
 * has the results.
 */
export async function measureDemand(experiment: string, suite: string): Promise<ThreadDemand> {
  const { topologies, settings } = SHOP_EXPERIMENTS[experiment];
  const instances = resolveSources('paper').filter((source) => source.suite === suite);
  const { total } = await estimateRun({
    suite: instances.map(({ name }) => name).join(),
    planners: topologies.map((topology) => inTopology(SOME_MODEL, topology, paperPrompt(topology))),
    ...settings,
  });
  const { requests, input, output } = total;
  return { requests, input, output };
}
