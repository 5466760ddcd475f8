import type { AnswerShape } from 'alas-jssp/llm';
import { formatDay, formatMoment } from '../model/moment.js';
import { roomsNeeded } from '../model/travel-cost.js';
import { bookingKey, type TravelBooking, writeBooking } from '../model/travel-plan.js';
import {
  formatMoney,
  type Hotel,
  type Transport,
  type TravelProblem,
} from '../model/travel-problem.js';
import type { TravelPreference } from '../model/travel-schema.js';

/** The system prompt of planners of trips. */
export const TRIP_SYSTEM =
  'You plan trips out of offers. You keep every rule that is stated, and book no offers but those that are listed.';

const TRIP_RULES = `Rules:
- The journey begins and ends at home. Each leg is one flight or one train of the list, from the city where the travellers are.
- Each city is visited once. All nights there are in one hotel of the city, booked from the day of arrival until the day of departure.
- All bookings are for all travellers together. The total of all prices is at most the budget.
- From the arrival to the hotel, and from the hotel to a departure, it takes the minutes that are stated; at the station or airport the travellers are there the minutes before departure that are stated. A hotel receives guests until its last hour, and nobody leaves it before its first hour.
- A train may be taken with a pass that it is listed with: then the pass is booked too, and the supplement is paid in place of the fare.`;

/** Bookings that exist already, and the time before which nothing new can begin. */
export interface TripMemory {
  readonly kept: readonly TravelBooking[];
  /** Minutes in UTC. */
  readonly now: number | null;
}

/** The facts that every agent sees: the request, without offers. */
export function tripRequest(problem: TravelProblem, { kept, now }: TripMemory): string {
  const { home, from, until, stays, order, travellers, budget, currency, transfer, board } =
    problem;
  const nights = stays.map(({ city, nights: asked, least, most }) => {
    const range = least === most ? '' : ` (${least} to ${most} are accepted)`;
    return `${asked} nights in ${city}${range}`;
  });
  const lines = [
    `A trip from ${home} and back, between ${formatDay(from)} and ${formatDay(until)}, for ${travellers} travellers.`,
    `Stays, ${order === 'fixed' ? 'in this order' : 'in any order'}: ${nights.join(', ')}.`,
    `Budget: ${formatMoney(budget)} ${currency} for all bookings.`,
    `From hotel to station ${transfer.train} minutes, to the airport ${transfer.flight}. Before departure: trains ${board.train} minutes, flights ${board.flight}.`,
    ...problem.preferences.map((one) => `Preference: ${preferenceInWords(one)}.`),
    ...kept.map((one) => `Booked already, keep it as it is: ${JSON.stringify(writeBooking(one))}`),
    ...(now === null ? [] : [`It is ${formatMoment(now)} UTC: nothing new can begin before.`]),
  ];
  return lines.join('\n');
}

function preferenceInWords(one: TravelPreference): string {
  const price = one.required === true ? 'required' : `each time it is broken costs ${one.weight}`;
  switch (one.kind) {
    case 'direct_flights':
      return `flights without stops, ${price}`;
    case 'stars':
      return `hotels of ${one.least} to ${one.most} stars, by night; ${price}`;
    case 'nights':
      return `as many nights as asked, by night; ${price}`;
    case 'rail_pass':
      return `trains with a pass, ${price}`;
    case 'start':
      return `to begin on ${one.day}, by day; ${price}`;
  }
}

/** Offers in words, a line each; those that are sold out or cancelled are left out, but not kept ones. */
export function offerLines(
  problem: TravelProblem,
  kind: 'flight' | 'train' | 'hotel',
  { kept, now }: TripMemory,
): string[] {
  const keys = new Set(kept.map((one) => one.offer));
  if (kind === 'hotel') {
    return [...problem.hotels.values()].map((hotel) => hotelLine(problem, hotel));
  }
  const transports = [...problem.transports.values()]
    .filter(({ mode }) => mode === kind)
    .filter(
      ({ id, seats, cancelled, departsUtc }) =>
        keys.has(id) ||
        (!cancelled && seats >= problem.travellers && departsUtc >= (now ?? departsUtc)),
    );
  const lines = transports.map((one) => transportLine(one));
  if (kind === 'flight') return lines;
  const passes = [...problem.passes.values()].map(
    ({ id, price, days, from, until }) =>
      `pass ${id}: ${formatMoney(price)} each, for trains on ${days} days, ${formatDay(from)} to ${formatDay(until)}`,
  );
  return [...lines, ...passes];
}

