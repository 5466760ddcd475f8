import * as z from 'zod';
import {
  changeOfEnd,
  changeOfNumber,
  clampedSchema,
  eventSchema,
  instanceSchema,
  labelSchema,
  moveSchema,
  objectiveSchema,
  planSchema,
  policySchema,
  timeSchema,
} from './common.js';
import { outcomeSchema } from './shop-schemas.js';

// Stateless requests: the service stores nothing of them.

const mostSchema = z.int().min(0).max(10_000).optional().meta({
  description: 'Most entries of a list in the answer; default 20. `more` says what is cut.',
});
const seedSchema = z.int().min(0).max(0xffff_ffff).optional();
const exampleEvent = { kind: 'breakdown', machine: 'Machine2', from: 10, to: 25 };
const examplePlan = {
  entries: [{ job: 'Job1', step: 1, machine: 'Machine2', start: 0, end: 1 }],
};

/** POST /validate */
export const validateRequestSchema = z
  .strictObject({ instance: instanceSchema, plan: planSchema, most: mostSchema })
  .meta({ id: 'ValidateRequest', examples: [{ instance: 'ft06', plan: examplePlan, most: 5 }] });

/** Violations with one cause. */
const causeSchema = z.object({
  /** The code of the violation at the root, such as `machine_overlap`. */
  code: z.string(),
  explanation: z.string(),
  job: labelSchema.optional(),
  step: z.int().optional(),
  machine: labelSchema.optional(),
  /** Further violations that follow from it. */
  cascades: z.int(),
});

const boundSchema = z.object({ value: z.number(), source: z.string() });

/** The answer of POST /validate. */
export const validateAnswerSchema = z
  .object({
    instance: z.string(),
    valid: z.boolean(),
    makespan: z.number().nullable(),
    total_weighted_tardiness: z.number().nullable(),
    /** The number of all violations, and of those by code. */
    total: z.int(),
    counts: z.record(z.string(), z.int()),
    causes: z.array(causeSchema),
    more: z.int(),
    warnings: z.array(z.string()),
    /** The best bounds on the makespan in the literature. */
    lower_bound: boundSchema.nullable(),
    upper_bound: boundSchema.nullable(),
  })
  .meta({ id: 'Validation' });

/** A pinned operation that cannot keep its start, and the reason. */
export const lostPinSchema = z.object({
  job: z.string(),
  step: z.int(),
  operation: z.string().optional(),
  machine: z.string(),
  was: timeSchema,
  start: timeSchema,
  why: z.string(),
});

/** POST /repair */
export const repairRequestSchema = z
  .strictObject({
    instance: instanceSchema,
    plan: planSchema,
    /** Events that hit the plan during its execution; without events the plan itself is made feasible. */
    events: z.array(eventSchema).max(1000).optional(),
    /** The time of the repair; default: the time at which the last event became known. */
    now: timeSchema.optional(),
    policy: policySchema.optional(),
    /** Default `lcrp`. */
    method: z.string().max(100).optional(),
    seed: seedSchema,
    most: mostSchema,
    /** Whether the answer includes the instance in execution, with its downtimes and frozen starts. */
    with_instance: z.boolean().optional(),
  })
  .meta({
    id: 'RepairRequest',
    examples: [{ instance: 'ft06', plan: examplePlan, events: [exampleEvent], now: 10 }],
  });

/** The answer of POST /repair. */
export const repairAnswerSchema = z
  .object({
    instance: z.string(),
    method: z.string(),
    objective: objectiveSchema,
    phase: z.string(),
    now: timeSchema.nullable(),
    feasible: z.boolean(),
    /** Whether the plan can be followed: it violates no rule except deadlines. */
    executable: z.boolean(),
    /** Violations of the given plan. */
    violations_before: z.int(),
    makespan: changeOfEnd.extend({ before: z.number().nullable() }),
    total_weighted_tardiness: changeOfNumber.extend({ before: z.number().nullable() }).nullable(),
    /** The number of operations whose start changed. */
    moved: z.int(),
    moves: z.array(moveSchema),
    more: z.int(),
    skipped: outcomeSchema.shape.skipped,
    /** Operations that the policy holds at their starts (pins, the frozen horizon) but that move, with the reasons. */
    lost_pins: z.array(lostPinSchema),
    /** Settings of the policy that the service reduced. */
    clamped: z.array(clampedSchema),
    plan: z.looseObject({}),
    /** Null unless requested by `with_instance`. */
    instance_after: z.looseObject({}).nullable(),
    seconds: z.number(),
  })
  .meta({ id: 'Repair' });

