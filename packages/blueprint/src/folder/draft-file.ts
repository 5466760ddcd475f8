import * as z from 'zod';

/** The name and version of the JSON format of `draft.json`. */
export const DRAFT_SCHEMA = 'alas-jssp/draft@1';

const text = z.string();

const finding = z.strictObject({
  code: text,
  severity: z.enum(['error', 'warning']),
  part: text,
  path: text,
  message: text,
  hint: text,
});

/** The result of the trials of one compensation. */
const undoProof = z.strictObject({
  node: text,
  strategy: z.enum(['undo', 'mitigate', 'escalate', 'irreversible']),
  /** `proven` by trials; `escalated` to a person, because it failed them or nothing could be tried. */
  verdict: z.enum(['proven', 'escalated']),
  /** The system of the trials: the tool's own trial system, or one made from the tool's declaration. */
  against: z.enum(['trial system', 'declaration', 'nothing']),
  /** Trials by kind, such as `repeated call`, with their number. */
  trials: z.record(text, z.int()),
  /** The first trial that failed. */
  counterexample: text.nullable(),
  /** SHA-256 of the strategy and the sequence that were tried; drafts of older versions have none. */
  digest: text.optional(),
});

/**
 * `DIR/draft.json`: what the draft is, and whether it passed. Beside it: `task.md`, `tools.json` (the resolved
 * catalogue), `specification.json`, `template.json`, `workflow.json`, `agents/*` (with their code), `draft.db` (the log of drafting).
 */
export const draftFileSchema = z.strictObject({
  schema: z.literal(DRAFT_SCHEMA),
  name: text,
  passed: z.boolean(),
  planner: text,
  /** The planner of agents with prompts, and that of reviewers; null if there are none. */
  agents: text.nullable(),
  reviewer: text.nullable(),
  /** The source of the tools, relative to DIR or as given; null if none was named. */
  tools: text.nullable(),
  rounds: z.int(),
  /** Findings left over by the kept draft. */
  findings: z.array(finding),
  undo: z.array(undoProof),
  usage: z.strictObject({
    requests: z.int(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    estimated: z.boolean(),
    usd: z.number().nullable(),
    seconds: z.number(),
  }),
  /** SHA-256 of the other files, by name: a draft whose files were changed is judged again before it is used. */
  digests: z.record(text, text),
});

export type DraftFile = z.infer<typeof draftFileSchema>;
export type UndoProof = z.infer<typeof undoProof>;
