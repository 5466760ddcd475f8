import * as z from 'zod';

/** The name and version of the JSON format of workflows. */
export const WORKFLOW_SCHEMA = 'alas-jssp/workflow@1';

// The messages of these schemas are hints: the problem text is made from the found value.
const name = z.string('give a name').min(1, 'give a name');
const seconds = z.number('give seconds, from 0').min(0, 'give seconds, from 0');
const share = z
  .number('give a share from 0 to 1')
  .min(0, 'give a share from 0 to 1')
  .max(1, 'give a share from 0 to 1');
const count = z.int('give a whole number from 1').min(1, 'give a whole number from 1');
const text = z.string('give a text');
const expression = z.string('give an expression in JSONata');
const object = z.record(z.string(), z.json(), 'give an object');
const names = z.array(name, 'give a list of names');
const flag = z.boolean('give true or false');
const choose = <const T extends readonly string[]>(...words: T) =>
  z.enum(words, `give one of ${words.join(', ')}`);

/** An object with these keys and no others; the hint lists them. */
function part<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, `give an object with keys out of ${Object.keys(shape).join(', ')}`);
}

/** An object of values by name. */
function named<T extends z.ZodType>(what: string, value: T) {
  return z.record(name, value, `give an object of ${what} by name`);
}

/** A JSON Schema (draft 2020-12), or true for anything and false for nothing. */
const jsonSchema = z.union([z.boolean(), object], 'give a JSON Schema').meta({ id: 'JsonSchema' });

const io = part({
  input: jsonSchema.optional(),
  output: jsonSchema.optional(),
  error: jsonSchema.optional(),
}).meta({ id: 'Io' });

const retry = part({
  /** All attempts, including the first. */
  maxAttempts: count,
  /** Codes of the errors that justify another attempt; `*` matches any. */
  retryOn: names.default(['*']),
});

/** Waits between attempts, in seconds: `base`, or `base · 2^k` up to `cap`. */
const backoff = part({
  mode: choose('fixed', 'exponential'),
  base: seconds.default(1),
  cap: seconds.optional(),
  /** Share of the wait that is random, 0 to 1; seeded by run, node and attempt. */
  jitter: share.default(0),
});

const caught = part({
  /** Codes of the errors that are routed; `*` matches any. */
  errors: names,
  /** The node of the same body that continues with `{ error, input }`. */
  handler: name.optional(),
  /**
   * Instead of a handler: an earlier node of the same body. The effects after it are undone, and
   * the body continues from there.
   */
  backTo: name.optional(),
  /** Maximum number of returns; default 1. */
  times: count.optional(),
})
  .refine(({ handler, backTo }) => (handler === undefined) !== (backTo === undefined), {
    error: 'give either handler or backTo',
  })
  .refine(({ backTo, times }) => times === undefined || backTo !== undefined, {
    error: 'give times with backTo only',
  });

/** A template may contain only `{runId}`, `{nodeId}` and `{inputHash}`: planners make no keys. */
const idempotencyKey = part({
  template: name.default('{runId}|{nodeId}|{inputHash}'),
  scope: choose('workflow', 'node', 'resource').default('node'),
});

const compensation = part({
  /** The registered compensator that undoes the node's effect. */
  handler: name,
  /** When it fires; default `onFailure` and `onCancel`. */
  triggers: z
    .array(choose('onFailure', 'onCancel', 'manual', 'deadline'), 'give a list of triggers')
    .default(['onFailure', 'onCancel']),
  /**
   * For the trigger `deadline`: seconds after the effect at which it fires if the effect is still
   * held.
   */
  deadlineSeconds: seconds.optional(),
  /** Error codes of this step that compensate its saga; `*` (default) is any. */
  compensateOn: names.default(['*']),
  /**
   * Must be true: a compensator may run twice for one effect, and must then do nothing the second
   * time.
   */
  safeReinvoke: flag,
  timeout: part({ seconds }).optional(),
  retry: retry.optional(),
  backoff: backoff.optional(),
});

