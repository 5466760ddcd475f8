import * as z from 'zod';

/** The name and version of the JSON format of workflows. */
export const WORKFLOW_SCHEMA = 'alas-jssp/workflow@1';

// The messages of these schemas are hints: the problem is made from the value that is found.
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

/** An object of things that go by a name. */
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
  /** Attempts in all, the first one counted. */
  maxAttempts: count,
  /** Codes of the errors that are worth another attempt; `*` stands for any. */
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
  /** Codes of the errors that are routed; `*` stands for any. */
  errors: names,
  /** The node that goes on with `{ error, input }`; it stands in the same body. */
  handler: name.optional(),
  /**
   * In place of a handler: a node before this one in the same body. What came after it is undone,
   * and the body goes on from there.
   */
  backTo: name.optional(),
  /** How often it goes back at most; 1 unless something else is said. */
  times: count.optional(),
})
  .refine(({ handler, backTo }) => (handler === undefined) !== (backTo === undefined), {
    error: 'give either handler or backTo',
  })
  .refine(({ backTo, times }) => times === undefined || backTo !== undefined, {
    error: 'give times with backTo only',
  });

/** Only `{runId}`, `{nodeId}` and `{inputHash}` may stand in a template: planners make no keys. */
const idempotencyKey = part({
  template: name.default('{runId}|{nodeId}|{inputHash}'),
  scope: choose('workflow', 'node', 'resource').default('node'),
});

const compensation = part({
  /** The registered compensator that undoes the node's effect. */
  handler: name,
  /** When it fires; `onFailure` and `onCancel` unless something else is said. */
  triggers: z
    .array(choose('onFailure', 'onCancel', 'manual', 'deadline'), 'give a list of triggers')
    .default(['onFailure', 'onCancel']),
  /** For the trigger `deadline`: seconds after the effect at which it fires if still held. */
  deadlineSeconds: seconds.optional(),
  /** Error codes that compensate this step's saga when it fails; `*` (default) is any. */
  compensateOn: names.default(['*']),
  /** A compensator may run twice for one effect, and must then do nothing the second time. */
  safeReinvoke: flag,
  timeout: part({ seconds }).optional(),
  retry: retry.optional(),
  backoff: backoff.optional(),
});

/**
 * The guards that end a loop; a deadline counts from the start of the run, a budget from that of the
 * loop.
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
  /** Names of those who may give or deny the approval of a task. Anybody unless something else is said. */
  approvers: names.optional(),
  /**
   * How long the answer of an attempt that has timed out is waited for before it is undone, and
   * before the run ends; 10 seconds unless something else is said.
   */
  lateAnswer: part({ seconds }).optional(),
  catch: z.array(caught).optional(),
  idempotencyKey: idempotencyKey.optional(),
  compensation: compensation.optional(),
  loopGuards: loopGuards.optional(),
}).meta({ id: 'Policy' });

/** The repair specification of a node (ρ): bounds that its handler keeps, and what it is there for. */
const repairSpec = part({
  /** The changes that it may make: of times, of the order on a resource, of the resource. */
  primitives: z.array(choose('time', 'order', 'resource'), 'give a list of primitives'),
  /** Operations for which a new place or start may be chosen, at most. */
  maxEdits: count.optional(),
  /** Hops from what is wrong within which it may choose anew, at most. */
  maxRadius: count.optional(),
  /** Repairs of one plan, or after one event, at most: beyond them the node hands on what it got. */
  maxRounds: count.optional(),
  /** Kinds of disruptions that it covers; empty: all those that its handler is made for. */
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
  /** How much of the log the node's validators see at most (the scope κ). */
  context: part({ entries: count.optional(), bytes: count.optional() }).optional(),
  /**
   * Where the input comes from, or each of its keys: `input`, `input.a.b`, `outputs.ID` or
   * `outputs.ID.a.b`; of a list the first that is there. Without it: the output of the only predecessor that ran, an
   * object of outputs by id if several ran, the input of the body if there is none.
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
  /** The registered handler that does the work; the node's id if not given. */
  handler: name.optional(),
  /** The effect of the task outside: none (a step that can be done again at will), or more. */
  effect: choose('none', 'compensable', 'partial', 'irreversible').default('none'),
  /**
   * The approval that must be given before the task runs. `{input.KEY}` in it stands for a value of the
   * input of the task: in a loop each turn can have an approval of its own.
   */
  approval: name.regex(/^[^{}]*(\{input(\.\w+)+\}[^{}]*)*$/, 'use {input.KEY} only').optional(),
});

/** Goes on along the first branch edge whose guard holds, else along the default edge. */
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
 * A bounded loop. With `items` (a reference into its input, such as `input.jobs`) the body runs
 * for each of them, and the output is the list of its outputs. With `until` it runs again and
 * again, each time on the output of the last, until the guard holds on that output or a loop guard
 * ends it; the output is the last one.
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
  /** The largest change that a repair may make of what goes along this edge. */
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

/** The canonical workflow: what is executed, logged, checked and converted. */
export const workflowSchema = part({
  /** For editors, which look up `schemas/workflow.schema.json` by it. */
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
  /** The schemas of messages by name that a run takes though no node waits for them. */
  signals: named('JSON Schemas', jsonSchema).optional(),
  /**
   * Conditions over `$input`, `$output` and `$outputs`, the outputs of the nodes by id. They hold
   * whenever all that they read is there, and at the end of the run.
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
