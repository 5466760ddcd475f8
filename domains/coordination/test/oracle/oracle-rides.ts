import type { Action, Drive } from '../../src/model/plan.js';
import type { Problem, Ride } from '../../src/model/problem.js';
import type { Fault } from './faults.js';

interface Leg {
  readonly at: number;
  readonly drive: Drive;
}

/** Finds who is not taken, not when, not by what and not with whom they should be. */
export function findRideFaults(
  problem: Problem,
  actions: readonly (Action | null)[],
  report: (fault: Fault) => void,
): void {
  const drivesByRide = new Map<string, Set<number>>();
  for (const ride of problem.rides.values()) {
    const drives = new Set<number>();
    drivesByRide.set(ride.id, drives);
    for (const person of ride.people) {
      const trips = tripsOf(actions, ride, person).map((legs) => ({
        legs,
        faults: tripFaults(ride, person, legs),
      }));
      if (trips.length === 0) report({ code: 'not_served', ride: ride.id, person });
      // The latest of those with the fewest faults is meant.
      const fewest = Math.min(...trips.map(({ faults }) => faults.length));
      const meant = trips.filter(({ faults }) => faults.length === fewest).at(-1);
      for (const { at } of meant?.legs ?? []) drives.add(at);
      for (const fault of meant?.faults ?? []) report(fault);
    }
  }
  for (const { id, together, apart } of problem.rides.values()) {
    const own = drivesByRide.get(id) ?? new Set();
    for (const other of together) {
      const theirs = drivesByRide.get(other) ?? new Set();
      const isSame = [...own].sort().join() === [...theirs].sort().join();
      if (own.size > 0 && theirs.size > 0 && !isSame) report({ code: 'not_together', ride: id });
    }
    for (const other of apart) {
      const theirs = drivesByRide.get(other) ?? new Set();
      if ([...own].some((at) => theirs.has(at))) report({ code: 'not_apart', ride: id });
    }
  }
}

/** Trips from the last departure at the beginning of a ride to the first arrival at its end. */
function tripsOf(actions: readonly (Action | null)[], { from, to }: Ride, person: string): Leg[][] {
  const legs: Leg[] = [];
  for (const [at, drive] of actions.entries()) {
    if (drive?.do !== 'drive') continue;
    if (drive.who === person || drive.with.includes(person)) legs.push({ at, drive });
  }
  legs.sort((a, b) => a.drive.start - b.drive.start || a.drive.end - b.drive.end || a.at - b.at);
  const trips: Leg[][] = [];
  let trip: Leg[] | null = null;
  for (const leg of legs) {
    if (leg.drive.from === from) trip = [];
    trip?.push(leg);
    if (leg.drive.to !== to || trip === null) continue;
    trips.push(trip);
    trip = null;
  }
  return trips;
}

function tripFaults(
  { id: ride, pickup, arrive, vehicles }: Ride,
  person: string,
  legs: readonly Leg[],
): Fault[] {
  const [first, last] = [legs[0], legs[legs.length - 1]];
  const faults: Fault[] = [];
  const { start } = first.drive;
  const { end } = last.drive;
  if (start < pickup.earliest || start > pickup.latest) {
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