/**
 * The guards that end a loop; a deadline counts from the start of the run, a budget from the start
 * of the loop.
 */
const loopGuards = part({
  maxIters: count.optional(),
  deadlineSeconds: seconds.optional(),
  timeBudgetSeconds: seconds.optional(),
});

const policy = part({
  retry: retry.optional(),
  backoff: backoff.optional(),
  timeout: part({ seconds }).optional(),
  /** Limit of the wait for a message, an approval or a claim; then the step fails. */
  wait: part({ seconds }).optional(),
  /** Names of the people who may give or deny the approval of a task. Default: no restriction. */
  approvers: names.optional(),
  /**
   * Limit of the wait for the answer of a timed-out attempt, before its effect is undone and before
   * the run ends; default 10 seconds.
   */
  lateAnswer: part({ seconds }).optional(),
  catch: z.array(caught).optional(),
  idempotencyKey: idempotencyKey.optional(),
  compensation: compensation.optional(),
  loopGuards: loopGuards.optional(),
}).meta({ id: 'Policy' });

/** The repair specification of a node (ρ): bounds that its handler obeys, and its purpose. */
const repairSpec = part({
  /** The allowed changes: of times, of the order on a resource, of the resource. */
  primitives: z.array(choose('time', 'order', 'resource'), 'give a list of primitives'),
  /** Maximum number of operations with a new place or start. */
  maxEdits: count.optional(),
  /** Maximum distance, in hops from the fault, of the operations that it may move. */
  maxRadius: count.optional(),
  /**
   * Maximum number of repairs of one plan, or after one event; beyond it the node passes its input
   * on.
   */
  maxRepairs: count.optional(),
  /** Kinds of disruptions that it covers; empty: all kinds that its handler handles. */
  covers: names.default([]),
});

const reference = z
  .union([name, names.min(1, 'give at least one reference')], 'give a reference or a list of them')
  .meta({ id: 'Reference' });

const common = {
  id: z.string('give an id').regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'use letters, digits, - and _'),
  name: name.optional(),
  role: choose('planner', 'validator', 'repair', 'optimizer', 'supervisor', 'domain').optional(),
  capabilities: object.optional(),
  params: object.optional(),
  /** The maximum part of the log that the node's validators see (the scope κ). */
  context: part({ entries: count.optional(), bytes: count.optional() }).optional(),
  /**
   * The source of the input, or of each of its keys: `input`, `input.a.b`, `outputs.ID` or
   * `outputs.ID.a.b`; of a list, the first that exists. Default: the output of the only predecessor
   * that ran, an object of outputs by id if several ran, the input of the body if there is none.
   */
  input: z
    .union([reference, named('references', reference)], 'give a reference, or references by name')
    .optional(),
  io: io.default({}),
  policyRef: name.optional(),
  logSchemaRef: name.optional(),
  repair: repairSpec.optional(),
};

const task = part({
  ...common,
  type: z.literal('task'),
  /** The registered handler that does the work; default: the node's id. */
  handler: name.optional(),
  /** The external effect of the task: none (the task can be repeated at will), or more. */
  effect: choose('none', 'compensable', 'partial', 'irreversible').default('none'),
  /**
   * The approval that the task needs before it runs. `{input.KEY}` is replaced by a value of the
   * task's input: in a loop each iteration can have its own approval.
   */
  approval: name.regex(/^[^{}]*(\{input(\.\w+)+\}[^{}]*)*$/, 'use {input.KEY} only').optional(),
});

/** Takes the first branch edge whose guard holds, else the default edge. */
const choice = part({ ...common, type: z.literal('choice') });

/** Waits for a message of this name; its output is the payload, and `io.output` its schema. */
const wait = part({ ...common, type: z.literal('wait'), message: name });

