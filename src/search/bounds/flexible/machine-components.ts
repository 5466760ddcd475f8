import type { ShopModel } from './shop-model.js';

/** Machines that share operations, directly or through others, and these operations. */
export interface MachineComponent {
  readonly machines: readonly number[];
  readonly operations: Int32Array;
}

/** The components of machines by modes that may be used. Operations that may take no time are in none. */
export function componentsOf(
  { machines, operations, modeOffset, machine, duration }: ShopModel,
  isOpen: (mode: number) => boolean,
): MachineComponent[] {
  const leader = Int32Array.from({ length: machines }, (_, k) => k);
  const leaderOf = (k: number): number => {
    let at = k;
    while (leader[at] !== at) at = leader[at];
    leader[k] = at;
    return at;
  };
  const machineOf = new Int32Array(operations).fill(-1);
  for (let op = 0; op < operations; op++) {
    let isWork = true;
    let first = -1;
    for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
      if (!isOpen(mode)) continue;
      if (duration[mode] === 0) isWork = false;
      else if (first < 0) first = machine[mode];
      else leader[leaderOf(machine[mode])] = leaderOf(first);
    }
    if (isWork) machineOf[op] = first;
  }
  const byLeader = new Map<number, { machines: number[]; operations: number[] }>();
  for (let k = 0; k < machines; k++) {
    const known = byLeader.get(leaderOf(k));
    if (known === undefined) byLeader.set(leaderOf(k), { machines: [k], operations: [] });
    else known.machines.push(k);
  }
  machineOf.forEach((k, op) => {
    if (k >= 0) byLeader.get(leaderOf(k))?.operations.push(op);
  });
  return [...byLeader.values()].map((those) => ({
    machines: those.machines,
    operations: Int32Array.from(those.operations),
  }));
}