/** POST /optimize */
export const optimizeRequestSchema = z
  .strictObject({
    instance: instanceSchema,
    /** Such as `10s`, `200k-iterations` or `{ "seconds": 10, "target": 930 }`; default 5 seconds. */
    budget: z
      .union([
        z.string().max(100),
        z.strictObject({
          seconds: z.number().positive().optional(),
          iterations: z.int().positive().optional(),
          target: z.number().min(0).optional(),
        }),
      ])
      .optional(),
    /** Default: total weighted tardiness if jobs have due dates, else the makespan. */
    objective: objectiveSchema.optional(),
    /** A feasible initial plan; the result is never worse. */
    start: planSchema.optional(),
    seed: seedSchema,
  })
  .meta({ id: 'OptimizeRequest', examples: [{ instance: 'ft06', budget: '1s' }] });

/** The answer of POST /optimize. */
export const optimizeAnswerSchema = z
  .object({
    instance: z.string(),
    objective: z.string(),
    /** `interrupted`: the service or one of its limits ended the search before its budget. */
    status: z.enum(['optimal', 'feasible', 'interrupted']),
    value: z.number(),
    makespan: z.number(),
    lower_bound: boundSchema,
    upper_bound: boundSchema.nullable(),
    iterations: z.int(),
    seconds: z.number(),
    plan: z.looseObject({}),
  })
  .meta({ id: 'Optimization' });

/** POST /explain */
export const explainRequestSchema = repairRequestSchema.omit({ with_instance: true }).meta({
  id: 'ExplainRequest',
  examples: [{ instance: 'ft06', plan: examplePlan, events: [exampleEvent], now: 10 }],
});

/** The answer of POST /explain. */
export const explainAnswerSchema = z
  .object({
    instance: z.string(),
    valid: z.boolean(),
    /** The causes of the violations of the plan. */
    causes: z.array(causeSchema),
    more_causes: z.int(),
    /** The moves and their reasons, if there are events. */
    moves: z.array(moveSchema),
    more_moves: z.int(),
    /** The cost of the limits of the policy; null without events or without limits. */
    limits: z.object({ objective: z.string(), within: z.number(), without: z.number() }).nullable(),
    /** Settings of the policy that the service reduced. */
    clamped: z.array(clampedSchema),
    /** The same information in a few lines. */
    lines: z.array(z.string()),
  })
  .meta({ id: 'Explanation' });

/** The progress of a request: the data of `progress` events. */
export const progressSchema = z
  .object({
    stage: z.enum(['waiting', 'reading', 'working']),
    seconds: z.number(),
    /** The best value of the objective so far, for a search. */
    best: z.number().nullable(),
    lower_bound: z.number().nullable(),
    iterations: z.int().nullable(),
  })
  .meta({ id: 'Progress' });

/** The summary of a benchmark. */
export const benchmarkSchema = z
  .object({
    name: z.string(),
    suite: z.string(),
    jobs: z.int(),
    machines: z.int(),
    operations: z.int(),
    lower_bound: z.number(),
    upper_bound: z.number(),
  })
  .meta({ id: 'Benchmark' });

export type ValidateRequest = z.infer<typeof validateRequestSchema>;
export type RepairRequest = z.infer<typeof repairRequestSchema>;
export type OptimizeRequest = z.infer<typeof optimizeRequestSchema>;
export type ExplainRequest = z.infer<typeof explainRequestSchema>;
export type WorkProgress = z.infer<typeof progressSchema>;
