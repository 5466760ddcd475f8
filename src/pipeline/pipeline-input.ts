import { InputError } from '@alas-jssp/core/errors';
import { firstIssue } from '@alas-jssp/core/json-file';
import { parseBudget } from '@alas-jssp/core/stopping';
import * as z from 'zod';
import type { Instance } from '../jssp/instance.js';
import { DEFAULT_PLANNER } from '../jssp/planner.js';
import { seedOf } from '../jssp/seeds.js';
import { boundsFor, type InstanceSource } from '../jssp/suites.js';
import { isModelPlanner } from './planners/llm-planner.js';
import { createPlanner } from './planners/planners.js';
import { type LoggedTask, referTo } from './step-values.js';

const HINT =
  'give an object with any of instance, planner, seed, replicate and budget, such as {"instance":"la01"}';

/** The input of a run of the pipeline from a person: every key is optional. */
const inputSchema = z.strictObject({
  /** Name of a benchmark, or the path of a file. */
  instance: z.string().default('ft06'),
  planner: z.string().default(DEFAULT_PLANNER),
  seed: z.int().optional(),
  /** Number of the plan for this instance, from 0. */
  replicate: z.int().min(0).default(0),
  /** Budget of the search, as on the command line. */
  budget: z.string().default('10k-iterations'),
});

/**
 * Fills in the input of a run of the pipeline: the seeds of its stages and the bound of the instance equal those of the
 * same cell of a run over a suite.
 *
 * @param seed the base seed, unless the input has one
 * @param find the source of an instance; its errors get the path in the input
 * @throws InputError `bad_input`, `bad_budget`, `no_model` if the planner uses a model, and errors of the planner, all
 *   with the path in the input
 */
export function fillPipelineInput(
  value: unknown,
  seed: number,
  find: (name: string) => InstanceSource,
): { readonly input: LoggedTask; readonly instance: Instance } {
  const parsed = inputSchema.safeParse(value);
  if (!parsed.success) {
    const { problem, path } = firstIssue(parsed.error, value);
    throw new InputError('bad_input', problem, HINT, { file: '--input', path });
  }
  const { planner, replicate, seed: base = seed } = parsed.data;
  const budget = at('budget', () => parseBudget(parsed.data.budget));
  at('planner', () => requireAnswering(planner));
  const source = at('instance', () => find(parsed.data.instance));
  const instance = source.load();
  const known = boundsFor(instance);
  const derive = (purpose: string) => seedOf(base, source, replicate, purpose);
  const input = {
    instance: referTo(instance),
    planner,
    seed: derive('plan'),
    objective: 'makespan' as const,
    replicate,
    repairSeed: derive('repair'),
    optimizeSeed: derive('optimize'),
    budget,
    bound: known && { value: known.lower, source: `literature, ${known.asOf}` },
  };
  return { input, instance };
}

/** Adds the key of the input to the errors of reading its value. */
function at<T>(key: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { code, problem, hint, location, value } = error;
    const place = location.file === undefined ? { file: '--input', path: `$.${key}` } : location;
    throw new InputError(code, problem, hint, place, value);
  }
}

function requireAnswering(planner: string): void {
  if (!isModelPlanner(createPlanner(planner))) return;
  const problem = `${planner} asks a model, which a workflow of its own cannot`;
  throw new InputError('no_model', problem, 'use alas-jssp run, or another planner', {}, planner);
}
