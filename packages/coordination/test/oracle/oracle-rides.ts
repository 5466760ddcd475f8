import type { Action, Drive } from '../../src/model/plan.js';
import type { Problem, Ride } from '../../src/model/problem.js';
import type { Fault } from './faults.js';
import { type Mover, moversOf } from './oracle-movers.js';

interface Leg {
  readonly at: number;
  readonly drive: Drive;
}

/** A way to make a ride, and what is wrong with it. */
interface Trip {
  readonly legs: readonly Leg[];
  readonly faults: readonly Fault[];
}

/** One person of a ride, and all trips that might be meant. */
interface Rider {
  readonly ride: Ride;
  readonly person: string;
  readonly trips: readonly Trip[];
}

/** Finds who is not taken, not when, not by what and not with whom they should be. */
export function findRideFaults(
  problem: Problem,
  actions: readonly (Action | null)[],
  report: (fault: Fault) => void,
): void {
  const movers = new Map(moversOf(problem, actions).map((one) => [one.id, one]));
  const riders = [...problem.rides.values()].flatMap((ride) =>
    ride.people.map((person): Rider => {
      const all = tripsOf(actions, ride, person).map((legs) => ({
        legs,
        faults: tripFaults(problem, movers, actions, ride, person, legs),
      }));
      const fewest = Math.min(...all.map(({ faults }) => faults.length));
      return { ride, person, trips: all.filter(({ faults }) => faults.length === fewest) };
    }),
  );
  for (const { ride, person, trips } of riders) {
    if (trips.length === 0) report({ code: 'not_served', ride: ride.id, person });
  }
  for (const group of groupsOf(problem, riders)) {
    const chosen = chooseTrips(group);
    for (const { faults } of chosen.values()) for (const fault of faults) report(fault);
    for (const fault of companyFaults(group, chosen)) report(fault);
  }
}

/** Riders whose rides have to do with each other, directly or by others. */
function groupsOf(problem: Problem, riders: readonly Rider[]): Rider[][] {
  const groupOf = new Map([...problem.rides.keys()].map((id, i) => [id, i]));
  const join = (a: string, b: string) => {
    const [one, other] = [groupOf.get(a), groupOf.get(b)];
    for (const [id, group] of groupOf) if (group === other) groupOf.set(id, one ?? 0);
  };
  for (const { id, together, apart } of problem.rides.values()) {
    for (const other of [...together, ...apart]) join(id, other);
  }
  return [...new Set(groupOf.values())].map((group) =>
    riders.filter(({ ride }) => groupOf.get(ride.id) === group),
  );
}

/** Goes through all combinations: the first that keeps company, or that of the first trips if none does. */
function chooseTrips(riders: readonly Rider[]): Map<Rider, Trip> {
  const served = riders.filter(({ trips }) => trips.length > 0);
  const counters = served.map(() => 0);
  const current = () => new Map(served.map((one, i) => [one, one.trips[counters[i]]]));
  const first = current();
  if (riders.every(({ ride }) => ride.together.length + ride.apart.length === 0)) return first;
  for (;;) {
    const chosen = current();
    if (companyFaults(riders, chosen).length === 0) return chosen;
    let turn = served.length - 1;
    while (turn >= 0 && counters[turn] === served[turn].trips.length - 1) counters[turn--] = 0;
    if (turn < 0) return first;
    counters[turn]++;
  }
}

function companyFaults(riders: readonly Rider[], chosen: ReadonlyMap<Rider, Trip>): Fault[] {
  const rides = new Map(riders.map(({ ride }) => [ride.id, ride]));
  const drivesOf = (id: string) => {
    const own = riders.filter(({ ride }) => ride.id === id);
    const all = own.flatMap((one) => (chosen.get(one)?.legs ?? []).map(({ at }) => at));
    return [...new Set(all)].sort();
  };
  const faults: Fault[] = [];
  for (const { id, together, apart } of rides.values()) {
    const own = drivesOf(id);
    for (const other of together) {
      const theirs = drivesOf(other);
      const isSame = own.join() === theirs.join();
      if (own.length > 0 && theirs.length > 0 && !isSame) {
        faults.push({ code: 'not_together', ride: id });
      }
    }
    for (const other of apart) {
      const isShared = drivesOf(other).some((at) => own.includes(at));
      if (isShared) faults.push({ code: 'not_apart', ride: id });
    }
  }
  return faults;
}

/** Every departure at the beginning of a ride with every later arrival at its end: later departures first, then earlier arrivals. */
function tripsOf(actions: readonly (Action | null)[], { from, to }: Ride, person: string): Leg[][] {
  const legs: Leg[] = [];
  for (const [at, drive] of actions.entries()) {
    if (drive?.do !== 'drive') continue;
    if (drive.who === person || drive.with.includes(person)) legs.push({ at, drive });
  }
  legs.sort((a, b) => a.drive.start - b.drive.start || a.drive.end - b.drive.end || a.at - b.at);
  const trips: Leg[][] = [];
  for (const [begin, first] of [...legs.entries()].reverse()) {
    if (first.drive.from !== from) continue;
    for (let end = begin; end < legs.length; end++) {
      if (legs[end].drive.to === to) trips.push(legs.slice(begin, end + 1));
    }
  }
  return trips;
}

function tripFaults(
  problem: Problem,
  movers: ReadonlyMap<string, Mover>,
  actions: readonly (Action | null)[],
  { id: ride, pickup, arrive, vehicles }: Ride,
  person: string,
  legs: readonly Leg[],
): Fault[] {
  const [first, last] = [legs[0], legs[legs.length - 1]];
  const faults: Fault[] = [];
  const { end } = last.drive;
  if (!getsIn(problem, movers, actions, first, person, pickup)) {
    faults.push({ code: 'pickup_outside', ride, person, action: first.at });
  }
  if (end < arrive.earliest || end > arrive.latest) {
    faults.push({ code: 'arrival_outside', ride, person, action: last.at });
  }
  for (const { at, drive } of legs) {
    if (vehicles === null || vehicles.some((one) => one === drive.vehicle)) continue;
    faults.push({ code: 'wrong_vehicle', ride, person, action: at, vehicle: drive.vehicle });
  }
  return faults;
}

/** Whether there is a minute of the window at which somebody gets into what they leave with then or later, and stays in it. */
function getsIn(
  problem: Problem,
  movers: ReadonlyMap<string, Mover>,
  actions: readonly (Action | null)[],
  { at, drive }: Leg,
  person: string,
  { earliest, latest }: Ride['pickup'],
): boolean {
  if (drive.start < earliest) return false;
  const both = [movers.get(person), movers.get(drive.vehicle)];
  const vehicle = problem.vehicles.get(drive.vehicle);
  const isUsable = (minute: number) =>
    (vehicle?.after ?? []).every((activity) =>
      actions.some(
        (one) => one?.do === 'activity' && one.activity === activity && one.end <= minute,
      ),
    );
  // Back from the start, minute by minute, as long as both stand there.
  for (let minute = drive.start; ; minute--) {
    if (minute <= latest) return true;
    const isBefore = minute - 1;
    if (!isUsable(isBefore) || !both.every((one) => one && standsBefore(one, at, minute))) {
      return false;
    }
  }
}

/** Whether somebody or something stands where an errand begins, and does nothing else, for the minute that ends at `minute`. */
function standsBefore({ errands, from, home }: Mover, at: number, minute: number): boolean {
  const own = errands.findIndex((one) => one.at === at);
  const place = own === 0 ? home : errands[own - 1].to;
  if (minute - 1 < from || place !== errands[own].from) return false;
  return errands.slice(0, own).every(({ end }) => end < minute);
}
