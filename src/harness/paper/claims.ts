import { fileURLToPath } from 'node:url';
import { readJsonFile } from '@alas-jssp/core/json-file';
import { schemaName } from '@alas-jssp/core/schema-name';
import * as z from 'zod';

const claim = z.object({
  number: z.int(),
  title: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number()]))),
});

const claimedRow = claim.omit({ number: true, title: true });

/** Claims of a table or figure that has no report of its own. */
export type ClaimedRow = z.infer<typeof claimedRow>;

/** A table as printed in the paper. */
export type ClaimedTable = z.infer<typeof claim>;

const claimsSchema = z.object({
  schema: schemaName('alas-jssp/paper-claims@1'),
  source: z.string(),
  note: z.string(),
  tables: z.object({
    success: claim,
    optimality: claim,
    ablation: claim,
    time: claim,
    tokens: claim,
    cost: claim,
    summary: claim,
  }),
  // By the ids of rows of `alas-jssp paper`.
  others: z.record(z.string(), claimedRow).default({}),
});

/** Numbers that the paper reports of its own experiments, never results of this package. */
export type PaperClaims = z.infer<typeof claimsSchema>;

/** Reads `benchmarks/paper-claims.json`. `src/harness/paper` and `dist/harness/paper` have the same depth. */
export function readPaperClaims(): PaperClaims {
  const file = new URL('../../../benchmarks/paper-claims.json', import.meta.url);
  return readJsonFile(fileURLToPath(file), claimsSchema, 'claims of the paper');
}
