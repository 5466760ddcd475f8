import { schemaName } from '@alas-jssp/core/schema-name';
import * as z from 'zod';
import { objectives } from '../../jssp/objectives.js';
import { REPAIRERS } from '../../pipeline/blueprint/spec.js';
import { attributionSchema } from './attribution-record.js';
import { disruptionSchema, phaseSchema } from './disruption-record.js';

const count = z.int().nonnegative();
const seconds = z.number().nonnegative().nullable();

/** Tokens of models; whether any of them are estimates. */
const tokens = z.object({ input: count, output: count, estimated: z.boolean() });

/** The tokens of a record without a model. */
const NO_TOKENS: z.infer<typeof tokens> = { input: 0, output: 0, estimated: false };

/** The keys of every stage of a record. */
const stage = z.object({
  feasible: z.boolean(),
  makespan: count.nullable(),
  gap_percent: z.number().nullable(),
  tokens,
  cost_usd: z.number().nonnegative().nullable(),
  seconds,
});

/** Outcome of each stage of the pipeline; null for a stage that did not run. */
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

/** The repair of an infeasible plan; null if it was not repaired. */
const planRepair = z.object({
  seed_coverage: z.number().min(0).max(1).nullable(),
  kept_order: z.number().min(0).max(1).nullable(),
  by: z.enum(REPAIRERS).nullable(),
  asked: z.array(z.object({ violations: count, makespan: count.nullable() })).nullable(),
  dropped: z.record(z.string(), count).nullable(),
  corrected: z.record(z.string(), count).nullable(),
  inserted: count.nullable(),
  rounds: z
    .array(
      z.object({
        by: z.enum(REPAIRERS),
        violations_before: count.nullable(),
        violations_after: count,
        edited_operations: count,
        edit_radius: count.nullable(),
      }),
    )
    .nullable(),
});

/** Total edits of a disrupted execution; null if there was none. */
const edits = z.object({
  edited_operations: count.nullable(),
  edited_jobs: count.nullable(),
  edited_machines: count.nullable(),
  edit_radius: count.nullable(),
  start_changes: count.nullable(),
  rank_changes: count.nullable(),
  reassigned: count.nullable().default(null),
  shift_total: count.nullable(),
  wip_moves: count.nullable(),
  wip_units: count.nullable(),
});

/** `repair` of a record whose plan was not repaired. */
export const NO_PLAN_REPAIR = nullsOf(planRepair);

/** `repair` of a record whose schedule was not executed. */
export const NO_EDITS = nullsOf(edits);

/** Null for every key of an object. */
function nullsOf<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  const entries = Object.keys(schema.shape).map((key) => [key, null]);
  return Object.fromEntries(entries) as { [Key in keyof Shape]: null };
}

/** An infeasible plan that was repaired, a disrupted execution, or one after the other; null if neither. */
const repairSchema = z.object({
  phase: z.union([z.literal('plan'), phaseSchema]),
  ...planRepair.shape,
  ...edits.shape,
});

/**
 * The requests of a record by outcome: requests sent, failed attempts by reason, and answers that were cut off at their
 * length limit or refused.
 */
const requestsSchema = z.object({
  sent: count,
  rate_limited: count,
  timed_out: count,
  failed: count,
  cut_off: count,
  refused: count,
});

/** Parts of answers that were read: operations with a claim, operations of the instance, and skipped parts. */
const decodingSchema = z.object({
  operations: count,
  expected: count,
  ignored: z.record(z.string(), count),
  answers_cut_off: count,
  answers_refused: count,
});

