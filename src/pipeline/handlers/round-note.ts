import type { Instance } from '../../jssp/instance.js';
import {
  asPlan,
  asSchedule,
  type Candidate,
  operationAt,
  type PlanEntry,
} from '../../jssp/plan.js';
import { editRadius } from '../../lcrp/metrics/edit-radius.js';
import type { ValidationReport } from '../../validator/index.js';
import type { RepairInput, RepairRound, RoundNote } from '../step-values.js';

/** Measures a round of repair: violations before and after it, edits and their radius. O(N log N). */
export function measureRound(
  instance: Instance,
  { candidate: before, report }: RepairInput,
  { candidate: after, report: verdict }: Pick<RepairRound, 'candidate' | 'report'>,
): Omit<RoundNote, 'by'> {
  const edited = editedOperations(instance, before, after);
  return {
    violations: { before: report?.total ?? null, after: verdict.total },
    edited: edited.length,
    radius: report === undefined ? null : radiusOf(instance, before, report, edited),
  };
}

/** The operations for which two plans differ: in machine, start or end, or because one lacks them. */
function editedOperations(instance: Instance, before: Candidate, after: Candidate): number[] {
  const [old, now] = [claimsOf(instance, before), claimsOf(instance, after)];
  const operations = Array.from({ length: instance.operations }, (_, op) => op);
  return operations.filter((op) => !isSame(old[op], now[op]));
}

/** The entry of each operation; if there are several, the first one counts. */
function claimsOf(instance: Instance, candidate: Candidate): (PlanEntry | undefined)[] {
  const claims: (PlanEntry | undefined)[] = new Array(instance.operations).fill(undefined);
  for (const entry of asPlan(candidate).entries) {
    const op = operationAt(instance, entry.job, entry.step);
    if (op >= 0) claims[op] ??= entry;
  }
  return claims;
}

function isSame(one: PlanEntry | undefined, other: PlanEntry | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.machine === other.machine && one.start === other.start && one.end === other.end;
}

/** The largest distance of operations from those that a verdict names, in the queues of the plan. */
function radiusOf(
  instance: Instance,
  plan: Candidate,
  { violations }: ValidationReport,
  edited: readonly number[],
): number | null {
  const wrong = new Set(violations.flatMap(({ scope }) => scope.op ?? []));
  const affected = Int32Array.from(wrong).sort();
  const { instance: assigned, start: planned } = asSchedule(instance, plan);
  return editRadius({ instance: assigned, planned, now: 0, affected }, edited);
}
