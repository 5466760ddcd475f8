import { formatClock } from '../model/clock.js';
import type { Action } from '../model/plan.js';
import type { Problem, Ride } from '../model/problem.js';
import { isWithin, windowInWords } from '../model/window.js';
import { chooseTrips, companyFaults, type MeantTrips } from './company.js';
import { drivesOf, type Engagement, engagementsOf, type Timeline } from './timeline.js';
import { isPickedUp, type Leg, mayCarry, readySince, type Trip, tripsOf } from './trips.js';
import type { ReportViolation } from './violation.js';

/** Judges whether all people arrive at their destinations in time and in the required company. */
export function judgeRides(
  problem: Problem,
  actions: readonly (Action | null)[],
  timelines: ReadonlyMap<string, Timeline>,
  report: ReportViolation,
): void {
  if (problem.rides.size === 0) return;
  const meant = meantTrips(problem, actions, (person) => timelines.get(person)?.engagements ?? []);
  for (const ride of problem.rides.values()) {
    const trips = new Map((meant.get(ride.id) ?? []).map((trip) => [trip.person, trip]));
    for (const person of ride.people) {
      const trip = trips.get(person);
      if (trip === undefined) {
        const message = `nobody takes ${person} from ${ride.from} to ${ride.to} (${ride.id})`;
        report({ code: 'not_served', message, ride: ride.id, person });
      } else judgeTrip(ride, trip, report);
    }
  }
  for (const ride of problem.rides.values()) {
    for (const fault of companyFaults(ride, meant)) {
      const [code, word] =
        fault.kind === 'together'
          ? (['not_together', 'not made together'] as const)
          : (['not_apart', 'made together'] as const);
      const message = `${ride.id} is ${word} with ${fault.other}`;
      const where = fault.kind === 'apart' ? { action: fault.action } : {};
      report({ code, message, ride: ride.id, ...where });
    }
  }
}

/** The trips of a plan that serve its rides, by ride. */
export function meantTrips(
  problem: Problem,
  actions: readonly (Action | null)[],
  engagements: (person: string) => readonly Engagement[] = (person) =>
    engagementsOf(problem, actions, person),
): MeantTrips {
  const vehiclesReady = readyVehicles(problem, actions);
  const legsOf = new Map<string, readonly Leg[]>();
  const candidates = new Map<string, Iterable<Trip>[]>();
  for (const ride of problem.rides.values()) {
    const trips = ride.people.map((person) => {
      const legs =
        legsOf.get(person) ??
        legsOfPerson(problem, actions, engagements(person), vehiclesReady, person);
      legsOf.set(person, legs);
      // Each loop restarts the generator: most loops need only the first trip.
      return { [Symbol.iterator]: () => tripsOf(ride, person, legs) };
    });
    candidates.set(ride.id, trips);
  }
  return chooseTrips(problem, candidates);
}

/** The minute from which the vehicle of each drive waits at its start, by action. */
function readyVehicles(problem: Problem, actions: readonly (Action | null)[]): Map<number, number> {
  const ready = new Map<number, number>();
  for (const vehicle of problem.vehicles.values()) {
    let { from } = vehicle;
    for (const activity of vehicle.after) {
      const ends = actions.flatMap((one) =>
        one?.do === 'activity' && one.activity === activity ? one.end : [],
      );
      from = Math.max(
        from,
        ends.reduce((first, end) => Math.min(first, end), Number.POSITIVE_INFINITY),
      );
    }
    const since = readySince({ at: vehicle.at, from }, drivesOf(actions, vehicle.id));
    for (const [action, time] of since) ready.set(action, time);
  }
  return ready;
}

/** The drives of a person, by time. */
function legsOfPerson(
  problem: Problem,
  actions: readonly (Action | null)[],
  engagements: readonly Engagement[],
  vehiclesReady: ReadonlyMap<number, number>,
  person: string,
): Leg[] {
  const { at = '', from = 0 } = problem.people.get(person) ?? {};
  const personReady = readySince({ at, from }, engagements);
  return engagements.flatMap(({ action, start }) => {
    const drive = actions[action];
    if (drive?.do !== 'drive') return [];
    const ready = Math.max(personReady.get(action) ?? start, vehiclesReady.get(action) ?? start);
    return [{ action, drive, boards: ready }];
  });
}

function judgeTrip(ride: Ride, { person, legs }: Trip, report: ReportViolation): void {
  const { id, pickup, arrive, from, to } = ride;
  const [first, last] = [legs[0], legs[legs.length - 1]];
  const proof = { ride: id, person };
  if (!isPickedUp(first, pickup)) {
    const { drive, boards, action } = first;
    const isEarly = drive.start < pickup.earliest;
    const expected = isEarly ? pickup.earliest : pickup.latest;
    const found = isEarly ? drive.start : boards;
    const does = isEarly || boards === drive.start ? 'leaves' : 'gets in at';
    const message = `${person} ${does} ${from} at ${formatClock(found)}, not ${windowInWords(pickup)} (${id})`;
    report({ code: 'pickup_outside', message, ...proof, action, expected, found });
  }
  if (!isWithin(last.drive.end, arrive)) {
    const found = last.drive.end;
    const expected = found < arrive.earliest ? arrive.earliest : arrive.latest;
    const message = `${person} arrives at ${to} at ${formatClock(found)}, not ${windowInWords(arrive)} (${id})`;
    report({ code: 'arrival_outside', message, ...proof, action: last.action, expected, found });
  }
  for (const leg of legs) {
    if (mayCarry(ride, leg)) continue;
    const { vehicle } = leg.drive;
    const message = `${person} is not to be taken by ${vehicle}, but by ${ride.vehicles?.join(' or ')} (${id})`;
    report({ code: 'wrong_vehicle', message, ...proof, action: leg.action, vehicle });
  }
}
