import { generateTravel } from '../../src/travel/generate/generate-travel.js';
import type { TravelFile } from '../../src/travel/model/travel-schema.js';
import { randomOf } from '../oracle/random.js';

const OFFSETS = [-420, 0, 120, 330];

/** A small trip at random: few days and offers, so that every plan of it can be tried. */
export function randomTrip(seed: number): TravelFile {
  const { int, chance } = randomOf(seed);
  const count = int(1, 3);
  const names = ['Berlin', 'Cologne', 'Delft'].slice(0, count);
  const nights = names.map(() => int(1, 2));
  const length = nights.reduce((sum, one) => sum + one, 0) + int(2, 5);
  const trip = generateTravel({
    name: `random ${seed}`,
    seed,
    home: { id: 'Home', utc_offset: OFFSETS[int(0, 3)] },
    cities: names.map((id, i) => ({
      id,
      utc_offset: chance(0.8) ? 120 : 60,
      nights: nights[i],
      slack: int(0, 1),
      hours: int(2, 11),
    })),
    from: '2025-06-01',
    until: `2025-06-${String(1 + length).padStart(2, '0')}`,
    travellers: int(1, 3),
    budget: 100 * int(15, 120),
    order: chance(0.3) ? 'free' : 'fixed',
    flightDays: 0.8,
    hotels: int(1, 3),
    trains: int(1, 2),
  });
  // Offers in any order of the cities, of which only one order is asked for.
  if (chance(0.2)) trip.order = 'fixed';
  return chance(0.3)
    ? {
        ...trip,
        preferences: [
          { kind: 'direct_flights', required: true },
          { kind: 'start', day: '2025-06-02', weight: 30 },
          { kind: 'rail_pass', weight: 45 },
        ],
      }
    : trip;
}
