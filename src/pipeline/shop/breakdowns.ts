import type { Happening } from './shop-values.js';

/** A downtime that was reported, as opposed to one of the shifts. */
export interface ReportedDowntime {
  /** The label of the machine, as the log has it. */
  readonly machine: string;
  readonly from: number;
  /** Its end, by a later report if there was one; `estimated` where only an estimate is known. */
  readonly to: number;
  readonly estimated: boolean;
  /** The version that its report made. */
  readonly version: number;
  /** The end that its report gave, and the version of the report that ended it since. */
  readonly ended?: { readonly to: number; readonly version: number } | undefined;
}

/** The reported downtimes after an instant, without those that are over. */
export function downtimesAfter(
  known: readonly ReportedDowntime[],
  { events, now, version: followed, withdraws }: Happening,
): readonly ReportedDowntime[] {
  const version = followed + 1;
  let list = known.filter(({ to, ended }) => Math.max(to, ended?.to ?? 0) > now);
  if (withdraws !== undefined) {
    list = list.filter((one) => one.version !== withdraws.version);
    list = list.map((one) => {
      if (one.ended?.version !== withdraws.version) return one;
      return { ...one, to: one.ended.to, ended: undefined };
    });
  }
  const end = (machine: string, at: number, ends: (one: ReportedDowntime) => boolean) => {
    list = list.map((one) => {
      const isCurrent = one.machine === machine && one.from <= at && at < one.to;
      if (!isCurrent || !ends(one)) return one;
      return { ...one, to: at, ended: { to: one.to, version } };
    });
  };
  for (const { kind, machine, from, to, estimated, at } of events) {
    const name = String(machine);
    if (kind === 'restored') end(name, Number(at), () => true);
    if (kind !== 'breakdown') continue;
    end(name, Number(from), (one) => one.estimated);
    const added = { machine: name, from: Number(from), to: Number(to), version };
    list = [...list, { ...added, estimated: estimated === true }];
  }
  return list;
}

/** The end of the reported downtimes in which a machine is at a time; undefined if it is in none. */
export function reportedEnd(
  list: readonly ReportedDowntime[],
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
