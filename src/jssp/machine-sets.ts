/** Numbers sets of machines as they are built, one machine after the other. Set 0 is empty. */
export interface MachineSets {
  /** The number of a set with one machine more; −1 once there are too many sets, or if the set is −1. */
  with(set: number, machine: number): number;
  /** The machines of a set as bits. */
  machinesOf(set: number): bigint;
}

/**
 * Creates the numbers. Steps that were taken before cost one look-up: operations have few sets of machines, or so many
 * that no more are numbered.
 *
 * @param limit numbered sets, besides those of one machine
 */
export function createMachineSets(machines: number, limit: number): MachineSets {
  const bits = [0n];
  const numberOf = new Map<bigint, number>();
  const steps = new Map<number, number>();
  for (let k = 0; k < machines; k++) {
    steps.set(k, bits.length);
    numberOf.set(1n << BigInt(k), bits.length);
    bits.push(1n << BigInt(k));
  }
  const most = bits.length + limit;

  /** The number of a set that is reached by a step for the first time. */
  const number = (all: bigint): number => {
    const known = numberOf.get(all);
    if (known !== undefined) return known;
    if (bits.length >= most) return -1;
    numberOf.set(all, bits.length);
    return bits.push(all) - 1;
  };

  return {
    with: (set, machine) => {
      if (set < 0) return -1;
      const step = set * machines + machine;
      const known = steps.get(step);
      if (known !== undefined) return known;
      const next = number(bits[set] | (1n << BigInt(machine)));
      // Without new numbers there would be no end of such steps.
      if (next >= 0) steps.set(step, next);
      return next;
    },
    machinesOf: (set) => bits[set],
  };
}
