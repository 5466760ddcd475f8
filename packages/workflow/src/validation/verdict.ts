import type { Judged, Verdict } from '../interpreter/registry.js';
import type { Json } from '../log/entry.js';
import { diffJson } from '../log/snapshot.js';
import type { Constraint, StepFinding } from './findings.js';

/** Finds the faults of a value. */
export type Inspection = (judged: Judged) => StepFinding[];

/**
 * The verdict on a value. Correctable constraints are corrected one after the other; the result is
 * inspected like an original value. Of several findings with different consequences, one that
 * rejects is enough.
 */
export function verdictOn(
  judged: Judged,
  constraints: readonly Constraint[],
  inspect: Inspection,
): Verdict {
  const { value, corrections } = correct(judged, constraints);
  const findings = inspect({ ...judged, value });
  if (findings.some(({ otherwise }) => otherwise === 'reject')) {
    return { outcome: 'reject', errors: findings };
  }
  if (findings.length > 0) return { outcome: 'feedback', feedback: findings };
  if (corrections.length > 0) return { outcome: 'augment', value, corrections };
  return { outcome: 'pass' };
}

/** The findings of constraints. */
export function inspectConstraints(
  judged: Judged,
  constraints: readonly Constraint[],
): StepFinding[] {
  return constraints.flatMap((constraint): StepFinding[] => {
    const { check, name, otherwise = 'reject' } = constraint;
    const message = constraint.test(judged);
    return message === undefined ? [] : [{ check, name, message, otherwise }];
  });
}

function correct(judged: Judged, constraints: readonly Constraint[]) {
  let { value } = judged;
  const corrections: Json[] = [];
  for (const constraint of constraints) {
    const seen = { ...judged, value };
    const message = constraint.correct === undefined ? undefined : constraint.test(seen);
    if (message === undefined) continue;
    const corrected = constraint.correct?.(seen) as Json;
    const { check, name } = constraint;
    corrections.push({ check, name, message, changes: diffJson(value, corrected) as Json });
    value = corrected;
  }
  return { value, corrections };
}
