import { mappingSchema } from '@alas-jssp/agents';
import * as z from 'zod';
import { identifier } from '../specification/specification.js';

/** The name and version of the JSON format of workflow templates. */
export const TEMPLATE_SCHEMA = 'alas-jssp/template@1';

const text = z.string('give a text').min(1, 'give a text');
const count = z.int('give a whole number from 1').min(1, 'give a whole number from 1');
const seconds = z.number('give seconds, above 0').positive('give seconds, above 0');
const expression = z
  .string('give an expression in JSONata')
  .min(1, 'give an expression in JSONata');
const jsonSchema = z.record(z.string(), z.json(), 'give a JSON Schema of an object');

/** A role, and the specification α of the agents that play it (ALAS, section 3.1). */
const role = z.strictObject({
  id: identifier,
  kind: z.enum(['planner', 'validator', 'repair', 'optimizer', 'supervisor', 'domain']),
  purpose: text,
  /** Capabilities of the tools that it may call; calls of others are refused. */
  capabilities: z.array(text),
  /** The context κ: the kinds of facts that its agents see besides their input, and the limit of their size. */
  context: z.strictObject({
    keeps: z.array(z.enum(['goals', 'constraints', 'decisions', 'dependencies', 'entities'])),
    tokens: count,
  }),
  /** Limits of one answer of a model. */
  efficiency: z.strictObject({ tokens: count.optional(), seconds: seconds.optional() }).default({}),
  /** Whether its agent is chosen when a run starts, not when the draft is made. */
  late: z.boolean().default(false),
});

/** A node of the graph, before its details. */
const nodeOutline = z.strictObject({
  id: identifier,
  /**
   * `tool`: calls a tool. `model`: an agent with a prompt. `compute`: a pure function. `choice`: takes the first edge
   * whose guard holds.
   */
  work: z.enum(['tool', 'model', 'compute', 'choice']),
  /** Null for a choice. */
  role: identifier.nullable(),
  does: text,
  /** The operation of the specification that it performs; null for checks, reviews and choices. */
  operation: identifier.nullable(),
});

const edge = z.strictObject({
  from: identifier,
  to: identifier,
  /** Of edges from a choice: a boolean JSONata expression over `$input`, the input of the choice. */
  when: expression.optional(),
  /** Of one edge from a choice: taken if no guard holds. */
  otherwise: z.literal(true).optional(),
  repairable: z.enum(['time', 'order', 'resource', 'none']).default('none'),
});

/** The details of a node. */
const nodeDetails = z.strictObject({
  id: identifier,
  /** Of work `tool`: the tool's name. If no tool has it, the factory looks for one that fits. */
  tool: text.optional(),
  /** Sources of its input: `input.KEY`, `outputs.NODE.KEY`, `item.KEY` with `forEach`, or constants. */
  input: mappingSchema,
  /** A reference to a list: the node runs once for each item. */
  forEach: text.optional(),
  /** Of work `model` and `compute`: the schema of its output. A tool has its own. */
  output: jsonSchema.optional(),
  /** The approval that it waits for. */
  approval: text.optional(),
  /** The people who may give the approval. Default: anyone. */
  approvers: z.array(text).optional(),
  retry: z.strictObject({ attempts: count, on: z.array(text).default(['*']) }).optional(),
  timeout: seconds.optional(),
  /** Routes of errors: to a node that continues, or back to an earlier one. */
  catch: z
    .array(
      z.strictObject({
        errors: z.array(text).min(1),
        to: identifier.optional(),
        backTo: identifier.optional(),
        times: count.optional(),
      }),
    )
    .optional(),
  /** The node whose output it reviews; its role is a validator. An output `{ ok: false }` fails the reviewed work. */
  reviews: identifier.optional(),
  /** Earlier nodes whose results its agent must see, although they are not part of its input. */
  sees: z.array(identifier).default([]),
  /** Keys that every log entry of the node has. */
  log: z.array(text).default([]),
  /** The repair specification ρ, for nodes of repair roles. */
  repair: z
    .strictObject({
      primitives: z.array(z.enum(['time', 'order', 'resource'])).min(1),
      maxEdits: count,
      maxRadius: count.optional(),
    })
    .optional(),
});

