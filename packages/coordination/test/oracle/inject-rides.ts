import type { ViolationCode } from '../../src/judge/violation.js';
import { formatClock } from '../../src/model/clock.js';
import type { ProblemFile } from '../../src/model/problem-schema.js';
import type { Change, Injector, Target } from './inject.js';
import type { Random } from './random.js';

type Codes =
  | 'not_served'
  | 'wrong_vehicle'
  | 'pickup_outside'
  | 'arrival_outside'
  | 'not_together'
  | 'not_apart';
type RideFile = NonNullable<ProblemFile['rides']>[number];

/** Faults that a plan has since it is asked for other rides. */
export const injectionsIntoRides: Record<Extract<ViolationCode, Codes>, Injector> = {
  not_served: (random, { facts, drives }) => {
    const person = random.pick(facts.people ?? []).id;
    const own = drives.filter(
      ({ action }) => action.who === person || action.with.includes(person),
    );
    const never = facts.places.find(({ id }) => own.every(({ action }) => action.to !== id));
    if (never === undefined) return null;
    const from = random.pick(facts.places).id;
    const ride = { id: 'new', people: [person], from, to: never.id };
    return { facts: withRides(facts, ride), about: { ride: 'new', person } };
  },
  wrong_vehicle: intoNewRide((_, { vehicle, facts }) => ({
    vehicles: (facts.vehicles ?? []).map(({ id }) => id).filter((id) => id !== vehicle),
  })),
  pickup_outside: (random, target) => {
    if (random.chance(0.5)) return tooEarly(random, target);
    const change = tooLate(random, target);
    if (change === null) return null;
    // Who is there from then on only cannot have got in before.
    const { about, facts, start } = change;
    const people = (facts.people ?? []).map((one) =>
      one.id === about.person ? { ...one, from: formatClock(start), until: undefined } : one,
    );
    return { about, facts: { ...facts, people } };
  },
  arrival_outside: intoNewRide((random, { end }) =>
    random.chance(0.5)
      ? { arrive: [null, formatClock(end - 1)] }
      : { arrive: [formatClock(end + 1), null] },
  ),
  not_together: (random, target) => {
    const [one, other] = [onlyTrip(random, target), onlyTrip(random, target)];
    if (one === null || other === null || one.at === other.at) return null;
    const first: RideFile = { ...one.ride, id: 'one', together: ['two'] };
    const facts = withRides(target.facts, first, { ...other.ride, id: 'two' });
    return { facts, about: { ride: 'one' } };
  },
  not_apart: (random, target) => {
    const one = onlyTrip(random, target);
    if (one === null) return null;
    const first: RideFile = { ...one.ride, id: 'one', apart: ['two'] };
    const facts = withRides(target.facts, first, { ...one.ride, id: 'two' });
    return { facts, about: { ride: 'one' } };
  },
};

const tooEarly = intoNewRide((_, { start }) => ({ pickup: [formatClock(start + 1), null] }));
const tooLate = intoNewRide((_, { start }) => ({ pickup: [null, formatClock(start - 1)] }));

function withRides(facts: ProblemFile, ...rides: RideFile[]): ProblemFile {
  return { ...facts, rides: [...(facts.rides ?? []), ...rides] };
}

/** A ride of one drive that nobody else's drive could be meant by: its person leaves and arrives there once only. */
function onlyTrip(random: Random, { problem, drives }: Target) {
  const trips = drives.flatMap(({ at, action }) => {
    const { from, to, vehicle, start, end } = action;
    if (!problem.places.has(from) || !problem.places.has(to)) return [];
    return [...action.with, ...(action.who === null ? [] : [action.who])].flatMap((person) => {
      const own = drives.filter(
        ({ action: one }) => one.who === person || one.with.includes(person),
      );
      const arrives = own.filter((one) => one.action.to === to);
      const leaves = own.filter((one) => one.action.from === from);
      const isOnly = arrives.length === 1 && leaves.length === 1;
      const ride = { people: [person], from, to };
      return isOnly ? [{ at, person, vehicle, start, end, ride }] : [];
    });
  });
  return trips.length === 0 ? null : random.pick(trips);
}

/** A ride that is asked for otherwise than it is made, and when it begins. */
interface RideChange {
  readonly facts: ProblemFile;
  readonly about: Change['about'];
  readonly start: number;
}

/** An injector that asks for a ride that is made, otherwise. */
function intoNewRide(
  change: (
    random: Random,
    trip: NonNullable<ReturnType<typeof onlyTrip>> & { readonly facts: ProblemFile },
  ) => Partial<RideFile>,
): (random: Random, target: Target) => RideChange | null {
  return (random, target) => {
    const trip = onlyTrip(random, target);
    if (trip === null) return null;
    const changes = change(random, { ...trip, facts: target.facts });
    const facts = withRides(target.facts, { ...trip.ride, id: 'new', ...changes });
    const isVehicle = changes.vehicles !== undefined;
    return {
      ...{ facts, start: trip.start },
      about: {
        ...{ ride: 'new', person: trip.person, action: trip.at },
        ...(isVehicle && { vehicle: trip.vehicle }),
      },
    };
  };
}
