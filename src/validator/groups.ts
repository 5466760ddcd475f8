import { describeOperation, type Instance } from '../jssp/instance.js';
import type { Claims } from './claims.js';
import { findCulprits } from './culprits.js';
import { type Conflict, conflictOperations, createExplainer, isConflict } from './explanations.js';
import type { Violation, ViolationCode, ViolationOf } from './violation.js';

/** Violations with one cause: mend the root, and what cascades from it may vanish by itself. */
export interface ViolationGroup {
  readonly root: Violation;
  /** What follows from the root, in the order of the report. */
  readonly cascades: readonly Violation[];
  /** The operation at the root, if it is one. */
  readonly op?: number;
  /** One line for people. */
  readonly explanation: string;
}

interface OpenGroup {
  root: Violation;
  cascades: Violation[];
}

/** Faults that can make a schedule shorter than possible. */
const SHORTENING: ReadonlySet<ViolationCode> = new Set<ViolationCode>([
  'frozen_moved',
  'release',
  'downtime',
  'job_precedence',
  'machine_overlap',
]);

/**
 * Sorts violations into groups with one root each; every violation is in exactly one group.
 *
 * 1. A false claim is a root. A conflict between true times that would vanish if the claim were
 *    true cascades from it.
 * 2. The other conflicts are shared out among operations, the most involved one first.
 * 3. A wrong makespan that sums up a wrong end, and a makespan below its bound that faults in the
 *    times or a wrong claim explain, cascade from those.
 *
 * @returns the groups in the order in which their roots are listed
 */
export function groupViolations(
  instance: Instance,
  violations: readonly Violation[],
  claims: Claims,
  ends: Int32Array,
): ViolationGroup[] {
  const groups = new Map<Violation, OpenGroup>();
  const open = (root: Violation): void => {
    groups.set(root, { root, cascades: [] });
  };
  for (const violation of violations) {
    if (!isConflict(violation) && !isSummary(violation)) open(violation);
  }

  const explain = createExplainer(instance, violations, claims.starts, ends);
  const unexplained: Conflict[] = [];
  for (const violation of violations) {
    if (!isConflict(violation)) continue;
    const claim = explain(violation);
    if (claim === undefined) unexplained.push(violation);
    else groups.get(claim)?.cascades.push(violation);
  }

  const culpritOf = new Map<Violation, number>();
  for (const { op, conflicts } of findCulprits(
    unexplained.map(conflictOperations),
    claims.starts,
  )) {
    const [root, ...cascades] = conflicts.map((index) => unexplained[index]);
    groups.set(root, { root, cascades });
    culpritOf.set(root, op);
  }

  for (const violation of violations) {
    if (!isSummary(violation)) continue;
    const cause = causeOf(violation, groups, claims, ends);
    if (cause === undefined) open(violation);
    else cause.cascades.push(violation);
  }

  return violations.flatMap((violation) => {
    const group = groups.get(violation);
    return group === undefined ? [] : [closeGroup(instance, group, culpritOf.get(violation))];
  });
}

/** A violation that is about the plan as a whole, and so perhaps sums up others. */
type Summary = ViolationOf<'wrong_makespan' | 'below_lower_bound'> & Violation;

function isSummary(violation: Violation): violation is Summary {
  return violation.code === 'wrong_makespan' || violation.code === 'below_lower_bound';
}

/** The group that a wrong makespan or one below its bound follows from, if it follows from any. */
function causeOf(
  violation: Summary,
  groups: ReadonlyMap<Violation, OpenGroup>,
  claims: Claims,
  ends: Int32Array,
): OpenGroup | undefined {
  const all = [...groups.values()];
  if (violation.code === 'wrong_makespan') {
    if (violation.claimed !== claims.latestEnd) return undefined;
    // The plan sums up its own claims correctly, so a wrong end is behind it: of the operation
    // that is claimed to end last, or of the one that truly does.
    const op =
      violation.claimed > violation.makespan ? claims.latest : ends.indexOf(violation.makespan);
    return all.find(({ root }) => root.code === 'wrong_duration' && root.scope.op === op);
  }
  const holds = (code: ViolationCode) =>
    all.find(({ root, cascades }) => [root, ...cascades].some((item) => item.code === code));
  if (violation.claimed) {
    const wrongMakespan = holds('wrong_makespan');
    if (wrongMakespan !== undefined) return wrongMakespan;
  }
  const shortening = all.filter(({ root }) => SHORTENING.has(root.code));
  if (shortening.length > 0) {
    return shortening.reduce((a, b) => (b.cascades.length > a.cascades.length ? b : a));
  }
  return violation.claimed ? holds('missing_operation') : undefined;
}

function closeGroup(
  instance: Instance,
  { root, cascades }: OpenGroup,
  culprit: number | undefined,
): ViolationGroup {
  const op = culprit ?? root.scope.op;
  return {
    root,
    cascades,
    ...(op === undefined ? {} : { op }),
    explanation: explainGroup(instance, root, cascades.length, culprit),
  };
}

function explainGroup(
  instance: Instance,
  root: Violation,
  cascades: number,
  culprit: number | undefined,
): string {
  if (cascades === 0) return root.message;
  if (culprit !== undefined) {
    return `${describeOperation(instance, culprit)} is at the heart of ${cascades + 1} violations: ${root.message}`;
  }
  return `${root.message}; ${cascades} more ${cascades === 1 ? 'follows' : 'follow'} from it`;
}
