import { completionTime } from '../jssp/calendar.js';
import { type Instance, MAX_TIME } from '../jssp/instance.js';
import type { Violation, ViolationCode, ViolationOf } from './violation.js';

const CONFLICTS = [
  'release',
  'deadline',
  'downtime',
  'job_precedence',
  'lag_too_short',
  'lag_too_long',
  'machine_overlap',
  'setup',
  'resource_overload',
] as const satisfies readonly ViolationCode[];

/** A violation between true times: of one operation or of several. */
export type TimeConflict = ViolationOf<(typeof CONFLICTS)[number]> & Violation;

/** The machine and the times of an operation. */
interface Placement {
  readonly machine: number;
  readonly start: number;
  readonly end: number;
  /** Whether its start is frozen as given, which exempts it from releases and downtimes. */
  readonly isPast: boolean;
}

/** The placement of an operation if a false claim were true. */
interface Alternative extends Placement {
  readonly claim: Violation;
}

/** Distinguishes conflicts from false claims. */
export function isTimeConflict(violation: Violation): violation is TimeConflict {
  return (CONFLICTS as readonly ViolationCode[]).includes(violation.code);
}

/** The operations of a conflict: first the one that it is about. */
export function conflictOperations(conflict: TimeConflict): number[] {
  const op = conflict.scope.op as number;
  if (conflict.code === 'resource_overload') {
    return [op, ...conflict.operations.filter((one) => one !== op)];
  }
  const other =
    'other' in conflict ? conflict.other : conflict.code === 'setup' ? conflict.before : undefined;
  return other === undefined ? [op] : [op, other];
}

/**
 * Creates a function that finds the false claim from which a conflict follows: the claim places one of the operations
 * on a machine or at a time that differs from the true one, and if it were true, the conflict would vanish. If it only
 * vanishes with the claims of both operations, the claim of the first one is returned. An overload of a resource follows
 * from a claim that places one of its operations at another time.
 */
export function createExplainer(
  instance: Instance,
  violations: readonly Violation[],
  starts: Int32Array,
  ends: Int32Array,
): (conflict: TimeConflict) => Violation | undefined {
  const alternatives = new Map<number, Alternative[]>();
  const truth = (op: number): Placement => ({
    machine: instance.machine[op],
    start: starts[op],
    end: ends[op],
    isPast: false,
  });
  for (const claim of violations) {
    const op = claim.scope.op;
    if (op === undefined || ends[op] < 0) continue;
    const change = claimedPlacement(instance, op, claim);
    if (change === null) continue;
    const known = alternatives.get(op);
    const alternative = { ...truth(op), ...change, claim };
    if (known === undefined) alternatives.set(op, [alternative]);
    else known.push(alternative);
  }
  if (alternatives.size === 0) return () => undefined;

  return (conflict) => {
    const [op, other, ...more] = conflictOperations(conflict);
    const mine = alternatives.get(op) ?? [];
    const theirs = (other === undefined ? undefined : alternatives.get(other)) ?? [];
    const otherTruth = truth(other ?? op);
    for (const a of mine) if (vanishes(conflict, a, otherTruth)) return a.claim;
    for (const b of theirs) if (vanishes(conflict, truth(op), b)) return b.claim;
    if (conflict.code === 'resource_overload') {
      return [other ?? op, ...more]
        .flatMap((one) => alternatives.get(one) ?? [])
        .find((one) => vanishes(conflict, one, one))?.claim;
    }
    for (const a of mine) for (const b of theirs) if (vanishes(conflict, a, b)) return a.claim;
    return undefined;
  };
}

/** The placement of an operation according to a false claim, if it differs from the true one. */
function claimedPlacement(
  instance: Instance,
  op: number,
  claim: Violation,
): Partial<Placement> | null {
  switch (claim.code) {
    case 'wrong_machine':
      return { machine: claim.claimed };
    case 'wrong_duration':
      return { end: claim.claimedEnd };
    case 'frozen_moved':
      return {
        start: claim.frozen,
        end: completionTime(instance, op, claim.frozen),
        isPast: true,
      };
    case 'duplicate_operation': {
      const { start } = claim;
      if (!Number.isInteger(start) || start < 0 || start > MAX_TIME) return null;
      return { start, end: completionTime(instance, op, start) };
    }
    default:
      return null;
  }
}

/** Whether a conflict would not exist if its operations ran as given. */
function vanishes(conflict: TimeConflict, op: Placement, other: Placement): boolean {
  switch (conflict.code) {
    case 'release':
      return op.isPast || op.start >= conflict.release;
    case 'deadline':
      return op.end <= conflict.deadline;
    case 'downtime':
      return (
        op.isPast ||
        op.machine !== conflict.scope.machine ||
        op.start >= conflict.to ||
        op.end <= conflict.from
      );
    case 'job_precedence':
      return op.start >= other.end;
    case 'lag_too_short':
      return op.start >= other.end + conflict.transport + conflict.lag;
    case 'lag_too_long':
      return op.start <= other.end + conflict.transport + conflict.lag;
    case 'setup': {
      if (op.machine !== conflict.scope.machine) return true;
      const isFirst = conflict.before === undefined || other.machine !== op.machine;
      return op.start - conflict.setup >= (isFirst ? 0 : other.end);
    }
    case 'resource_overload':
      return op.start > conflict.peak || op.end <= conflict.peak;
    case 'machine_overlap':
      return op.machine !== other.machine || op.start >= other.end || op.end <= other.start;
  }
}
