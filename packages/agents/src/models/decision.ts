import type { Json, StepContext } from '@alas-jssp/workflow';
import * as z from 'zod';

/** A decision in an answer: under the key `decision` it is logged as `Decide`, and later agents see it. */
export const decisionSchema = z.strictObject({
  choice: z.string().min(1),
  reasons: z.array(z.string()),
  rejected: z.array(z.strictObject({ choice: z.string(), reason: z.string() })),
});

export type Decision = z.infer<typeof decisionSchema>;

/** The decision in the output of an agent; null if there is none. */
export function decisionIn(output: unknown): Decision | null {
  const { decision } = (output ?? {}) as { decision?: unknown };
  const parsed = decisionSchema.safeParse(decision);
  return parsed.success ? parsed.data : null;
}

/** Logs the decision in an output. */
export function logDecision(
  output: unknown,
  by: string,
  fields: Readonly<Record<string, Json>>,
  { log }: Pick<StepContext, 'log'>,
): void {
  const decision = decisionIn(output);
  if (decision !== null) log('Decide', { ...fields, ...decision, by });
}
