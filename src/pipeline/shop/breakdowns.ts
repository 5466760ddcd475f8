import type { PlanInstant } from '@alas-jssp/living-plan';

/** A downtime from a report, as opposed to a planned one of the shifts. */
export interface ReportedDowntime {
  /** The label of the machine in the log. */
  readonly machine: string;
  readonly from: number;
  /** Its end by the latest report; `estimated` if it is only an estimate. */
  readonly to: number;
  readonly estimated: boolean;
  /** The version that its report created. */
  readonly version: number;
  /** The end in the original report, and the version of the report that replaced it. */
  readonly ended?: { readonly to: number; readonly version: number } | undefined;
}

/** The reported downtimes after an instant, without the past ones. */
export function downtimesAfter(
  known: readonly ReportedDowntime[],
  { events, now, version: followed, withdraws }: PlanInstant,
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

/** The end of the consecutive reported downtimes of a machine at a time; undefined if there is none. */
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