/** Runs all branches on its input; its output holds theirs by name. */
const parallel = part({
  ...common,
  type: z.literal('parallel'),
  branches: named(
    'bodies',
    z.lazy(() => body),
  ),
  maxConcurrency: count.optional(),
});

/**
 * A bounded loop. With `items` (a reference into its input, such as `input.jobs`) the body runs for
 * each item, and the output is the list of its outputs. With `until` it runs repeatedly, each time
 * on the last output, until the guard holds on that output or a loop guard ends it; the output is
 * the last one.
 */
const map = part({
  ...common,
  type: z.literal('map'),
  items: name.optional(),
  until: expression.optional(),
  body: z.lazy(() => body),
  maxConcurrency: count.optional(),
});

const node = z
  .discriminatedUnion('type', [task, choice, wait, parallel, map], {
    error: 'give a node of type task, choice, wait, parallel or map',
  })
  .meta({ id: 'Node' });

const edge = part({
  from: name,
  to: name,
  kind: choose('sequence', 'branch', 'default').default('sequence'),
  /** Of branch edges: a boolean expression over `$input`, the input of the choice. */
  guard: expression.optional(),
  /** The largest change that a repair may make to the values on this edge. */
  repairable: choose('time', 'order', 'resource', 'none').default('none'),
}).meta({ id: 'Edge' });

interface BodyShape {
  nodes: z.infer<typeof node>[];
  edges: z.infer<typeof edge>[];
  output?: string | string[] | undefined;
}

/** A graph of nodes. Its output is a reference, by default the output of its only last node. */
const body: z.ZodType<BodyShape> = part({
  nodes: z.array(node, 'give a list of nodes'),
  edges: z.array(edge, 'give a list of edges'),
  output: reference.optional(),
}).meta({ id: 'Body' }) as never;

/** The keys of every payload that the handler of a node writes into the log. */
const logSchema = part({
  required: names.default([]),
  properties: object.optional(),
});

/** The canonical workflow, which is executed, logged, checked and converted. */
export const workflowSchema = part({
  /** For editors, which find `schemas/workflow.schema.json` by it. */
  $schema: text.optional(),
  schema: z.literal(WORKFLOW_SCHEMA, `give "${WORKFLOW_SCHEMA}"`),
  name,
  nodes: z.array(node, 'give a list of nodes'),
  edges: z.array(edge, 'give a list of edges'),
  output: reference.optional(),
  io: io.default({}),
  policies: named('policies', policy).default({}),
  /** The policy of nodes without `policyRef`. */
  defaultPolicy: name.optional(),
  /** JSON Schemas by name, to refer to as `{ "$ref": "#/schemas/NAME" }`. */
  schemas: named('JSON Schemas', jsonSchema).default({}),
  logSchemas: named('log schemas', logSchema).default({}),
  /** The schemas, by name, of messages that a run accepts although no node waits for them. */
  signals: named('JSON Schemas', jsonSchema).optional(),
  /**
   * Conditions over `$input`, `$output` and `$outputs`, the outputs of the nodes by id. They must
   * hold whenever all values that they read exist, and at the end of the run.
   */
  invariants: z.array(part({ name, holds: expression }), 'give a list of invariants').default([]),
  meta: object.default({}),
  description: text.optional(),
});

export type Workflow = z.infer<typeof workflowSchema>;
export type Body = z.infer<typeof body>;
export type Node = z.infer<typeof node>;
export type TaskNode = z.infer<typeof task>;
export type ChoiceNode = z.infer<typeof choice>;
export type WaitNode = z.infer<typeof wait>;
export type ParallelNode = z.infer<typeof parallel>;
export type MapNode = z.infer<typeof map>;
export type Edge = z.infer<typeof edge>;
export type Policy = z.infer<typeof policy>;
export type Compensation = z.infer<typeof compensation>;
export type RepairSpec = z.infer<typeof repairSpec>;
export type JsonSchema = z.infer<typeof jsonSchema>;
