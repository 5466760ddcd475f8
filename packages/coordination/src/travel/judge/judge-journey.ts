import { formatDay, formatMoment } from '../model/moment.js';
import { dayOf } from '../model/travel-cost.js';
import type { HotelBooking, TravelBooking } from '../model/travel-plan.js';
import type { CityStay, Hotel, Transport, TravelProblem } from '../model/travel-problem.js';
import type { ReportTravel } from './travel-violation.js';

/** A transport of a plan, and its place in the plan. */
interface JourneyLeg {
  readonly at: number;
  readonly transport: Transport;
}

/** The time in a city between two transports; local minutes. */
interface Sojourn {
  readonly city: string;
  readonly arriving: JourneyLeg;
  readonly leaving: JourneyLeg;
  /** At which the travellers are at their hotel, and at which they leave it. */
  readonly atHotel: number;
  readonly leave: number;
  /** The first night, and the day after the last. */
  readonly from: number;
  readonly until: number;
}

/** The journey that a plan makes, as far as it is one. */
export interface Journey {
  readonly nights: ReadonlyMap<string, number>;
  /** The local day on which it begins. */
  readonly start: number | null;
}

/** Minutes after midnight until which an arrival belongs to the night before. */
export const NIGHT_ENDS = 5 * 60;

/**
 * Follows the travellers from home through all transports, and checks continuity, order, times between hotel and
 * terminals, nights, hotels and the period.
 */
export function judgeJourney(
  problem: TravelProblem,
  bookings: readonly (TravelBooking | null)[],
  report: ReportTravel,
): Journey {
  const legs = legsOf(problem, bookings);
  const sojourns: Sojourn[] = [];
  let city = problem.home;
  for (const [i, leg] of legs.entries()) {
    const { from, to, departs } = leg.transport;
    if (from !== city) {
      const message = `${leg.transport.id} departs from ${from} at ${formatMoment(departs)}, when the travellers are in ${city}`;
      report({ code: 'not_there', message, bookings: [leg.at], city: from });
    } else if (i > 0) sojourns.push(sojournOf(problem, legs[i - 1], leg));
    city = to;
  }
  if (city !== problem.home) {
    const message = `the trip ends in ${city}, not in ${problem.home}`;
    report({ code: 'not_home', message, bookings: legs.slice(-1).map(({ at }) => at), city });
  }
  judgeCities(problem, legs, sojourns, report);
  judgePeriod(problem, legs, report);
  const hotels = hotelsOf(problem, bookings);
  for (const sojourn of sojourns) judgeSojourn(problem, sojourn, hotels, report);
  judgeOtherBeds(hotels, sojourns, report);
  return {
    nights: new Map(sojourns.map(({ city: name, from, until }) => [name, until - from])),
    start: legs.length === 0 ? null : dayOf(legs[0].transport.departs),
  };
}

function legsOf(problem: TravelProblem, bookings: readonly (TravelBooking | null)[]): JourneyLeg[] {
  const legs = bookings.flatMap((booking, at): JourneyLeg[] => {
    if (booking === null || booking.kind === 'hotel' || booking.kind === 'pass') return [];
    const transport = problem.transports.get(booking.offer);
    return transport === undefined ? [] : [{ at, transport }];
  });
  return legs.sort((a, b) => a.transport.departsUtc - b.transport.departsUtc);
}

function sojournOf(
  { transfer, board }: TravelProblem,
  arriving: JourneyLeg,
  leaving: JourneyLeg,
): Sojourn {
  const { to: city, arrives, mode } = arriving.transport;
  const { departs, mode: next } = leaving.transport;
  const atHotel = arrives + transfer[mode];
  const leave = departs - board[next] - transfer[next];
  const [from, until] = [dayOf(atHotel - NIGHT_ENDS), dayOf(leave)];
  return { city, arriving, leaving, atHotel, leave, from, until };
}

/** Checks that each asked city is visited once, in the asked order, and no other. */
function judgeCities(
  { home, stays, order }: TravelProblem,
  legs: readonly JourneyLeg[],
  sojourns: readonly Sojourn[],
  report: ReportTravel,
): void {
  const visited = legs.map(({ transport }) => transport.to).filter((city) => city !== home);
  for (const { city } of stays) {
    if (visited.includes(city)) continue;
    report({ code: 'missing_stay', message: `nobody goes to ${city}`, bookings: [], city });
  }
  const seen = new Set<string>();
  for (const [i, { at, transport }] of legs.entries()) {
    const { to: city } = transport;
    const isAsked = stays.some((stay) => stay.city === city) && !seen.has(city);
    const isLast = city === home && i === legs.length - 1;
    if (!isAsked && !isLast) {
      const why = seen.has(city) ? 'a second time' : 'where there is nothing to stay for';
      const message = `${transport.id} goes to ${city}, ${why}`;
      report({ code: 'unasked_stay', message, bookings: [at], city });
    }
    seen.add(city);
  }
  const asked = stays.map(({ city }) => city).filter((city) => seen.has(city));
  const made = [...new Set(sojourns.map(({ city }) => city))].filter((city) =>
    asked.includes(city),
  );
  const expected = asked.filter((city) => made.includes(city));
  if (order === 'fixed' && made.join('\n') !== expected.join('\n')) {
    const message = `the cities are visited in the order ${made.join(', ')}, not ${expected.join(', ')}`;
    report({ code: 'wrong_order', message, bookings: [] });
  }
}

