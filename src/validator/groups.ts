import type { Instance } from '../jssp/instance.js';
import { describeOperation } from '../jssp/words.js';
import type { Claims } from './claims.js';
import {
  conflictOperations,
  createExplainer,
  isTimeConflict,
  type TimeConflict,
} from './explanations.js';
import type { Violation, ViolationCode, ViolationCounts, ViolationOf } from './violation.js';

/** Violations with one cause: once the root is repaired, the cascading ones may vanish. */
export interface ViolationGroup {
  readonly root: Violation;
  /** Violations that follow from the root, in the order of the report. */
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
  'frozen_reassigned',
  'release',
  'downtime',
  'job_precedence',
  'lag_too_short',
  'machine_overlap',
  'setup',
  'resource_overload',
]);

/** Faults that occur in bulk, as in a plan for another instance or an incomplete plan: all have one cause. */
const WHOLESALE: ReadonlyMap<ViolationCode, string> = new Map<ViolationCode, string>([
  ['unknown_job', 'entries are for jobs that do not exist'],
  ['unknown_step', 'entries are for steps that do not exist'],
  ['unknown_machine', 'operations are put on machines that do not exist'],
  ['unknown_mode', 'operations are planned in modes that do not exist'],
  ['missing_operation', 'operations are missing'],
]);

/**
 * Sorts violations into groups with one root each; every violation is in exactly one group.
 *
 * 1. A false claim is a root; all missing operations share one root, and so do unknown items of the same code. A
 *   conflict between true times that would vanish if the claim were true cascades from it.
 * 2. The other conflicts are distributed among operations, the most involved one first.
 * 3. A wrong makespan that follows from a wrong end, and a makespan below its bound that is explained by faults in the
 *   times or by a wrong claim, cascade from these.
 *
 * @param found the listed violations, and the number of each code
 * @returns the groups in the order in which their roots are listed
 */
export function groupViolations(
  instance: Instance,
  { violations, counts }: { violations: readonly Violation[]; counts: ViolationCounts },
  claims: Claims,
  ends: Int32Array,
): ViolationGroup[] {
  const groups = openClaims(violations);
  const explain = createExplainer(instance, violations, claims.starts, ends);
  const unexplained: TimeConflict[] = [];
  for (const violation of violations) {
    if (!isTimeConflict(violation)) continue;
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
    if (cause === undefined) groups.set(violation, { root: violation, cascades: [] });
    else cause.cascades.push(violation);
  }

  return violations.flatMap((violation) => {
    const group = groups.get(violation);
    if (group === undefined) return [];
    return [closeGroup(instance, group, culpritOf.get(violation), counts[violation.code])];
  });
}

/** A group for every false claim, but only one for all bulk faults with the same code. */
function openClaims(violations: readonly Violation[]): Map<Violation, OpenGroup> {
  const groups = new Map<Violation, OpenGroup>();
  const wholesale = new Map<ViolationCode, OpenGroup>();
  for (const violation of violations) {
    if (isTimeConflict(violation) || isSummary(violation)) continue;
    const { code } = violation;
    const known = wholesale.get(code);
    if (known !== undefined) known.cascades.push(violation);
    else {
      const group = { root: violation, cascades: [] };
      groups.set(violation, group);
      if (WHOLESALE.has(code)) wholesale.set(code, group);
    }
  }
  return groups;
}

/** A violation about the plan as a whole, which may follow from others. */
type Summary = ViolationOf<'wrong_makespan' | 'below_lower_bound'> & Violation;

function isSummary(violation: Violation): violation is Summary {
  return violation.code === 'wrong_makespan' || violation.code === 'below_lower_bound';
}

/** The group from which a wrong makespan or one below its bound follows, if there is one. */
function causeOf(
  violation: Summary,
  groups: ReadonlyMap<Violation, OpenGroup>,
  claims: Claims,
  ends: Int32Array,
): OpenGroup | undefined {
  const all = [...groups.values()];
  if (violation.code === 'wrong_makespan') {
    if (violation.claimed !== claims.latestEnd) return undefined;
    // The plan's makespan matches its own claims, so a wrong end is the cause: of the operation that is claimed to end
    // last, or of the one that truly does.
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
  count: number,
): ViolationGroup {
  const op = culprit ?? root.scope.op;
  const what = count > 1 ? WHOLESALE.get(root.code) : undefined;
  // Bulk faults with the same code have the same rank as the root; the others follow from it.
  const following = cascades.filter(({ code }) => what === undefined || code !== root.code).length;
  const cause =
    what === undefined ? root.message : `${count} ${what}, the first is ${nameOf(instance, root)}`;
  return {
    root,
    cascades,
    ...(op === undefined ? {} : { op }),
    explanation: explainGroup(instance, cause, following, culprit),
  };
}

/** The operation or entry of a violation. */
function nameOf(instance: Instance, { scope, ...proof }: Violation): string {
  if (scope.op !== undefined) return describeOperation(instance, scope.op);
  return 'entry' in proof ? `entry ${proof.entry + 1}` : proof.message;
}

function explainGroup(
  instance: Instance,
  cause: string,
  following: number,
  culprit: number | undefined,
): string {
  if (following === 0) return cause;
  if (culprit !== undefined) {
    return `${describeOperation(instance, culprit)} is at the heart of ${following + 1} violations: ${cause}`;
  }
  return `${cause}; ${following} more ${following === 1 ? 'follows' : 'follow'} from it`;
}

/** An operation and the conflicts (as indices) attributed to it. */
export interface Culprit {
  readonly op: number;
  readonly conflicts: readonly number[];
}

/**
 * Attributes conflicts to operations, greedily: the operation in the most conflicts takes all of its own, then the
 * operation in the most of the remaining ones, and so on; ties go to the operation that starts first, then to the lower
 * id. Near-linear in the number of conflicts.
 *
 * @param conflicts for each conflict its one or two operations
 * @param starts N start times
 */
export function findCulprits(
  conflicts: readonly (readonly number[])[],
  starts: Int32Array,
): Culprit[] {
  const conflictsOf = new Map<number, number[]>();
  conflicts.forEach((operations, index) => {
    for (const op of operations) {
      const known = conflictsOf.get(op);
      if (known === undefined) conflictsOf.set(op, [index]);
      else known.push(index);
    }
  });
  const open = new Map([...conflictsOf].map(([op, indices]) => [op, indices.length]));
  const byOpen: number[][] = [];
  for (const [op, count] of open) put(byOpen, count, op);

  const culprits: Culprit[] = [];
  const isTaken = new Uint8Array(conflicts.length);
  // Counts only decrease, so no operation joins a level that was already reached.
  for (let level = byOpen.length - 1; level > 0; level--) {
    const candidates = byOpen[level]?.sort((a, b) => starts[a] - starts[b] || a - b) ?? [];
    for (const op of candidates) {
      const count = open.get(op) as number;
      if (count < level) {
        put(byOpen, count, op);
        continue;
      }
      const taken = (conflictsOf.get(op) as number[]).filter((index) => isTaken[index] === 0);
      for (const index of taken) {
        isTaken[index] = 1;
        for (const member of conflicts[index]) open.set(member, (open.get(member) as number) - 1);
      }
      culprits.push({ op, conflicts: taken });
    }
  }
  return culprits;
}

function put(levels: number[][], level: number, op: number): void {
  levels[level] ??= [];
  levels[level].push(op);
}
