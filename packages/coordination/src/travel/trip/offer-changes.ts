import { priceOfBooking } from '../model/travel-cost.js';
import { readBooking } from '../model/travel-plan.js';
import { type TravelProblem, travelOf } from '../model/travel-problem.js';
import type { TravelFacts, TravelOffers } from '../model/travel-schema.js';
import type { HeldBooking, OfferChange } from './trip-values.js';

/** Parts of offers that differ from those of a trip. Offers that are new to it are left out. */
export function offerChanges({ offers: before }: TravelFacts, after: TravelOffers): OfferChange[] {
  const changes: OfferChange[] = [];
  for (const kind of ['flights', 'trains'] as const) {
    for (const one of before[kind]) {
      const now = after[kind].find(({ id }) => id === one.id);
      const { id } = one;
      if (now === undefined) {
        changes.push({ id, cancelled: true });
        continue;
      }
      const change = {
        ...(now.price !== one.price && { price: now.price }),
        ...(now.seats !== one.seats && { seats: now.seats }),
        ...(now.cancelled === true && one.cancelled !== true && { cancelled: true as const }),
      };
      if (Object.keys(change).length > 0) changes.push({ id, ...change });
    }
  }
  for (const { id, price } of before.passes) {
    const now = after.passes.find((one) => one.id === id);
    if (now !== undefined && now.price !== price) changes.push({ id, price: now.price });
  }
  for (const hotel of before.hotels) {
    const nights = after.hotels.find(({ id }) => id === hotel.id)?.nights ?? [];
    const now = new Map(nights.map((night) => [night.day, night]));
    const changed = hotel.nights.flatMap(({ day, price, rooms }) => {
      const night = now.get(day) ?? { price, rooms: 0 };
      if (night.price === price && night.rooms === rooms) return [];
      return [{ day, rooms: night.rooms, ...(night.price !== price && { price: night.price }) }];
    });
    if (changed.length > 0) changes.push({ id: hotel.id, nights: changed });
  }
  return changes;
}

/** The facts of a trip with changed offers. */
export function applyOfferChanges(
  facts: TravelFacts,
  changes: readonly OfferChange[],
): TravelFacts {
  const byId = new Map(changes.map((change) => [change.id, change]));
  const { offers } = facts;
  const transports = <T extends { readonly id: string }>(all: readonly T[]): T[] =>
    all.map((one) => {
      const { id: _, nights: __, ...change } = byId.get(one.id) ?? { id: one.id };
      return { ...one, ...change };
    });
  return {
    ...facts,
    offers: {
      flights: transports(offers.flights),
      trains: transports(offers.trains),
      passes: transports(offers.passes),
      hotels: offers.hotels.map((one) => {
        const nights = byId.get(one.id)?.nights ?? [];
        const changed = new Map(nights.map((night) => [night.day, night]));
        return {
          ...one,
          nights: one.nights.map((night) => ({ ...night, ...changed.get(night.day) })),
        };
      }),
    },
  };
}

/**
 * A trip in which bookings that are held can be used at what was paid for them: their seats and rooms are taken already,
 * by these travellers, and their prices no longer change.
 *
 * @param budget in hundredths
 */
export function worldWithHeld(
  facts: TravelFacts,
  held: readonly Pick<HeldBooking, 'booking' | 'price'>[],
  budget: number,
): TravelProblem {
  const paid = new Map(held.map((one) => [one.booking.offer, one]));
  const travellers = facts.travellers.length;
  const each = (price: number) => price / travellers / 100;
  const { offers } = facts;
  const world: TravelFacts = {
    ...facts,
    budget: Math.max(0, budget) / 100,
    offers: {
      flights: offers.flights.map((one) => {
        const own = paid.get(one.id);
        if (own === undefined) return one;
        return { ...one, price: each(own.price), seats: one.seats + travellers };
      }),
      trains: offers.trains.map((one) => {
        const own = paid.get(one.id);
        if (own === undefined || own.booking.kind !== 'train') return one;
        const { pass } = own.booking;
        const seats = one.seats + travellers;
        if (pass === undefined) return { ...one, price: each(own.price), seats };
        const passes = one.passes.map((ticket) =>
          ticket.pass === pass ? { ...ticket, supplement: each(own.price) } : ticket,
        );
        return { ...one, passes, seats };
      }),
      passes: offers.passes.map((one) => {
        const own = paid.get(one.id);
        return own === undefined ? one : { ...one, price: each(own.price) };
      }),
      hotels: offers.hotels,
    },
  };
  return withHeldNights(travelOf(world), held);
}

/** Nights that are held: free for these travellers, and together at the price that was paid. */
function withHeldNights(
  problem: TravelProblem,
  held: readonly Pick<HeldBooking, 'booking' | 'price'>[],
): TravelProblem {
  const hotels = new Map(problem.hotels);
  for (const { booking: file, price } of held) {
    const booking = readBooking(file as Parameters<typeof readBooking>[0]);
    const hotel = booking.kind === 'hotel' ? hotels.get(booking.offer) : undefined;
    if (booking.kind !== 'hotel' || hotel === undefined) continue;
    const nights = new Map(hotel.nights);
    const current = priceOfBooking({ ...problem, hotels }, booking) ?? price;
    for (let day = booking.from; day < booking.until; day++) {
      const night = nights.get(day);
      if (night === undefined) continue;
      // The difference to the present prices is put on the first night: only the sum is known.
      const off = day === booking.from ? (price - current) / booking.rooms : 0;
      nights.set(day, { price: night.price + off, rooms: night.rooms + booking.rooms });
    }
    hotels.set(booking.offer, { ...hotel, nights });
  }
  return { ...problem, hotels };
}
