/** An operation and the conflicts (as indices) that are laid at its door. */
export interface Culprit {
  readonly op: number;
  readonly conflicts: readonly number[];
}

/**
 * Shares out conflicts among operations, greedily: the operation in the most conflicts takes all
 * of its own, then the operation in the most of what is left, and so on; of equals the one that
 * starts first, then the lower id. Near-linear in the number of conflicts.
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
  // Counts only ever fall, so once a level is reached nothing joins it any more.
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
