import { formatClock } from '../model/clock.js';
import type { Action, Drive } from '../model/plan.js';
import type { Problem, Ride } from '../model/problem.js';
import { isWithin, windowInWords } from '../model/window.js';
import type { Violation } from './violation.js';

type Report = (violation: Violation) => void;

/** The drives of one person of a ride, from the pick-up to the arrival. */
interface Journey {
  readonly person: string;
  readonly legs: readonly { readonly action: number; readonly drive: Drive }[];
}

/** Judges whether everybody is taken where they want to go, when, and in whose company. */
export function judgeRides(
  problem: Problem,
  actions: readonly (Action | null)[],
  report: Report,
): void {
  const journeys = new Map<string, Journey[]>();
  for (const ride of problem.rides.values()) {
    const found = ride.people.map((person) => journeyOf(actions, ride, person));
    journeys.set(
      ride.id,
      found.filter((journey) => journey !== null),
    );
    for (const [i, journey] of found.entries()) {
      if (journey === null) {
        const person = ride.people[i];
        const message = `nobody takes ${person} from ${ride.from} to ${ride.to} (${ride.id})`;
        report({ code: 'not_served', message, ride: ride.id, person });
      } else judgeJourney(ride, journey, report);
    }
  }
  judgeCompany(problem, journeys, report);
}

/**
 * The way of a person that a ride is about: of those from the pick-up to the end of the ride the last one with the
 * fewest faults; null if there is none. Whoever comes by again at another time is not judged by that.
 */
function journeyOf(
  actions: readonly (Action | null)[],
  ride: Ride,
  person: string,
): Journey | null {
  const legs = actions
    .flatMap((drive, action) =>
      drive?.do === 'drive' && (drive.with.includes(person) || drive.who === person)
        ? [{ action, drive }]
        : [],
    )
    .toSorted((a, b) => a.drive.start - b.drive.start || a.drive.end - b.drive.end);
  let best: { readonly journey: Journey; readonly faults: number } | null = null;
  let begin = -1;
  for (const [at, { drive }] of legs.entries()) {
    if (drive.from === ride.from) begin = at;
    if (drive.to !== ride.to || begin < 0) continue;
    const journey = { person, legs: legs.slice(begin, at + 1) };
    let faults = 0;
    judgeJourney(ride, journey, () => faults++);
    if (best === null || faults <= best.faults) best = { journey, faults };
    begin = -1;
  }
  return best?.journey ?? null;
}

function judgeJourney(
  { id: ride, pickup, arrive, vehicles, from, to }: Ride,
  { person, legs }: Journey,
  report: Report,
): void {
  const [first, last] = [legs[0], legs[legs.length - 1]];
  const proof = { ride, person };
  if (!isWithin(first.drive.start, pickup)) {
    const found = first.drive.start;
    const expected = found < pickup.earliest ? pickup.earliest : pickup.latest;
    const message = `${person} leaves ${from} at ${formatClock(found)}, not ${windowInWords(pickup)} (${ride})`;
    report({ code: 'pickup_outside', message, ...proof, action: first.action, expected, found });
  }
  if (!isWithin(last.drive.end, arrive)) {
    const found = last.drive.end;
    const expected = found < arrive.earliest ? arrive.earliest : arrive.latest;
    const message = `${person} arrives at ${to} at ${formatClock(found)}, not ${windowInWords(arrive)} (${ride})`;
    report({ code: 'arrival_outside', message, ...proof, action: last.action, expected, found });
  }
  for (const { action, drive } of legs) {
    if (vehicles === null || vehicles.includes(drive.vehicle)) continue;
    const message = `${person} is not to be taken by ${drive.vehicle}, but by ${vehicles.join(' or ')} (${ride})`;
    report({ code: 'wrong_vehicle', message, ...proof, action, vehicle: drive.vehicle });
  }
}

/** Rides are made together if they share all their drives, and apart if they share none. */
function judgeCompany(
  problem: Problem,
  journeys: ReadonlyMap<string, readonly Journey[]>,
  report: Report,
): void {
  const drivesOf = (ride: string) =>
    new Set((journeys.get(ride) ?? []).flatMap(({ legs }) => legs.map(({ action }) => action)));
  for (const { id: ride, together, apart } of problem.rides.values()) {
    const own = drivesOf(ride);
    for (const other of together) {
      const theirs = drivesOf(other);
      const isShared = own.size === theirs.size && [...own].every((one) => theirs.has(one));
      if (own.size === 0 || theirs.size === 0 || isShared) continue;
      report({ code: 'not_together', message: `${ride} is not made together with ${other}`, ride });
    }
    for (const other of apart) {
      const shared = [...drivesOf(other)].find((one) => own.has(one));
      if (shared === undefined) continue;
      const message = `${ride} is made together with ${other}`;
      report({ code: 'not_apart', message, ride, action: shared });
    }
  }
}
