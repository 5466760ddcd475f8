import { completionTime } from '../../jssp/calendar.js';
import { type Instance, MAX_TIME } from '../../jssp/instance.js';
import { operationAt, type Plan, type PlanEntry } from '../../jssp/plan.js';

/** Reasons to drop an entry: it refers to something that does not exist, is a duplicate, or has no time. */
type DropReason =
  | 'unknown_job'
  | 'unknown_step'
  | 'duplicate_operation'
  | 'negative_time'
  | 'absurd_time';

/** Usable claims of a plan. */
export interface PlanClaims {
  /** N entries: the claimed start, perhaps a fraction; NaN if there is no usable claim. */
  readonly start: Float64Array;
  /** N entries: 2 for a claim with the correct machine and end, 1 for another, 0 for none. */
  readonly weight: Uint8Array;
  /** Operations with a usable claim. */
  readonly usable: number;
  /** Dropped entries, by reason. */
  readonly dropped: Readonly<Record<DropReason, number>>;
  /** Usable claims whose machine or end differs from the instance. */
  readonly corrected: { readonly machines: number; readonly ends: number };
}

/**
 * Extracts the usable part of an untrusted plan: at most one start for each operation. Of several entries for one
 * operation the first with the correct machine and end counts, or otherwise the first with any time.
 */
export function readClaims(instance: Instance, plan: Plan): PlanClaims {
  const start = new Float64Array(instance.operations).fill(Number.NaN);
  const weight = new Uint8Array(instance.operations);
  const entryOf: (PlanEntry | undefined)[] = new Array(instance.operations);
  const dropped: Record<DropReason, number> = {
    unknown_job: 0,
    unknown_step: 0,
    duplicate_operation: 0,
    negative_time: 0,
    absurd_time: 0,
  };
  let usable = 0;
  for (const entry of plan.entries) {
    const op = operationAt(instance, entry.job, entry.step);
    const reason = reasonToDrop(instance, op, entry);
    if (reason !== null) {
      dropped[reason]++;
      continue;
    }
    const trust = isTrue(instance, op, entry) ? 2 : 1;
    if (weight[op] > 0) dropped.duplicate_operation++;
    else usable++;
    if (trust <= weight[op]) continue;
    start[op] = entry.start;
    weight[op] = trust;
    entryOf[op] = entry;
  }
  return { start, weight, usable, dropped, corrected: countCorrections(instance, entryOf) };
}

/** The usable part of a plan, and the problems of the rest. */
export function coverage({ operations }: Instance, { usable, dropped, corrected }: PlanClaims) {
  return {
    seedCoverage: operations === 0 ? 1 : usable / operations,
    inserted: operations - usable,
    dropped,
    corrected,
  };
}

function reasonToDrop(
  { jobs }: Instance,
  op: number,
  { job, start }: PlanEntry,
): DropReason | null {
  if (op < 0) {
    return Number.isInteger(job) && job >= 0 && job < jobs ? 'unknown_step' : 'unknown_job';
  }
  if (!(Math.abs(start) <= MAX_TIME)) return 'absurd_time';
  return start < 0 ? 'negative_time' : null;
}

function isTrue(instance: Instance, op: number, entry: PlanEntry): boolean {
  return entry.machine === instance.machine[op] && hasTrueEnd(instance, op, entry);
}

function hasTrueEnd(instance: Instance, op: number, { start, end }: PlanEntry): boolean {
  return end === completionTime(instance, op, start);
}

function countCorrections(
  instance: Instance,
  entryOf: readonly (PlanEntry | undefined)[],
): PlanClaims['corrected'] {
  let machines = 0;
  let ends = 0;
  entryOf.forEach((entry, op) => {
    if (entry === undefined) return;
    if (entry.machine !== instance.machine[op]) machines++;
    if (!hasTrueEnd(instance, op, entry)) ends++;
  });
  return { machines, ends };
}
