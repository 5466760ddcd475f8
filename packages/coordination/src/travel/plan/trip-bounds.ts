import { roomsNeeded } from '../model/travel-cost.js';
import type { TravelProblem } from '../model/travel-problem.js';

/** Lower bounds of what is still to be paid, in hundredths. */
export interface TripBounds {
  /** For a stay from its arrival on, without the transport that leads there. */
  readonly stay: readonly number[];
  /** For the cheapest transport to a stay. */
  readonly into: readonly number[];
  /** For the cheapest transport home. */
  readonly home: number;
}

/**
 * Bounds from the cheapest offers: a stay costs at least its fewest nights at the cheapest price of its city, and each
 * transport at least the cheapest one to its city. They hold for money and for cost, because penalties are not
 * negative.
 *
 * @param paid bookings that cost nothing more: with them a bound is 0
 */
export function tripBounds(problem: TravelProblem, hasKept: boolean): TripBounds {
  const { stays, transports, hotels, travellers, home } = problem;
  const cheapestTo = (city: string) => {
    let least = Number.POSITIVE_INFINITY;
    for (const { to, price, passes } of transports.values()) {
      if (to === city) least = Math.min(least, travellers * Math.min(price, ...passes.values()));
    }
    return Number.isFinite(least) && !hasKept ? least : 0;
  };
  return {
    stay: stays.map(({ city, least }) => {
      let price = Number.POSITIVE_INFINITY;
      for (const hotel of hotels.values()) {
        if (hotel.city !== city) continue;
        for (const night of hotel.nights.values()) {
          price = Math.min(price, night.price * roomsNeeded(problem, hotel));
        }
      }
      return Number.isFinite(price) && !hasKept ? least * price : 0;
    }),
    into: stays.map(({ city }) => cheapestTo(city)),
    home: cheapestTo(home),
  };
}
