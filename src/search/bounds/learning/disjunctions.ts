import type { Instance } from '../../../jssp/instance.js';

/** Instead of a literal: two operations of one job, in the order of the job. */
export const GIVEN = -1;
/** Instead of a literal: two operations of one job, against the order of the job. */
const OPPOSED = -2;

/**
 * The pairs of operations of different jobs on a machine as Boolean variables (Roy and Sussmann 1964). Variable v has
 * the literals 2v and 2v + 1, one for each order. Operations of zero duration occupy no machine and are excluded.
 */
export interface Disjunctions {
  readonly variables: number;
  /** 2 × variables entries each: a literal means that `from` precedes `to`. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** m+1 entries: machine k owns the slots `offset[k] … offset[k + 1] − 1` of `members`. */
  readonly offset: Int32Array;
  /** The operations that occupy each machine. */
  readonly members: Int32Array;
  /** N+1 entries: operation i owns the slots `partnerOffset[i] … partnerOffset[i + 1] − 1`. */
  readonly partnerOffset: Int32Array;
  /** The operations paired with i, and the literals by which i precedes them. */
  readonly partner: Int32Array;
  readonly partnerLiteral: Int32Array;
  /** The literal by which one operation of a machine precedes another, {@link GIVEN} or −2. */
  literalOf(op: number, other: number): number;
}

/** Numbers the pairs of an instance. */
export function createDisjunctions(instance: Instance): Disjunctions {
  const { operations, machines, machine, duration, jobOf, machineOperations } = instance;
  const members = machineOperations.filter((op) => duration[op] > 0);
  const offset = new Int32Array(machines + 1);
  for (const op of members) offset[machine[op] + 1]++;
  for (let k = 0; k < machines; k++) offset[k + 1] += offset[k];
  const slot = new Int32Array(operations);
  const row = new Int32Array(operations);
  let entries = 0;
  members.forEach((op, position) => {
    const k = machine[op];
    slot[op] = position - offset[k];
    row[op] = entries;
    entries += offset[k + 1] - offset[k];
  });
  const matrix = new Int32Array(entries).fill(OPPOSED);
  const from: number[] = [];
  const to: number[] = [];
  const partners: number[][] = Array.from({ length: operations }, () => []);
  for (let k = 0; k < machines; k++) {
    const those = members.subarray(offset[k], offset[k + 1]);
    those.forEach((a, i) => {
      for (const b of those.subarray(i + 1)) {
        if (jobOf[a] === jobOf[b]) {
          matrix[row[a] + slot[b]] = GIVEN;
          continue;
        }
        matrix[row[a] + slot[b]] = from.length;
        matrix[row[b] + slot[a]] = from.length + 1;
        from.push(a, b);
        to.push(b, a);
        partners[a].push(b);
        partners[b].push(a);
      }
    });
  }
  const partnerOffset = new Int32Array(operations + 1);
  for (let op = 0; op < operations; op++) {
    partnerOffset[op + 1] = partnerOffset[op] + partners[op].length;
  }
  const partner = Int32Array.from(partners.flat());
  const literalOf = (op: number, other: number): number => matrix[row[op] + slot[other]];
  return {
    variables: from.length >> 1,
    from: Int32Array.from(from),
    to: Int32Array.from(to),
    offset,
    members,
    partnerOffset,
    partner,
    partnerLiteral: Int32Array.from(
      partners.flatMap((those, op) => those.map((other) => literalOf(op, other))),
    ),
    literalOf,
  };
}
