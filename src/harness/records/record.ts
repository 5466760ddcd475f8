import { z } from 'zod';
import { REPAIRERS } from '../../pipeline/blueprint/spec.js';
import { disruptionSchema, phaseSchema } from './disruption-record.js';

const count = z.int().nonnegative();
const seconds = z.number().nonnegative().nullable();

/** Tokens of models; whether any of them were estimated. */
const tokens = z.object({ input: count, output: count, estimated: z.boolean().default(false) });

/** No model was asked. */
const NO_TOKENS: z.infer<typeof tokens> = { input: 0, output: 0, estimated: false };

/** What every stage of a record tells. */
const stage = z.object({
  feasible: z.boolean(),
  makespan: count.nullable(),
  gap_percent: z.number().nullable(),
  // Records of before there were models say nothing of what a stage took.
  tokens: tokens.default(NO_TOKENS),
  cost_usd: z.number().nonnegative().nullable().default(0),
  seconds: seconds.default(null),
});

/** What each stage of the pipeline came to by itself; null for one that did not run. */
const stagesSchema = z.object({
  plan: stage.nullable(),
  repair: stage.nullable(),
  optimize: stage
    .extend({
      status: z.enum(['optimal', 'feasible', 'interrupted']),
      lower_bound: count,
      iterations: count,
    })
    .nullable(),
});

/**
 * What was repaired: an infeasible plan (what is null else), a disrupted execution (what follows the
 * phase of it, all repairs together; null else), or one after the other. Null if neither was.
 */
const repairSchema = z.object({
  phase: z.union([z.literal('plan'), phaseSchema]),
  violations: z.record(z.string(), count).nullable(),
  seed_coverage: z.number().min(0).max(1).nullable(),
  kept_order: z.number().min(0).max(1).nullable(),
  // Records of before models repaired say nothing of who did.
  by: z.enum(REPAIRERS).nullable().default(null),
  asked: z
    .array(z.object({ violations: count, makespan: count.nullable() }))
    .nullable()
    .default(null),
  dropped: z.record(z.string(), count).nullable(),
  corrected: z.record(z.string(), count).nullable(),
  inserted: count.nullable(),
  // Records of before there were executions say nothing of them.
  edited_operations: count.nullable().default(null),
  edited_jobs: count.nullable().default(null),
  edited_machines: count.nullable().default(null),
  edit_radius: count.nullable().default(null),
  shift_total: count.nullable().default(null),
  wip_moves: count.nullable().default(null),
});

/** How a model was asked for the plan; null if none was, or if it gave no answer. */
const llmSchema = z.object({
  models: z.array(z.string()),
  topology: z.string(),
  format: z.string(),
  prompt_version: z.string(),
  prompt_sha256: z.string(),
  repair_prompt_sha256: z.string().nullable(),
  answers: count,
  windows: count,
  agents: z.array(
    z.object({
      agent: z.string(),
      turns: count,
      prompt_tokens: count,
      context_limit: count,
      dropped_tokens: count,
    }),
  ),
});

/** The shape of a record; `docs/records.md` tells what each key means. */
export const recordSchema = z.object({
  schema: z.literal('alas-jssp/record@1'),
  instance: z.string(),
  suite: z.string(),
  jobs: count,
  machines: count,
  planner: z.string(),
  synthetic: z.boolean().default(false),
  variant: z.string(),
  method: z.string().nullable().default(null),
  replicate: count,
  seed: count,
  status: z.enum(['ok', 'infeasible', 'error']),
  feasible: z.boolean(),
  makespan: count.nullable(),
  claimed_makespan: z.number().nullable(),
  lower_bound: count,
  lower_bound_source: z.enum(['own', 'literature']),
  upper_bound: count.nullable(),
  gap_percent: z.number().nullable(),
  optimality_percent: z.number().nullable(),
  proven_optimal: z.boolean(),
  violations: z.record(z.string(), count).nullable(),
  stages: stagesSchema,
  repair: repairSchema.nullable(),
  disruption: disruptionSchema.nullable().default(null),
  llm: llmSchema.nullable().default(null),
  tokens,
  cost_usd: z.number().nonnegative().nullable(),
  seconds: z.object({
    plan: seconds,
    validate: seconds,
    repair: seconds,
    optimize: seconds,
    execute: seconds.default(null),
    total: z.number().nonnegative(),
  }),
  error: z.string().nullable(),
});

/** What became of one instance × planner × variant × method × replicate: one line of `records.jsonl`. */
export type RunRecord = z.infer<typeof recordSchema>;

/** The stages of a record. */
export type RecordStages = RunRecord['stages'];

/** What tells the records of a run apart. */
export type RecordIdentity = Pick<
  RunRecord,
  'instance' | 'planner' | 'variant' | 'method' | 'replicate'
>;

/** One text for the identity of a record, different for different identities. */
export function recordKey(identity: RecordIdentity): string {
  const { instance, planner, variant, method, replicate } = identity;
  return JSON.stringify([instance, planner, variant, method, replicate]);
}

/** Whether its search was ended by an interruption: it has a result, but not that of its budget. */
export function isCutShort({ stages }: RunRecord): boolean {
  return stages.optimize?.status === 'interrupted';
}

/** How good a makespan is; percentages are null where no upper bound is known. */
export type Quality = Pick<
  RunRecord,
  'makespan' | 'gap_percent' | 'optimality_percent' | 'proven_optimal'
>;

/**
 * Measures the makespan of a feasible schedule, or the lack of one (null): the gap to the best
 * known upper bound in percent, optimality (that bound / makespan) in percent, and whether the
 * makespan meets the lower bound, which proves it optimal.
 */
export function measureQuality(
  makespan: number | null,
  bounds: Pick<RunRecord, 'lower_bound' | 'upper_bound'>,
): Quality {
  const upper = bounds.upper_bound ?? 0;
  const measurable = makespan !== null && makespan > 0 && upper > 0;
  return {
    makespan,
    gap_percent: measurable ? (100 * (makespan - upper)) / upper : null,
    optimality_percent: measurable ? (100 * upper) / makespan : null,
    proven_optimal: makespan === bounds.lower_bound,
  };
}

/**
 * What was realised under disruptions has other jobs, durations and downtimes than the instance
 * that the bounds are of: it is not measured against them.
 */
export const NO_QUALITY: Omit<Quality, 'makespan'> = {
  gap_percent: null,
  optimality_percent: null,
  proven_optimal: false,
};

/** Whether the makespan of a record is that of an execution. */
export function isExecuted({ disruption }: Pick<RunRecord, 'disruption'>): boolean {
  return disruption !== null;
}

/** What a stage, or a whole task, took: tokens and dollars (null: nobody knows the price), seconds. */
export type Spent = Pick<z.infer<typeof stage>, 'tokens' | 'cost_usd' | 'seconds'>;

/** What is spent where no model is asked. */
export function spentTime(seconds: number | null): Spent {
  return { tokens: NO_TOKENS, cost_usd: 0, seconds };
}

/** What a stage came to that ended with a feasible schedule of this makespan, or with none (null). */
export function measureStage(
  makespan: number | null,
  bounds: Pick<RunRecord, 'lower_bound' | 'upper_bound'>,
  spent: Spent,
): z.infer<typeof stage> {
  const { gap_percent } = measureQuality(makespan, bounds);
  return { feasible: makespan !== null, makespan, gap_percent, ...spent };
}

/** The stages of a record that was only planned. */
export function planStageOnly(plan: RecordStages['plan']): RecordStages {
  return { plan, repair: null, optimize: null };
}
