import { createRandom, type Random } from '@alas-jssp/core';
import { DAY, formatDay, formatMoment, parseDay } from '../model/moment.js';
import { TRAVEL_SCHEMA, type TravelFile } from '../model/travel-schema.js';

/** The trip to generate offers for. All offers are invented. */
export interface TravelRecipe {
  readonly name: string;
  readonly seed: number;
  readonly home: { readonly id: string; readonly utc_offset: number };
  readonly cities: readonly {
    readonly id: string;
    readonly utc_offset: number;
    readonly nights: number;
    /** Nights more or less that are accepted. */
    readonly slack?: number;
    /** Hours of a flight from home. */
    readonly hours?: number;
  }[];
  readonly from: string;
  readonly until: string;
  readonly travellers: number;
  /** In the currency of the trip. */
  readonly budget: number;
  readonly order?: 'fixed' | 'free';
  /** Chance that a day has flights between home and a city. Default 1. */
  readonly flightDays?: number;
  /** Hotels in a city. Default 4. */
  readonly hotels?: number;
  /** Trains between two cities on a day. Default 3. */
  readonly trains?: number;
}

type Offers = TravelFile['offers'];

/** Generates a trip with invented offers: equal recipes give equal trips. */
export function generateTravel(recipe: TravelRecipe): TravelFile {
  const { name, seed, home, cities, from, until, travellers, budget, order = 'fixed' } = recipe;
  const random = createRandom(`travel ${seed}`);
  const days: number[] = [];
  for (let day = parseDay(from); day <= parseDay(until); day++) days.push(day);
  const flights = cities.flatMap(({ id, utc_offset, hours = 10 }, i) => {
    const isFirst = i === 0 || order === 'free';
    const isLast = i === cities.length - 1 || order === 'free';
    const there = { from: home, to: { id, utc_offset }, hours };
    const back = { from: { id, utc_offset }, to: home, hours: hours + 1 };
    return [
      ...(isFirst ? flightsOf(random, there, days, recipe) : []),
      ...(isLast ? flightsOf(random, back, days, recipe) : []),
    ];
  });
  const pass = `pass-${cities.length}-days`;
  const trains = pairsOf(cities, order).flatMap(([a, b]) =>
    trainsOf(random, a, b, days, pass, recipe),
  );
  return {
    schema: TRAVEL_SCHEMA,
    name,
    source: `invented, by the generator of trips with seed ${seed}`,
    budget,
    period: { from, until },
    cities: [home, ...cities].map(({ id, utc_offset }) => ({ id, utc_offset })),
    home: home.id,
    travellers: Array.from({ length: travellers }, (_, i) => ({ id: `traveller ${i + 1}` })),
    stays: cities.map(({ id: city, nights, slack = 0 }) => ({
      city,
      nights,
      ...(slack > 0 && { least: Math.max(1, nights - slack), most: nights + slack }),
    })),
    order,
    preferences: [
      { kind: 'direct_flights', weight: 100 },
      { kind: 'stars', least: 3, most: 4, weight: 50 },
      { kind: 'nights', weight: 40 },
    ],
    offers: {
      flights,
      trains,
      hotels: cities.flatMap((city) => hotelsOf(random, city.id, days, recipe)),
      passes: trains.length === 0 ? [] : [passOf(random, pass, days, cities.length)],
    },
  };
}

interface OfferPlace {
  readonly id: string;
  readonly utc_offset: number;
}

function flightsOf(
  random: Random,
  { from, to, hours }: { from: OfferPlace; to: OfferPlace; hours: number },
  days: readonly number[],
  { flightDays = 1 }: TravelRecipe,
): NonNullable<Offers['flights']> {
  return days.flatMap((day) => {
    if (random.next() >= flightDays) return [];
    return Array.from({ length: random.integer(1, 3) }, (_, i) => {
      const stops = random.integer(0, 2) === 0 ? 0 : 1;
      const minutes = 60 * hours + (stops === 0 ? 0 : random.integer(90, 300));
      const departs = DAY * day + 5 * random.integer(80, 270);
      const arrives = departs - from.utc_offset + minutes + to.utc_offset;
      return {
        id: `${codeOf(from.id)}-${codeOf(to.id)}-${formatDay(day).slice(5)}-${'abc'[i]}`,
        from: from.id,
        to: to.id,
        departs: formatMoment(departs),
        arrives: formatMoment(arrives),
        ...(stops > 0 && { stops }),
        price: 10 * random.integer(stops === 0 ? 55 : 42, 110),
        seats: random.integer(0, 9),
        refund: 25 * random.integer(0, 4),
      };
    });
  });
}

function trainsOf(
  random: Random,
  from: OfferPlace,
  to: OfferPlace,
  days: readonly number[],
  pass: string,
  { trains: most = 3 }: TravelRecipe,
): NonNullable<Offers['trains']> {
  const minutes = random.integer(90, 330);
  return days.flatMap((day) =>
    Array.from({ length: random.integer(1, most) }, (_, i) => {
      const departs = DAY * day + 5 * random.integer(60, 250);
      return {
        id: `${codeOf(from.id)}-${codeOf(to.id)}-rail-${formatDay(day).slice(5)}-${i + 1}`,
        from: from.id,
        to: to.id,
        departs: formatMoment(departs),
        arrives: formatMoment(departs + minutes - from.utc_offset + to.utc_offset),
        price: 5 * random.integer(6, 36),
        seats: random.integer(0, 40),
        refund: 50 * random.integer(0, 2),
        ...(random.integer(0, 3) > 0 && {
          passes: [{ pass, supplement: 5 * random.integer(0, 2) }],
        }),
      };
    }),
  );
}

function hotelsOf(
  random: Random,
  city: string,
  days: readonly number[],
  { hotels = 4 }: TravelRecipe,
): NonNullable<Offers['hotels']> {
  return Array.from({ length: hotels }, (_, i) => {
    const stars = random.integer(2, 5);
    const base = 25 + 35 * stars;
    return {
      id: `${codeOf(city)}-hotel-${i + 1}`,
      city,
      stars,
      beds: random.integer(1, 3),
      check_in: ['14:00', `${random.integer(19, 24)}:00`] as [string, string],
      leave_from: `0${random.integer(4, 8)}:00`,
      refund: 25 * random.integer(0, 4),
      nights: days.flatMap((day) =>
        random.integer(0, 19) === 0
          ? []
          : [
              {
                day: formatDay(day),
                price: base + 5 * random.integer(-6, 10),
                rooms: random.integer(0, 4),
              },
            ],
      ),
    };
  });
}

function passOf(random: Random, id: string, days: readonly number[], count: number) {
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? 0];
  return {
    id,
    price: 5 * random.integer(10, 30) * count,
    days: Math.max(1, count - 1),
    from: formatDay(first),
    until: formatDay(last),
    refund: 100,
  };
}

function pairsOf<T>(cities: readonly T[], order: 'fixed' | 'free'): (readonly [T, T])[] {
  if (order === 'fixed') return cities.slice(1).map((to, i) => [cities[i], to] as const);
  return cities.flatMap((from) =>
    cities.filter((to) => to !== from).map((to) => [from, to] as const),
  );
}

/** A name in ids of offers. */
function codeOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '') || 'x';
}
