import type { Problem, Ride } from '../model/problem.js';
import type { Trip } from './trips.js';

/** Maximum number of trip combinations tried for rides with company rules. */
const MOST_TRIES = 10_000;
/** Maximum number of trips tried for one person. */
const MOST_TRIPS = 100;

/** A broken company rule of two rides under a choice of trips: they are not together, or share this drive. */
export type CompanyFault =
  | { readonly kind: 'together'; readonly other: string }
  | { readonly kind: 'apart'; readonly other: string; readonly action: number };

/** The chosen trip of each person, by ride. */
export type MeantTrips = ReadonlyMap<string, readonly Trip[]>;

/**
 * Assigns trips to rides: the first candidate of each person. If that breaks company rules, and other candidates keep
 * all rules of a group of bound rides, the others are used.
 *
 * @param candidates trips by ride and person, those with the fewest faults
 */
export function chooseTrips(
  problem: Problem,
  candidates: ReadonlyMap<string, readonly Iterable<Trip>[]>,
): MeantTrips {
  const meant = new Map<string, readonly Trip[]>();
  for (const [ride, people] of candidates) {
    meant.set(
      ride,
      people.flatMap((trips) => firstOf(trips, 1)),
    );
  }
  for (const group of boundRides(problem)) {
    if (group.every((ride) => companyFaults(ride, meant).length === 0)) continue;
    const open = group.flatMap(({ id }) =>
      (candidates.get(id) ?? []).map((trips) => ({ id, trips: firstOf(trips, MOST_TRIPS) })),
    );
    const kept = tripsInCompany(group, open);
    for (const [ride, trips] of kept ?? []) meant.set(ride, trips);
  }
  return meant;
}

/** The company rules of a ride that some trips break. */
export function companyFaults(
  { id, together, apart }: Ride,
  meant: ReadonlyMap<string, readonly Trip[]>,
): CompanyFault[] {
  const drivesOf = (ride: string) =>
    new Set((meant.get(ride) ?? []).flatMap(({ legs }) => legs.map(({ action }) => action)));
  if (together.length + apart.length === 0) return [];
  const own = drivesOf(id);
  const faults: CompanyFault[] = [];
  for (const other of together) {
    const theirs = drivesOf(other);
    const isShared = own.size === theirs.size && [...own].every((one) => theirs.has(one));
    if (own.size === 0 || theirs.size === 0 || isShared) continue;
    faults.push({ kind: 'together', other });
  }
  for (const other of apart) {
    const action = [...drivesOf(other)].find((one) => own.has(one));
    if (action !== undefined) faults.push({ kind: 'apart', other, action });
  }
  return faults;
}

/** A trip for each person that keeps all rules; null if there is none, or there are too many combinations. */
function tripsInCompany(
  group: readonly Ride[],
  open: readonly { readonly id: string; readonly trips: readonly Trip[] }[],
): Map<string, Trip[]> | null {
  const waiting = open.filter(({ trips }) => trips.length > 0);
  const chosen = new Map<string, Trip[]>();
  let tries = 0;
  const choose = (at: number): boolean => {
    if (at === waiting.length) return true;
    const { id, trips } = waiting[at];
    const before = chosen.get(id) ?? [];
    const isLast = waiting[at + 1]?.id !== id;
    for (const trip of trips) {
      if (++tries > MOST_TRIES) return false;
      chosen.set(id, [...before, trip]);
      const isKept =
        !isLast || group.every((one) => companyFaults(one, fullRides(chosen, id)).length === 0);
      if (isKept && choose(at + 1)) return true;
    }
    if (before.length === 0) chosen.delete(id);
    else chosen.set(id, before);
    return false;
  };
  return choose(0) ? chosen : null;
}

/** The rides up to `upTo`, whose people all have trips; rides are filled one after another. */
function fullRides(chosen: ReadonlyMap<string, Trip[]>, upTo: string): Map<string, Trip[]> {
  const full = new Map<string, Trip[]>();
  for (const [id, trips] of chosen) {
    full.set(id, trips);
    if (id === upTo) break;
  }
  return full;
}

/** Groups of rides that company rules connect. */
function boundRides({ rides }: Problem): Ride[][] {
  const next = new Map<string, Set<string>>();
  for (const { id, together, apart } of rides.values()) {
    for (const other of [...together, ...apart]) {
      next.set(id, (next.get(id) ?? new Set()).add(other));
      next.set(other, (next.get(other) ?? new Set()).add(id));
    }
  }
  const groups: Ride[][] = [];
  const seen = new Set<string>();
  for (const id of next.keys()) {
    if (seen.has(id)) continue;
    const group = new Set([id]);
    for (const one of group) for (const other of next.get(one) ?? []) group.add(other);
    for (const one of group) seen.add(one);
    groups.push([...rides.values()].filter((ride) => group.has(ride.id)));
  }
  return groups;
}

function firstOf<T>(items: Iterable<T>, most: number): T[] {
  const found: T[] = [];
  for (const item of items) {
    found.push(item);
    if (found.length >= most) break;
  }
  return found;
}
