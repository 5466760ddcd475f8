/** A downtime of a machine that is named by its label. */
interface MachineDowntime {
  readonly machine: string;
  readonly from: number;
  readonly to: number;
}

/** The end of the reported downtimes in which a machine is at a time; undefined if it is in none. */
export function reportedEnd(
  list: readonly MachineDowntime[],
  machine: string,
  now: number,
): number | undefined {
  let end: number | undefined;
  for (;;) {
    const time = end ?? now;
    const next = list.find((one) => one.machine === machine && one.from <= time && time < one.to);
    if (next === undefined) return end;
    end = next.to;
  }
}
