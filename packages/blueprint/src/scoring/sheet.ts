import * as z from 'zod';

/** The name and version of the JSON format of answer sheets. */
export const SHEET_SCHEMA = 'alas-jssp/sheet@1';

const text = z.string('give a text').min(1, 'give a text');

/** A constraint that a draft must have, found by the sentence it comes from or by its words. */
const expectedConstraint = z.strictObject({
  /** The constraint in one sentence, for people. */
  says: text,
  /** The sentence of the task. */
  quote: text,
  /** Words and numbers that the constraint must name; several constraints may come from one sentence. */
  words: z.array(text),
  /** Whether the draft must enforce it; a wish may be left to people. */
  enforced: z.boolean(),
});

const strategy = z.enum(['undo', 'mitigate', 'escalate', 'irreversible']);

/** An effect that a draft must have: a node that calls the tool, with one of these strategies. */
const expectedEffect = z.strictObject({ tool: text, strategies: z.array(strategy).min(1) });

/** An order that a draft must keep: a node that calls `before` runs on each path to one that calls `after`. */
const expectedOrder = z.strictObject({ before: text, after: text });

/** An approval that a draft must wait for, and the people who may give it. */
const expectedApproval = z.strictObject({ tool: text, approvers: z.array(text).optional() });

/** The answer sheet of a task in words: whatever a draft must have, independent of the ids in the draft. */
export const sheetSchema = z.strictObject({
  $schema: z.string().optional(),
  schema: z.literal(SHEET_SCHEMA, `give "${SHEET_SCHEMA}"`),
  task: text,
  kind: text,
  constraints: z.array(expectedConstraint),
  effects: z.array(expectedEffect),
  /** Tools whose calls cannot be undone: the draft must declare them so, and run them last or held. */
  irreversible: z.array(text),
  orders: z.array(expectedOrder),
  approvals: z.array(expectedApproval),
});

export type Sheet = z.infer<typeof sheetSchema>;
export type ExpectedConstraint = Sheet['constraints'][number];
export type ExpectedOrder = Sheet['orders'][number];
export type ExpectedApproval = Sheet['approvals'][number];