function transportLine({ id, mode, from, to, departs, arrives, stops, price, passes }: Transport) {
  const more = [
    ...(mode === 'flight' ? [stops === 0 ? 'direct' : `${stops} stops`] : []),
    ...[...passes].map(([pass, supplement]) => `with ${pass}: ${formatMoney(supplement)} each`),
  ];
  const times = `${formatMoment(departs)} to ${formatMoment(arrives)}`;
  const parts = [`${from} to ${to}`, times, `${formatMoney(price)} each`, ...more];
  return `${mode} ${id}: ${parts.join(', ')}`;
}

function hotelLine(problem: TravelProblem, hotel: Hotel): string {
  const rooms = roomsNeeded(problem, hotel);
  const nights = [...hotel.nights]
    .filter(([, night]) => night.rooms >= rooms)
    .map(([day, { price }]) => `${formatDay(day).slice(5)} ${formatMoney(price)}`);
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const words = `${hotel.city}, ${hotel.stars} stars, ${rooms === 1 ? '1 room is' : `${rooms} rooms are`} needed`;
  const hours = `guests until ${clock(hotel.checkIn[1])}, leave from ${clock(hotel.leaveFrom)}`;
  return `hotel ${hotel.id}: ${words}, ${hours}, free nights and their price by room: ${nights.join('; ')}`;
}

/** All facts: the request, the rules and all offers. */
export function tripFacts(problem: TravelProblem, memory: TripMemory): string {
  const kinds = ['flight', 'train', 'hotel'] as const;
  const offers = kinds.flatMap((kind) => offerLines(problem, kind, memory));
  return [tripRequest(problem, memory), TRIP_RULES, `Offers:\n${offers.join('\n')}`].join('\n\n');
}

/** The request for a plan. */
export const TRIP_FORM = `Answer with one JSON object and nothing else:
{"bookings": [
  {"kind": "flight", "offer": "ID"},
  {"kind": "hotel", "offer": "ID", "from": "YYYY-MM-DD", "until": "YYYY-MM-DD", "rooms": 1},
  {"kind": "pass", "offer": "ID"},
  {"kind": "train", "offer": "ID", "pass": "ID"}
], "total": 1234, "feasible": true}
"pass" of a train is "" if its fare is paid. "total" is the price of all bookings for all travellers.`;

/** The schema of a plan, for providers that enforce schemas. Fields that a booking does not have are empty. */
export const TRIP_SHAPE: AnswerShape = {
  name: 'travel_plan',
  schema: objectOf({
    bookings: {
      type: 'array',
      items: objectOf({
        kind: { type: 'string', enum: ['flight', 'hotel', 'train', 'pass'] },
        offer: { type: 'string' },
        from: { type: 'string' },
        until: { type: 'string' },
        rooms: { type: 'integer' },
        pass: { type: 'string' },
      }),
    },
    total: { type: 'number' },
    feasible: { type: 'boolean' },
  }),
};

function objectOf(properties: Record<string, object>) {
  const required = Object.keys(properties);
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A plan as agents see it. */
export function tripPlanText(bookings: readonly TravelBooking[]): string {
  return JSON.stringify({ bookings: bookings.map(writeBooking) }, null, 1);
}

/** The bookings of a plan that are not among others, by key. */
export function bookingsWithout(
  bookings: readonly TravelBooking[],
  others: readonly TravelBooking[],
): TravelBooking[] {
  const keys = new Set(others.map(bookingKey));
  return bookings.filter((one) => !keys.has(bookingKey(one)));
}
