import type { Instance } from '../../jssp/instance.js';
import { operationAt, type Plan } from '../../jssp/plan.js';
import type { DecodedPlan } from './decode-plan.js';

/** A report on reading the answers of a plan. */
export interface DecodingReport {
  /** Operations of the instance with a readable claim. */
  readonly operations: number;
  /** Operations of the instance. */
  readonly expected: number;
  /** Skipped parts that look like a schedule, by kind. */
  readonly ignored: Readonly<Record<string, number>>;
}

/** Reports the entries that count, and all skipped parts. */
export function reportDecoding(
  instance: Instance,
  { entries }: Pick<Plan, 'entries'>,
  ignored: DecodedPlan['ignored'],
): DecodingReport {
  const named = new Set(entries.map(({ job, step }) => operationAt(instance, job, step)));
  named.delete(-1);
  const counts: Record<string, number> = {};
  for (const { kind, count } of ignored) counts[kind] = (counts[kind] ?? 0) + count;
  return { operations: named.size, expected: instance.operations, ignored: counts };
}
