/** An entry of a saved plan. */
interface SavedEntry {
  readonly job: string;
  readonly step: number;
  readonly machine: string;
  readonly start: number;
  readonly end: number;
}

/** A downtime of a machine, in which no operation works. */
export interface KnownDowntime {
  readonly machine: string;
  readonly from: number;
  readonly to: number;
}

/** The entries of a saved plan. */
export function entriesOf(json: string): readonly SavedEntry[] {
  return (JSON.parse(json) as { entries: SavedEntry[] }).entries;
}

/**
 * The faults of a plan for a classic shop, found without the library: the jobs' lines are pairs of machine and duration.
 * An operation that a downtime interrupts takes so much longer.
 */
export function faultsOf(
  entries: readonly SavedEntry[],
  instanceText: string,
  downtimes: readonly KnownDowntime[] = [],
): string[] {
  const faults: string[] = [];
  const lines = instanceText.trim().split('\n');
  const [jobs] = lines[0].trim().split(/\s+/).map(Number);
  const byKey = new Map(entries.map((entry) => [`${entry.job} ${entry.step}`, entry]));
  if (byKey.size !== entries.length) faults.push('an operation has two entries');
  for (let job = 1; job <= jobs; job++) {
    const numbers = lines[job].trim().split(/\s+/).map(Number);
    for (let step = 1; step <= numbers.length / 2; step++) {
      const name = `Job${job} ${step}`;
      const entry = byKey.get(name);
      if (entry === undefined) {
        faults.push(`${name} is missing`);
        continue;
      }
      const [machine, duration] = numbers.slice(2 * step - 2, 2 * step);
      const lost = downtimes
        .filter((one) => one.machine === entry.machine)
        .reduce(
          (sum, { from, to }) =>
            sum + Math.max(0, Math.min(to, entry.end) - Math.max(from, entry.start)),
          0,
        );
      if (entry.machine !== `Machine${machine}`) faults.push(`${name} is on ${entry.machine}`);
      if (entry.end - entry.start !== duration + lost) faults.push(`${name} has a wrong length`);
      const before = byKey.get(`Job${job} ${step - 1}`);
      if (before !== undefined && before.end > entry.start) faults.push(`${name} is too early`);
    }
  }
  for (const one of entries) {
    for (const other of entries) {
      const isSame = one.machine === other.machine && one !== other;
      if (isSame && one.start < other.end && other.start < one.end) {
        faults.push(`${one.job} ${one.step} and ${other.job} ${other.step} overlap`);
      }
    }
  }
  return faults;
}
