import { fromJsonSchema, type JsonSchema, type Workflow } from '@alas-jssp/workflow';
import type * as z from 'zod';

const integer = { type: 'integer' } as const;
const text = { type: 'string' } as const;
const positive = { type: 'integer', minimum: 1 } as const;
const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

/** The schema of a name. The types of the values are those of the handlers. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export function form(name: keyof typeof schemas): z.ZodType<any, any> {
  return fromJsonSchema({ $ref: `#/schemas/${name}` });
}

/** An object with exactly these keys. */
function closed(properties: Record<string, JsonSchema>): Exclude<JsonSchema, boolean> {
  const required = Object.keys(properties);
  return { type: 'object', properties, required, additionalProperties: false };
}

/** An object with these required keys, those optional ones, and no others. */
function open(properties: Record<string, JsonSchema>, more: Record<string, JsonSchema>) {
  const { required } = closed(properties);
  return { ...closed({ ...properties, ...more }), required };
}

/** For another objective than the makespan. */
const worth: Record<string, JsonSchema> = { value: nullable(integer) };

const verdict: Record<string, JsonSchema> = {
  valid: { type: 'boolean' },
  makespan: nullable(integer),
  stage: { enum: ['plan', 'repair', 'optimize'] },
  report: { type: 'object' },
};

const bound = closed({ value: { type: 'number' }, source: text });

/** Inputs and outputs of the steps of the pipeline, as the log has them. */
export const schemas = {
  /** The task of a run. The instance goes by its name and the checksum of its numbers. */
  task: closed({
    instance: closed({ name: text, sha256: text }),
    planner: text,
    seed: integer,
    objective: text,
    replicate: integer,
    repairSeed: nullable(integer),
    optimizeSeed: nullable(integer),
    bound: nullable(bound),
    budget: nullable({
      ...closed({
        seconds: { type: 'number' },
        iterations: { type: 'integer' },
        target: { type: 'integer' },
      }),
      required: [],
    }),
  }),
  /** `{ "$schedule": [starts] }`, or the entries that a planner claimed. */
  candidate: { type: 'object' },
  proposedPlan: {
    type: 'object',
    properties: {
      candidate: { $ref: '#/schemas/candidate' },
      /** Usage and settings of the model, for planners that use one. */
      usage: { type: 'object' },
      promptReport: { type: 'object' },
      /** Better plans and bounds that the planner delivered before. */
      progress: { type: 'object' },
    },
    required: ['candidate'],
    additionalProperties: false,
  },
  /** A plan with the input of its validation, and its author if only the search knows it. */
  judgedPlan: {
    type: 'object',
    properties: {
      candidate: { $ref: '#/schemas/candidate' },
      bound: nullable(bound),
      stage: verdict.stage,
    },
    required: ['candidate'],
  },
  /** The judgement of a planner on its own plan. */
  selfVerdict: closed({
    valid: { type: 'boolean' },
    errors: { type: 'array', items: text },
    usage: { type: 'object' },
  }),
  verdict: open(verdict, worth),
  /** A candidate, its violations, and the results of the rounds before. */
  repairInput: {
    type: 'object',
    properties: {
      candidate: { $ref: '#/schemas/candidate' },
      details: { type: 'object' },
      report: { type: 'object' },
    },
    required: ['candidate', 'report'],
  },
  /** A candidate that was not validated. */
  blindRepairInput: {
    type: 'object',
    properties: { candidate: { $ref: '#/schemas/candidate' }, details: { type: 'object' } },
    required: ['candidate'],
  },
  repairedPlan: closed({
    candidate: { $ref: '#/schemas/candidate' },
    /** Whether the repair claims that the plan violates no rule. */
    feasible: { type: 'boolean' },
    details: { type: 'object' },
  }),
  /** A repaired candidate and the verdict on it. */
  repairRound: closed({
    candidate: { $ref: '#/schemas/candidate' },
    feasible: { type: 'boolean' },
    details: { type: 'object' },
    ...verdict,
  }),
  searchedPlan: {
    type: 'object',
    properties: {
      candidate: { $ref: '#/schemas/candidate' },
      status: { enum: ['optimal', 'feasible', 'interrupted'] },
      lowerBound: bound,
      iterations: integer,
      /** For a search from an unvalidated plan: whether the plan was kept (`plan`) or improved. */
      stage: verdict.stage,
      /** Intermediate schedules and bounds, by the seconds of the search. */
      points: { type: 'array' },
    },
    required: ['candidate', 'status', 'lowerBound', 'iterations'],
    additionalProperties: false,
  },
  gate: closed({ valid: { type: 'boolean' } }),
  failure: closed({ error: text }),
  outcome: closed({
    status: { enum: ['ok', 'infeasible', 'error'] },
    makespan: nullable(integer),
    error: nullable(text),
  }),
} as const satisfies Record<string, JsonSchema>;

/** Log entries that steps write besides their outputs; steps that ask a model also log their requests. */
export const logSchemas: Workflow['logSchemas'] = {
  validator: {
    required: ['stage', 'makespan', 'counts'],
    properties: { stage: verdict.stage, makespan: verdict.makespan, counts: { type: 'object' } },
  },
  repair: { required: ['round'], properties: { round: positive } },
  modelRepair: { required: [], properties: { round: positive, request: positive } },
};
