import { schemaName } from '@alas-jssp/core/schema-name';
import * as z from 'zod';
import { manifestSchema } from '../run/manifest.js';

const count = z.int().nonnegative();
const checksum = z.string().regex(/^[0-9a-f]{64}$/);
const tokens = z.object({ input: count, output: count, estimated: z.boolean() });
const dollars = z.number().nonnegative().nullable();

/** A line that reads from left to right, as it is shown. */
const line = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+$/u);

/** The schedule of one planner for one instance, measured by the bounds of this package. */
const resultSchema = z.object({
  instance: z.string(),
  // Of the canonical text of the instance.
  sha256: checksum,
  planner: z.string(),
  variant: z.string(),
  replicate: count,
  status: z.enum(['ok', 'infeasible', 'error']),
  // Null without a feasible schedule.
  makespan: count.nullable(),
  lower_bound: count,
  upper_bound: count.nullable(),
  gap_percent: z.number().nullable(),
  proven_optimal: z.boolean(),
  // Whether the planner's plan was feasible before its repair, as the record says; null without a repair.
  feasible_before_repair: z.boolean().nullable().default(null),
  // Of the file of the schedule; null if it is not saved.
  schedule_sha256: checksum.nullable(),
  seconds: z.number().nonnegative(),
  tokens,
  cost_usd: dollars,
});

/** The shape of an entry of the leaderboard; `docs/how-to/leaderboard.md` describes each key. */
export const leaderboardEntrySchema = z.object({
  schema: schemaName('alas-jssp/leaderboard-entry@1'),
  planners: z.array(z.string()).min(1),
  // The submitter; null for runs of the project.
  by: line.nullable(),
  links: z.array(z.url({ protocol: /^https$/ }).max(500)).max(10),
  // Of alas-jssp, which made the run.
  version: z.string(),
  commit: z.string().nullable(),
  command: z.string().nullable(),
  // When the run finished.
  date: z.string(),
  machine: manifestSchema.shape.machine,
  threads: count,
  time_limit_seconds: z.number().nullable(),
  suite: z.string().nullable(),
  replicates: count,
  seed: count,
  repair: z.boolean(),
  optimize: z.string().nullable(),
  // Whether the schedules were judged again for this entry, or are not saved.
  schedules: z.enum(['judged', 'none']),
  records_sha256: checksum,
  tokens,
  cost_usd: dollars,
  results: z.array(resultSchema).min(1),
});

/** A submission to the leaderboard: a run, and the result of every record. */
export interface LeaderboardEntry extends z.output<typeof leaderboardEntrySchema> {}

/** The result of one record of a submission. */
export type LeaderboardResult = z.output<typeof resultSchema>;

/** The JSON Schema (draft 2020-12) of entries, made from the schema that reads them. */
export function leaderboardJsonSchema(): object {
  const schema = z.toJSONSchema(leaderboardEntrySchema, { io: 'input', target: 'draft-2020-12' });
  return { ...schema, title: 'Entry of the leaderboard of alas-jssp' };
}