function judgePeriod(
  { from, until }: TravelProblem,
  legs: readonly JourneyLeg[],
  report: ReportTravel,
): void {
  const [first, last] = [legs[0], legs.at(-1)];
  if (first === undefined || last === undefined) return;
  const day = dayOf(first.transport.departs);
  if (day < from) {
    const message = `the trip begins on ${formatDay(day)}, before ${formatDay(from)}`;
    report({ code: 'outside_period', message, bookings: [first.at], expected: from, found: day });
  }
  const end = dayOf(last.transport.arrives);
  if (end > until) {
    const message = `the trip ends on ${formatDay(end)}, after ${formatDay(until)}`;
    report({ code: 'outside_period', message, bookings: [last.at], expected: until, found: end });
  }
}

/** A hotel of a plan, and its place in the plan. */
interface Bed {
  readonly at: number;
  readonly booking: HotelBooking;
  readonly hotel: Hotel;
}

function hotelsOf(problem: TravelProblem, bookings: readonly (TravelBooking | null)[]): Bed[] {
  return bookings.flatMap((booking, at): Bed[] => {
    if (booking?.kind !== 'hotel') return [];
    const hotel = problem.hotels.get(booking.offer);
    return hotel === undefined ? [] : [{ at, booking, hotel }];
  });
}

/** Checks the nights of a stay: how many, and that each is in one bed, of one hotel. */
function judgeSojourn(
  problem: TravelProblem,
  sojourn: Sojourn,
  beds: readonly Bed[],
  report: ReportTravel,
): void {
  const { city, arriving, leaving, atHotel, leave, from, until } = sojourn;
  const about = [arriving.at, leaving.at];
  if (leave < atHotel) {
    const message = `${city}: at the hotel at ${formatMoment(atHotel)}, but to leave it at ${formatMoment(leave)} for ${leaving.transport.id}`;
    report({ code: 'too_tight', message, bookings: about, city, expected: atHotel, found: leave });
  }
  const stay = problem.stays.find((one) => one.city === city);
  if (stay !== undefined) judgeNights(stay, sojourn, about, report);
  const here = beds.filter(({ hotel }) => hotel.city === city);
  const uses = new Set<Bed>();
  for (let day = from; day < until; day++) {
    const covering = here.filter(({ booking }) => booking.from <= day && day < booking.until);
    for (const bed of covering) uses.add(bed);
    const places = covering.map(({ at }) => at);
    const night = formatDay(day);
    if (covering.length === 0) {
      const message = `${city}: no hotel for the night of ${night}`;
      report({ code: 'no_bed', message, bookings: about, city, found: day });
    } else if (covering.length > 1) {
      const message = `${city}: ${covering.length} bookings for the night of ${night}`;
      report({ code: 'two_beds', message, bookings: places, city, found: day });
    }
  }
  const names = new Set([...uses].map(({ hotel }) => hotel.id));
  if (names.size > 1) {
    const message = `${city}: the travellers move from one hotel to another (${[...names].join(', ')})`;
    report({ code: 'moves_hotel', message, bookings: [...uses].map(({ at }) => at), city });
  }
  judgeHours(sojourn, [...uses], report);
}

function judgeNights(
  { city, least, most }: CityStay,
  { from, until }: Sojourn,
  bookings: readonly number[],
  report: ReportTravel,
): void {
  const nights = until - from;
  if (least <= nights && nights <= most) return;
  const asked = least === most ? `${least}` : `${least} to ${most}`;
  const message = `${city}: ${nights} nights, not ${asked}`;
  const expected = nights < least ? least : most;
  report({ code: 'wrong_nights', message, bookings, city, expected, found: nights });
}

/** Checks the hours at which guests are received and may leave. */
function judgeHours(
  { city, arriving, leaving, atHotel, leave, from, until }: Sojourn,
  beds: readonly Bed[],
  report: ReportTravel,
): void {
  for (const { at, booking, hotel } of beds) {
    const latest = 1440 * from + hotel.checkIn[1];
    if (booking.from <= from && atHotel > latest) {
      const message = `${city}: ${arriving.transport.id} brings the travellers to ${hotel.id} at ${formatMoment(atHotel)}, which receives guests until ${formatMoment(latest)}`;
      const numbers = { expected: latest, found: atHotel };
      report({ code: 'late_check_in', message, bookings: [arriving.at, at], city, ...numbers });
    }
    const earliest = 1440 * until + hotel.leaveFrom;
    if (booking.until >= until && leave < earliest) {
      const message = `${city}: for ${leaving.transport.id} the travellers leave ${hotel.id} at ${formatMoment(leave)}, before ${formatMoment(earliest)}`;
      const numbers = { expected: earliest, found: leave };
      report({ code: 'early_departure', message, bookings: [leaving.at, at], city, ...numbers });
    }
  }
}

/** Checks that no night is booked in a city where the travellers are not. */
function judgeOtherBeds(
  beds: readonly Bed[],
  sojourns: readonly Sojourn[],
  report: ReportTravel,
): void {
  for (const { at, booking, hotel } of beds) {
    for (let day = booking.from; day < booking.until; day++) {
      const isThere = sojourns.some(
        ({ city, from, until }) => city === hotel.city && from <= day && day < until,
      );
      if (isThere) continue;
      const message = `${hotel.id} is booked for the night of ${formatDay(day)}, when the travellers are not in ${hotel.city}`;
      report({ code: 'bed_elsewhere', message, bookings: [at], city: hotel.city, found: day });
      break;
    }
  }
}
