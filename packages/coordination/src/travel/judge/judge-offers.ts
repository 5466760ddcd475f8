import { formatDay, formatMoment } from '../model/moment.js';
import { dayOf, priceOfBooking, roomsNeeded } from '../model/travel-cost.js';
import type {
  BookingClaims,
  HotelBooking,
  TransportBooking,
  TravelBooking,
} from '../model/travel-plan.js';
import { formatMoney, type Transport, type TravelProblem } from '../model/travel-problem.js';
import type { ReportTravel } from './travel-violation.js';

/**
 * Whether a booking names an offer of its kind and, of a hotel, nights of it. If not, it is not judged any further.
 */
export function isKnownBooking(
  problem: TravelProblem,
  booking: TravelBooking,
  at: number,
  report: ReportTravel,
): boolean {
  const { kind, offer } = booking;
  const refuse = (code: 'unknown_offer' | 'wrong_dates', message: string) => {
    report({ code, message, bookings: [at] });
    return false;
  };
  const offers = { flight: problem.transports, train: problem.transports, hotel: problem.hotels };
  const known = kind === 'pass' ? problem.passes.get(offer) : offers[kind].get(offer);
  const isMode = (one: object) => !('mode' in one) || one.mode === kind;
  if (known === undefined || !isMode(known)) {
    return refuse('unknown_offer', `there is no ${kind} '${offer}'`);
  }
  if (kind !== 'hotel') return true;
  const { from, until } = booking;
  if (until <= from) {
    return refuse(
      'wrong_dates',
      `${offer}: ${formatDay(until)} is not after ${formatDay(from)}, so that there is no night`,
    );
  }
  for (let day = from; day < until; day++) {
    if (problem.hotels.get(offer)?.nights.has(day)) continue;
    return refuse('wrong_dates', `${offer} offers no night of ${formatDay(day)}`);
  }
  return true;
}

/** Checks seats, rooms, beds and double bookings. `bookings` has null in the place of unknown ones. */
export function judgeAvailability(
  problem: TravelProblem,
  bookings: readonly (TravelBooking | null)[],
  report: ReportTravel,
): void {
  const first = new Map<string, number>();
  for (const [at, booking] of bookings.entries()) {
    if (booking === null) continue;
    if (booking.kind === 'hotel') judgeRooms(problem, booking, at, report);
    else {
      const key = `${booking.kind} ${booking.offer}`;
      const before = first.get(key);
      if (before !== undefined) {
        const message = `${booking.offer} is booked twice`;
        report({ code: 'booked_twice', message, bookings: [before, at] });
      }
      first.set(key, before ?? at);
      if (booking.kind !== 'pass') judgeSeats(problem, booking, at, report);
    }
  }
}

function judgeSeats(
  { transports, travellers }: TravelProblem,
  { offer }: TransportBooking,
  at: number,
  report: ReportTravel,
): void {
  const { seats, cancelled } = transports.get(offer) as Transport;
  if (cancelled) {
    report({ code: 'cancelled_offer', message: `${offer} is cancelled`, bookings: [at] });
  } else if (seats < travellers) {
    const message = `${offer} has ${seats} free seats for ${travellers} travellers`;
    report({ code: 'sold_out', message, bookings: [at], expected: travellers, found: seats });
  }
}

function judgeRooms(
  problem: TravelProblem,
  { offer, from, until, rooms }: HotelBooking,
  at: number,
  report: ReportTravel,
): void {
  const hotel = problem.hotels.get(offer);
  if (hotel === undefined) return;
  const needed = roomsNeeded(problem, hotel);
  if (rooms < needed) {
    const message = `${offer}: ${rooms} rooms of ${hotel.beds} beds for ${problem.travellers} travellers`;
    report({ code: 'too_few_beds', message, bookings: [at], expected: needed, found: rooms });
  }
  for (let day = from; day < until; day++) {
    const free = hotel.nights.get(day)?.rooms ?? 0;
    if (free >= rooms) continue;
    const message = `${offer} has ${free} free rooms in the night of ${formatDay(day)}, not ${rooms}`;
    report({ code: 'sold_out', message, bookings: [at], expected: rooms, found: free });
    return;
  }
}

/** Checks that trains are taken with passes that are booked and valid, on no more days than they have. */
export function judgePasses(
  problem: TravelProblem,
  bookings: readonly (TravelBooking | null)[],
  report: ReportTravel,
): void {
  const used = new Map<string, Map<number, number[]>>();
  for (const [at, booking] of bookings.entries()) {
    if (booking?.kind !== 'train' || booking.pass === null) continue;
    const { offer, pass: name } = booking;
    const train = problem.transports.get(offer) as Transport;
    const pass = problem.passes.get(name);
    const isBooked = bookings.some((one) => one?.kind === 'pass' && one.offer === name);
    if (!isBooked) {
      const message = `${offer} is taken with the pass '${name}', which is not booked`;
      report({ code: 'no_pass', message, bookings: [at] });
    }
    const day = dayOf(train.departs);
    if (pass === undefined || !train.passes.has(name) || day < pass.from || day > pass.until) {
      const message = `the pass '${name}' is not valid on ${offer} on ${formatDay(day)}`;
      report({ code: 'pass_not_valid', message, bookings: [at] });
      continue;
    }
    const days = used.get(name) ?? new Map<number, number[]>();
    used.set(name, days.set(day, [...(days.get(day) ?? []), at]));
  }
  for (const [name, days] of used) {
    const most = problem.passes.get(name)?.days ?? 0;
    if (days.size <= most) continue;
    const message = `the pass '${name}' is used on ${days.size} days and has ${most}`;
    const last = days.get(Math.max(...days.keys())) ?? [];
    report({ code: 'pass_used_up', message, bookings: last, expected: most, found: days.size });
  }
}

/** Checks what a plan says of its bookings against the offers; cities may have any of their names. */
export function judgeBookingClaims(
  problem: TravelProblem,
  booking: TravelBooking,
  at: number,
  report: ReportTravel,
): void {
  const { says, offer } = booking;
  const lie = (what: string, said: string, truth: string, numbers: object = {}) =>
    report({
      code: 'false_claim',
      message: `${offer}: the plan says ${what} ${said}, by the offer it is ${truth}`,
      bookings: [at],
      ...numbers,
    });
  const checkCity = (what: string, said: string | undefined, truth: string | undefined) => {
    if (said === undefined || truth === undefined) return;
    if (problem.cityNames.get(said.toLowerCase()) !== truth) lie(what, said, truth);
  };
  const transport = problem.transports.get(offer);
  const hotel = problem.hotels.get(offer);
  checkCity('from', says.from, transport?.from);
  checkCity('to', says.to, transport?.to);
  checkCity('in', says.city, hotel?.city);
  for (const what of ['departs', 'arrives'] as const) {
    const said: BookingClaims['departs'] = says[what];
    const truth = transport?.[what];
    if (said === undefined || truth === undefined || said === truth) continue;
    lie(what, formatMoment(said), formatMoment(truth), { expected: truth, found: said });
  }
  const price = priceOfBooking(problem, booking);
  if (says.price !== undefined && price !== null && says.price !== price) {
    const numbers = { expected: price, found: says.price };
    lie('it costs', formatMoney(says.price), formatMoney(price), numbers);
  }
}
