import { DAY, parseDay } from './moment.js';
import { bookingKey, type TravelBooking } from './travel-plan.js';
import { centsOf, type Hotel, type TravelProblem } from './travel-problem.js';
import type { TravelPreference } from './travel-schema.js';

/** The broken parts of a preference, and their price. */
interface BrokenPreference {
  readonly preference: TravelPreference;
  /** How often it is broken. */
  readonly times: number;
  /** In hundredths; 0 for a required one. */
  readonly penalty: number;
}

/** The cost of a plan, in hundredths. */
export interface TravelCost {
  /** The prices of all bookings. */
  readonly money: number;
  readonly byKind: Readonly<Record<TravelBooking['kind'], number>>;
  /** The prices of broken preferences. */
  readonly penalty: number;
  /** The objective: money and penalties. */
  readonly total: number;
  readonly broken: readonly BrokenPreference[];
}

/** The rooms that all travellers need in a hotel. */
export function roomsNeeded({ travellers }: TravelProblem, { beds }: Hotel): number {
  return Math.ceil(travellers / beds);
}

/** The price of a booking for all travellers; null if its offer or a night of it is unknown. */
export function priceOfBooking(problem: TravelProblem, booking: TravelBooking): number | null {
  const { travellers, transports, hotels, passes } = problem;
  if (booking.kind === 'pass') {
    const pass = passes.get(booking.offer);
    return pass === undefined ? null : travellers * pass.price;
  }
  if (booking.kind === 'hotel') {
    const hotel = hotels.get(booking.offer);
    if (hotel === undefined) return null;
    let sum = 0;
    for (let day = booking.from; day < booking.until; day++) {
      const night = hotel.nights.get(day);
      if (night === undefined) return null;
      sum += night.price * booking.rooms;
    }
    return sum;
  }
  const transport = transports.get(booking.offer);
  if (transport === undefined || transport.mode !== booking.kind) return null;
  if (booking.pass === null) return travellers * transport.price;
  return travellers * (transport.passes.get(booking.pass) ?? transport.price);
}

/** How often a booking breaks a preference by itself. */
export function timesBroken(
  { transports, hotels }: TravelProblem,
  preference: TravelPreference,
  booking: TravelBooking,
): number {
  const { kind, offer } = booking;
  if (preference.kind === 'direct_flights') {
    return kind === 'flight' && (transports.get(offer)?.stops ?? 0) > 0 ? 1 : 0;
  }
  if (preference.kind === 'rail_pass') return kind === 'train' && booking.pass === null ? 1 : 0;
  if (preference.kind !== 'stars' || kind !== 'hotel') return 0;
  const stars = hotels.get(offer)?.stars ?? 0;
  const isWithin = preference.least <= stars && stars <= preference.most;
  return isWithin ? 0 : booking.until - booking.from;
}

/** The price of breaking a preference once, in hundredths. */
export function weightOf({ weight }: TravelPreference): number {
  return centsOf(weight ?? 0);
}

/**
 * The cost of a plan. Bookings of unknown offers cost nothing; the judge reports them.
 *
 * @param nights nights by city, where they are known from the journey
 * @param start the local day on which the trip begins, if it does
 */
export function costOfTravel(
  problem: TravelProblem,
  bookings: readonly TravelBooking[],
  nights: ReadonlyMap<string, number>,
  start: number | null,
): TravelCost {
  const byKind = { flight: 0, train: 0, hotel: 0, pass: 0 };
  for (const booking of bookings) byKind[booking.kind] += priceOfBooking(problem, booking) ?? 0;
  const money = Object.values(byKind).reduce((sum, one) => sum + one, 0);
  const broken: BrokenPreference[] = [];
  for (const preference of problem.preferences) {
    let times = bookings.reduce((sum, one) => sum + timesBroken(problem, preference, one), 0);
    if (preference.kind === 'nights') {
      for (const stay of problem.stays) {
        times += Math.abs((nights.get(stay.city) ?? stay.nights) - stay.nights);
      }
    }
    if (preference.kind === 'start' && start !== null) times += daysBetween(preference.day, start);
    if (times > 0) broken.push({ preference, times, penalty: times * weightOf(preference) });
  }
  const penalty = broken.reduce((sum, one) => sum + one.penalty, 0);
  return { money, byKind, penalty, total: money + penalty, broken };
}

function daysBetween(day: string, start: number): number {
  return Math.abs(parseDay(day) - start);
}

/** The day of a local minute. */
export function dayOf(minutes: number): number {
  return Math.floor(minutes / DAY);
}

/** Bookings in the order of their times: transports by departure, hotels after the transport that leads to them. */
export function inTravelOrder(
  problem: TravelProblem,
  bookings: readonly TravelBooking[],
): TravelBooking[] {
  const timeOf = (booking: TravelBooking): number => {
    if (booking.kind === 'pass') return Number.NEGATIVE_INFINITY;
    if (booking.kind === 'hotel') {
      const offset = problem.offsets.get(problem.hotels.get(booking.offer)?.city ?? '') ?? 0;
      // Guests of a night arrive before the next morning, and leave after the one before.
      return DAY * booking.from + 18 * 60 - offset;
    }
    return problem.transports.get(booking.offer)?.departsUtc ?? Number.POSITIVE_INFINITY;
  };
  return bookings.toSorted(
    (a, b) => timeOf(a) - timeOf(b) || (bookingKey(a) < bookingKey(b) ? -1 : 1),
  );
}
