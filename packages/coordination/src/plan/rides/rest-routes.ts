import type { Action, Drive } from '../../model/plan.js';
import type { RideParts } from './ride-parts.js';

/** The rest of a plan: parts of rides as stops of vehicles, numbered as in a network of rides. */
export interface RestRoutes {
  /** Stops of each vehicle in order, without its start; people inside only get out. */
  readonly stops: readonly (readonly number[])[];
  /** The drives of each vehicle. */
  readonly drives: readonly (readonly Drive[])[];
  /** The arrival of each part; NaN if it is not planned. */
  readonly arrivals: readonly number[];
}

/** The remaining routes of all vehicles in service, without passengers whose rides are cancelled. */
export function restRoutes(
  { vehicles, rides, inside, chains }: RideParts,
  actions: readonly Action[],
  now: number,
): RestRoutes {
  const index = new Map(vehicles.map(({ id }, v) => [id, v]));
  const stops = vehicles.map((): number[] => []);
  const drives = vehicles.map((): Drive[] => []);
  const arrivals: number[] = rides.map(() => Number.NaN);
  /** The vehicle planned for each part: the first one, if its people change vehicles. */
  const takenBy = [...inside];
  const aboard = vehicles.map((_, v) => new Set(inside.flatMap((one, r) => (one === v ? r : []))));
  const over = new Map<string, number>();
  const partsWith = (who: readonly string[]) =>
    new Set(who.flatMap((person) => chains.get(person)?.[over.get(person) ?? 0] ?? []));
  const getOut = (v: number, r: number) => {
    aboard[v].delete(r);
    if (takenBy[r] === v && !stops[v].includes(2 * r + 1)) stops[v].push(2 * r + 1);
  };
  const planned = actions
    .filter((one): one is Drive => one.do === 'drive' && one.start >= now)
    .toSorted((a, b) => a.start - b.start);
  for (const drive of planned) {
    const v = index.get(drive.vehicle) ?? -1;
    if (v < 0 || vehicles[v].until <= now) continue;
    drives[v].push(drive);
    const next = partsWith(drive.with);
    for (const r of [...aboard[v]]) if (!next.has(r)) getOut(v, r);
    for (const r of next) {
      arrivals[r] = drive.end;
      if (aboard[v].has(r)) continue;
      aboard[v].add(r);
      if (takenBy[r] >= 0) continue;
      takenBy[r] = v;
      stops[v].push(2 * r);
    }
    for (const r of next) {
      // Passengers with a next part get out where it begins; the others may pass their destination.
      const going = rides[r].people.filter((person) => chains.get(person)?.at(-1) !== r);
      if (drive.to !== rides[r].to || going.length === 0) continue;
      getOut(v, r);
      for (const person of going) over.set(person, (over.get(person) ?? 0) + 1);
    }
  }
  for (const [v, some] of aboard.entries()) for (const r of [...some]) getOut(v, r);
  return { stops, drives, arrivals };
}
