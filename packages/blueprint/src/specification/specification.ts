import * as z from 'zod';

/** The name and version of the JSON format of task specifications. */
export const SPECIFICATION_SCHEMA = 'alas-jssp/specification@1';

const text = z.string('give a text').min(1, 'give a text');
export const identifier = z
  .string('give an id')
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'use letters, digits, - and _');

/** The sentence of the task that a statement comes from, word for word; null if the statement is assumed. */
const source = text.nullable();

const objective = z.strictObject({ id: identifier, text, source });

const entity = z.strictObject({ id: identifier, name: text, fields: z.array(text), source });

/** A member of the input of a run: what changes from case to case. */
const inputField = z.strictObject({
  name: identifier,
  type: z.enum(['string', 'number', 'integer', 'boolean', 'list', 'object']),
  /** Of a list: the fields of its items, by name. */
  items: z.record(identifier, z.enum(['string', 'number', 'integer', 'boolean'])).optional(),
  description: text,
  /** A value for trials. */
  example: z.json(),
});

/** An operation of the task: one action on one system, or a decision or computation of its own. */
const operation = z.strictObject({
  id: identifier,
  does: text,
  /** The system that it acts on; null for computations and decisions. */
  system: text.nullable(),
  access: z.enum(['compute', 'decide', 'read', 'change', 'irreversible']),
  /** How the text says it is undone; null if it does not say so. */
  undo: text.nullable(),
  source,
});

const constraint = z.strictObject({
  id: identifier,
  /** A constraint of the whole task, of single operations, or a wish that may be given up. */
  scope: z.enum(['global', 'operation', 'preference']),
  text,
  /** Operations that it limits; empty: all. */
  operations: z.array(identifier),
  source,
});

/** A disruption that the workflow shall survive. */
const disruption = z.strictObject({
  id: identifier,
  kind: z.enum(['failure', 'timeout', 'rejection', 'crash', 'change', 'other']),
  text,
  /** The operation that it hits; null: any. */
  operation: identifier.nullable(),
  source,
});

/** A question that the text leaves open, with the answer that is assumed until a person gives another one. */
const question = z.strictObject({ id: identifier, question: text, assumed: text });

/** A statement that the text does not make. Numbers and names that only it holds are listed in `values`. */
const assumption = z.strictObject({ id: identifier, text, reason: text, values: z.array(text) });

/** The parts of a specification, each of which a planner answers by itself. */
export const SPECIFICATION_PARTS = {
  objectives: z.strictObject({ title: text, objectives: z.array(objective).min(1) }),
  entities: z.strictObject({ entities: z.array(entity) }),
  inputs: z.strictObject({ inputs: z.array(inputField) }),
  operations: z.strictObject({ operations: z.array(operation).min(1) }),
  constraints: z.strictObject({ constraints: z.array(constraint) }),
  disruptions: z.strictObject({ disruptions: z.array(disruption) }),
  questions: z.strictObject({
    questions: z.array(question),
    assumptions: z.array(assumption),
  }),
} as const;

/** A task, as the planner understood its words: algorithm 1 of ALAS takes (O, D, Φ) as given. */
export const specificationSchema = z.strictObject({
  schema: z.literal(SPECIFICATION_SCHEMA),
  ...SPECIFICATION_PARTS.objectives.shape,
  ...SPECIFICATION_PARTS.entities.shape,
  ...SPECIFICATION_PARTS.inputs.shape,
  ...SPECIFICATION_PARTS.operations.shape,
  ...SPECIFICATION_PARTS.constraints.shape,
  ...SPECIFICATION_PARTS.disruptions.shape,
  ...SPECIFICATION_PARTS.questions.shape,
});

export type Specification = z.infer<typeof specificationSchema>;
export type Operation = Specification['operations'][number];
export type Constraint = Specification['constraints'][number];
export type Disruption = Specification['disruptions'][number];
