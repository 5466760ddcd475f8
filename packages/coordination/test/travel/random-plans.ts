import type { TravelPlanFile } from '../../src/travel/model/travel-plan.js';
import type { TravelFile } from '../../src/travel/model/travel-schema.js';
import { randomOf } from '../oracle/random.js';

type Booking = TravelPlanFile['bookings'][number];

const dayAfter = (day: string, by: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);

/** A plan with a few faults at random. */
export function spoiled(trip: TravelFile, plan: readonly Booking[], seed: number): Booking[] {
  const { int, pick, chance } = randomOf(seed);
  const { flights = [], trains = [], hotels = [], passes = [] } = trip.offers;
  let bookings = [...plan];
  for (let left = int(1, 3); left > 0; left--) {
    const at = bookings.length === 0 ? -1 : int(0, bookings.length - 1);
    const one = bookings[at];
    switch (int(0, 8)) {
      case 0:
        bookings = bookings.filter((_, i) => i !== at);
        break;
      case 1:
        if (one !== undefined) bookings.push({ ...one });
        break;
      case 2:
        if (flights.length > 0) bookings.push({ kind: 'flight', offer: pick(flights).id });
        break;
      case 3:
        if (trains.length > 0) {
          const pass = chance(0.5) ? passes[0]?.id : undefined;
          bookings.push({ kind: 'train', offer: pick(trains).id, ...(pass && { pass }) });
        }
        break;
      case 4:
        if (one?.kind === 'hotel') {
          const [from, until] = [dayAfter(one.from, int(-1, 1)), dayAfter(one.until, int(-1, 2))];
          bookings[at] = { ...one, from, until, rooms: int(1, 3) };
        }
        break;
      case 5:
        if (one?.kind === 'hotel') bookings[at] = { ...one, offer: pick(hotels).id };
        break;
      case 8:
        // Two hotels, one after the other.
        if (one?.kind === 'hotel' && dayAfter(one.from, 1) < one.until) {
          const middle = dayAfter(one.from, 1);
          bookings[at] = { ...one, until: middle };
          bookings.push({ ...one, from: middle, offer: pick(hotels).id });
        }
        break;
      case 6:
        if (one?.kind === 'flight' || one?.kind === 'train') {
          const offer = pick(one.kind === 'flight' ? flights : trains).id;
          bookings[at] = { ...one, offer };
        }
        break;
      default:
        if (one !== undefined)
          bookings[at] = { ...one, offer: chance(0.5) ? 'nowhere' : one.offer };
    }
  }
  return bookings;
}

/** Any bookings of a trip, none of which need fit together. */
export function anyPlan(trip: TravelFile, seed: number): Booking[] {
  return spoiled(trip, spoiled(trip, spoiled(trip, [], seed), seed + 1), seed + 2);
}

/** All sequences of transports from home through all stays and back, whatever their times. */
export function* allJourneys(
  trip: TravelFile,
): Generator<readonly (Booking & { from: string; to: string })[]> {
  const { flights = [], trains = [] } = trip.offers;
  const moves = [
    ...flights.map(({ id, from, to }) => ({ kind: 'flight' as const, offer: id, from, to })),
    ...trains.flatMap(({ id, from, to, passes = [] }) => [
      { kind: 'train' as const, offer: id, from, to },
      ...passes.map(({ pass }) => ({ kind: 'train' as const, offer: id, pass, from, to })),
    ]),
  ];
  const cities = trip.stays.map(({ city }) => city);
  function* from(
    here: string,
    left: readonly string[],
    made: readonly (typeof moves)[number][],
  ): Generator<readonly (typeof moves)[number][]> {
    for (const move of moves) {
      if (move.from !== here) continue;
      if (left.length === 0 && move.to === trip.home) yield [...made, move];
      if (!left.includes(move.to)) continue;
      yield* from(
        move.to,
        left.filter((city) => city !== move.to),
        [...made, move],
      );
    }
  }
  yield* from(trip.home, cities, []);
}
