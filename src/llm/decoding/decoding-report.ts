import type { Instance } from '../../jssp/instance.js';
import { operationAt, type Plan } from '../../jssp/plan.js';
import type { DecodedPlan } from './decode-plan.js';

/** A report of what was read of the answers that make a plan. */
export interface DecodingReport {
  /** Operations of the instance about which they say something. */
  readonly operations: number;
  /** Operations of the instance. */
  readonly expected: number;
  /** Parts that looked like a schedule and were passed over, by their kind. */
  readonly ignored: Readonly<Record<string, number>>;
}

/** Reports what was read: the entries that count, and all that was passed over. */
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
