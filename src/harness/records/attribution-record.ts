import * as z from 'zod';

const value = z.int().nonnegative().nullable();
const share = z.number().min(0).max(1).nullable();

const edges = z.object({ kept: share, by_chance: share, by_rule: share });

/** The facts of a record from which its attribution is computed; null in runs without `--attribution`. */
export const attributionSchema = z.object({
  // The objective after each stage; null without a feasible schedule, or for a stage that did not run.
  values: z.object({ plan: value, repair: value, final: value }),
  // Operations of the instance, and those of them for which the plan has a usable claim.
  operations: z.int().nonnegative(),
  claimed: z.int().nonnegative(),
  // Null without a final schedule.
  pairs: edges.nullable(),
  neighbours: edges.nullable(),
});

/** The facts for the attribution of one record. */
export type AttributionRecord = z.infer<typeof attributionSchema>;