/** The model settings and usage of the plan; null if the planner uses no model. */
const llmSchema = z.object({
  models: z.array(z.string()),
  topology: z.string(),
  format: z.string(),
  prompt_version: z.string(),
  prompt_sha256: z.string(),
  repair_prompt_sha256: z.string().nullable(),
  answers: count,
  answer_files: z.array(z.string()),
  requests: requestsSchema.nullable(),
  decoding: decodingSchema.nullable(),
  self_verdict: z.object({ valid: z.boolean(), errors: z.array(z.string()) }).nullable(),
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

/** An external program as a planner, and how it ended. */
const processSchema = z.object({
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  peak_megabytes: z.number().nonnegative().nullable(),
  stderr: z.string(),
});

/** A better schedule that the validator accepts, or a better bound, with its time and the best values at that time. */
const improvementSchema = z.object({
  seconds: z.number().nonnegative(),
  value: count.nullable(),
  lower_bound: count.nullable(),
});

/** The shape of a record; `docs/reference/records.md` describes each key. */
export const recordSchema = z.object({
  schema: schemaName('alas-jssp/record@1'),
  instance: z.string(),
  suite: z.string(),
  jobs: count,
  machines: count,
  planner: z.string(),
  synthetic: z.boolean(),
  variant: z.string(),
  method: z.string().nullable(),
  replicate: count,
  seed: count,
  objective: z.enum(objectives),
  status: z.enum(['ok', 'infeasible', 'error']),
  feasible: z.boolean(),
  makespan: count.nullable(),
  tardiness: count.nullable(),
  claimed_makespan: z.number().nullable(),
  claimed_lower_bound: count.nullable(),
  lower_bound: count,
  lower_bound_source: z.enum(['own', 'literature']),
  upper_bound: count.nullable(),
  gap_percent: z.number().nullable(),
  optimality_percent: z.number().nullable(),
  proven_optimal: z.boolean(),
  contradiction: z.string().nullable(),
  violations: z.record(z.string(), count).nullable(),
  root_causes: z.record(z.string(), count).nullable(),
  improvements: z.array(improvementSchema),
  stages: stagesSchema,
  repair: repairSchema.nullable(),
  disruption: disruptionSchema.nullable(),
  // Absent in records of runs before it was measured.
  attribution: attributionSchema.nullable().default(null),
  llm: llmSchema.nullable(),
  process: processSchema.nullable(),
  tokens,
  cost_usd: z.number().nonnegative().nullable(),
  answer_seconds: seconds,
  answer_elapsed_seconds: seconds,
  seconds: z.object({
    plan: seconds,
    validate: seconds,
    repair: seconds,
    optimize: seconds,
    execute: seconds,
    total: z.number().nonnegative(),
  }),
  error: z.string().nullable(),
});

/** One instance × planner × variant × method × replicate: one line of `records.jsonl`. */
export type RunRecord = z.infer<typeof recordSchema>;

/** The stages of a record. */
export type RecordStages = RunRecord['stages'];

/** One point of {@link RunRecord.improvements}. */
export type RecordImprovement = z.infer<typeof improvementSchema>;

/** Keys that identify a record in a run. */
export type RecordIdentity = Pick<
  RunRecord,
  'instance' | 'planner' | 'variant' | 'method' | 'replicate'
>;

/** The part of a record that is known before it runs: its cell of the matrix. */
export type RecordHead = RecordIdentity &
  Pick<RunRecord, 'suite' | 'jobs' | 'machines' | 'synthetic' | 'seed' | 'objective'>;

/** Bounds of the objective of an instance. */
export type RecordBounds = Pick<RunRecord, 'lower_bound' | 'lower_bound_source' | 'upper_bound'>;

/** A unique key for the identity of a record. */
export function recordKey(identity: RecordIdentity): string {
  const { instance, planner, variant, method, replicate } = identity;
  return JSON.stringify([instance, planner, variant, method, replicate]);
}

/** Whether its search was interrupted: it has a result, but did not use its whole budget. */
export function isCutShort({ stages }: RunRecord): boolean {
  return stages.optimize?.status === 'interrupted';
}

/** Quality of a makespan; percentages are null where no upper bound is known. */
export type Quality = Pick<
  RunRecord,
  'makespan' | 'gap_percent' | 'optimality_percent' | 'proven_optimal'
>;

/**
 * Measures the makespan of a feasible schedule, or its absence (null): the gap to the best known upper bound in
 * percent, optimality (that bound / makespan) in percent, and whether the makespan meets the lower bound, which proves
 * it optimal.
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
 * Quality of an executed schedule. It is not measured: the bounds are those of an instance with other jobs, durations
 * and downtimes.
 */
export const NO_QUALITY: Omit<Quality, 'makespan'> = {
  gap_percent: null,
  optimality_percent: null,
  proven_optimal: false,
};

/** Whether the makespan of a record is that of its execution. */
export function isExecuted({ disruption }: Pick<RunRecord, 'disruption'>): boolean {
  return disruption !== null;
}

/** Cost of a stage or of a whole task: tokens, dollars (null: the price is unknown), seconds. */
export type RecordCost = Pick<z.infer<typeof stage>, 'tokens' | 'cost_usd' | 'seconds'>;

/** Cost without a model. */
export function costOfTime(seconds: number | null): RecordCost {
  return { tokens: NO_TOKENS, cost_usd: 0, seconds };
}

/** The record of a stage: a feasible schedule of this makespan, or none (null). */
export function measureStage(
  makespan: number | null,
  bounds: Pick<RunRecord, 'lower_bound' | 'upper_bound'>,
  cost: RecordCost,
): z.infer<typeof stage> {
  const { gap_percent } = measureQuality(makespan, bounds);
  return { feasible: makespan !== null, makespan, gap_percent, ...cost };
}

/** The stages of a record with a plan only. */
export function planStageOnly(plan: RecordStages['plan']): RecordStages {
  return { plan, repair: null, optimize: null };
}