/** The place that enforces a constraint. */
const enforcement = z.discriminatedUnion('by', [
  /** A condition over `$input`, `$output` and `$outputs` of the workflow, which holds throughout. */
  z.strictObject({ by: z.literal('invariant'), holds: expression }),
  /** A condition over `$input` and `$output` of a node, judged before its output is committed. */
  z.strictObject({ by: z.literal('output'), node: identifier, holds: expression }),
  /** A condition over `$input` of a node, judged before it starts. */
  z.strictObject({ by: z.literal('input'), node: identifier, holds: expression }),
  /** A node that reviews. */
  z.strictObject({ by: z.literal('review'), node: identifier }),
  /** Every path to `after` passes `before`. */
  z.strictObject({ by: z.literal('order'), before: identifier, after: identifier }),
  /** A choice that only leads to the node if the condition of the constraint holds. */
  z.strictObject({ by: z.literal('choice'), choice: identifier, node: identifier }),
  z.strictObject({ by: z.literal('approval'), node: identifier }),
  /** A policy of a node: its timeout, its retry or its undo. */
  z.strictObject({
    by: z.literal('policy'),
    node: identifier,
    policy: z.enum(['timeout', 'retry', 'catch', 'undo']),
  }),
  /** The workflow does not enforce it, for a reason that people are shown. */
  z.strictObject({ by: z.literal('nothing'), reason: text }),
]);

const constraintCoverage = z.strictObject({
  constraint: identifier,
  enforced: z.array(enforcement).min(1),
});

/** The reaction to a disruption, and the nodes that may change because of it. */
const disruptionCoverage = z.strictObject({
  disruption: identifier,
  handler: z.discriminatedUnion('by', [
    z.strictObject({ by: z.literal('retry'), node: identifier }),
    z.strictObject({ by: z.literal('catch'), node: identifier }),
    z.strictObject({ by: z.literal('repair'), node: identifier }),
    /** The run fails, and all effects are undone. */
    z.strictObject({ by: z.literal('compensate') }),
    /** The log: the run resumes where it was. */
    z.strictObject({ by: z.literal('resume') }),
    /** A person decides by the approval of a node. */
    z.strictObject({ by: z.literal('escalate'), node: identifier }),
  ]),
  /** Never all nodes of the workflow, unless the handler is `compensate`. */
  neighbourhood: z.array(identifier).min(1),
  maxEdits: count.optional(),
});

/** The compensation of a node that changes something: the recovery sequence Γ (ALAS, C.2.4). */
const undo = z.strictObject({
  node: identifier,
  /**
   * `undo` restores the state; `mitigate` makes up for the effect; `escalate` leaves it to a person; `irreversible`
   * declares that nothing can be done, and the node is held until it is approved.
   */
  strategy: z.enum(['undo', 'mitigate', 'escalate', 'irreversible']),
  /** Calls in order, with sources `input.KEY`, `output.KEY` of the node, `key` (its idempotency key) and constants. */
  sequence: z.array(z.strictObject({ tool: text, input: mappingSchema })),
  reason: text,
});

/** The parts of a template, each of which a planner answers by itself; `node`, `undo`: one answer for each node. */
export const TEMPLATE_PARTS = {
  roles: z.strictObject({ roles: z.array(role).min(1) }),
  nodes: z.strictObject({ nodes: z.array(nodeOutline).min(1) }),
  /** `output` is the reference to the output of the workflow; default: that of the only last node. */
  edges: z.strictObject({ edges: z.array(edge), output: text.optional() }),
  node: nodeDetails,
  'constraint-coverage': z.strictObject({ constraintCoverage: z.array(constraintCoverage) }),
  'disruption-coverage': z.strictObject({ disruptionCoverage: z.array(disruptionCoverage) }),
  undo,
} as const;

/** A workflow template W (ALAS, algorithms 1 and 2): nodes, edges, constraints and log schemas, with roles. */
export const templateSchema = z.strictObject({
  schema: z.literal(TEMPLATE_SCHEMA),
  name: identifier,
  roles: z.array(role),
  nodes: z.array(nodeOutline.extend({ details: nodeDetails })),
  edges: z.array(edge),
  output: text.optional(),
  constraintCoverage: z.array(constraintCoverage),
  disruptionCoverage: z.array(disruptionCoverage),
  undo: z.array(undo),
});

export type Template = z.infer<typeof templateSchema>;
export type Role = Template['roles'][number];
export type TemplateNode = Template['nodes'][number];
export type TemplateEdge = Template['edges'][number];
export type Enforcement = z.infer<typeof enforcement>;
export type DisruptionCoverage = z.infer<typeof disruptionCoverage>;
export type Undo = z.infer<typeof undo>;
