import { AlasError } from 'alas-jssp';
import { applyTravelEvent, type TravelEvent } from '../events/travel-events.js';
import { isKnownBooking } from '../judge/judge-offers.js';
import { parseDay } from '../model/moment.js';
import { priceOfBooking } from '../model/travel-cost.js';
import {
  readBooking,
  type TravelBooking,
  type TravelBookingFile,
  writeBooking,
} from '../model/travel-plan.js';
import { readTravel, type TravelProblem } from '../model/travel-problem.js';
import type { TravelFile } from '../model/travel-schema.js';

/** A booking in the books of the service. Prices and fees are in hundredths, for all travellers. */
export interface DeskBooking {
  readonly key: string;
  readonly reference: string;
  /** The trip that it belongs to, as the caller names it. */
  readonly trip: string;
  readonly booking: TravelBookingFile;
  readonly price: number;
  /** `void`: the service itself gave it up and paid its price back. */
  readonly state: 'booked' | 'cancelled' | 'void';
  /** The part of the price that is not refunded. */
  readonly fee: number;
}

/** The offers and the books of a booking service. */
export interface DeskState {
  problem: TravelProblem;
  readonly bookings: Map<string, DeskBooking>;
  /** Keys that were cancelled before they were used: they are refused from then on. */
  readonly refusedKeys: Set<string>;
  count: number;
}

/** The books of a service before its first booking. */
export function openDesk(problem: TravelProblem): DeskState {
  return { problem, bookings: new Map(), refusedKeys: new Set(), count: 0 };
}

/** The state of a service as JSON, and back. */
export function writeDesk({ problem, bookings, refusedKeys, count }: DeskState) {
  return {
    schema: 'alas-coordination/travel-desk@1',
    problem: problem.facts,
    bookings: [...bookings.values()],
    refused_keys: [...refusedKeys],
    count,
  };
}

/** The books of a service that were written by {@link writeDesk}. */
export function readDesk(value: ReturnType<typeof writeDesk>): DeskState {
  return {
    problem: readTravel(value.problem as TravelFile),
    bookings: new Map(value.bookings.map((one) => [one.key, one])),
    refusedKeys: new Set(value.refused_keys),
    count: value.count,
  };
}

/** The request of a caller. */
export interface DeskRequest {
  readonly key: string;
  readonly trip: string;
  readonly booking: TravelBookingFile;
  /** The price that the caller expects, in hundredths. */
  readonly price: number;
}

/**
 * Books once per key: a repeated request gets the first answer.
 *
 * @throws AlasError `SoldOut`, `PriceChanged`, `Cancelled`, `UnknownOffer`, `KeyReused`, `KeyCancelled`
 */
export function bookAtDesk(desk: DeskState, request: DeskRequest): DeskBooking {
  const { key, trip, booking: file, price: expected } = request;
  const known = desk.bookings.get(key);
  if (known !== undefined) {
    if (JSON.stringify(known.booking) !== JSON.stringify(file)) {
      throw new AlasError('KeyReused', `the key ${key} belongs to another booking`);
    }
    if (known.state === 'booked') return known;
    throw new AlasError('KeyCancelled', `the booking of the key ${key} is ${known.state}`);
  }
  if (desk.refusedKeys.has(key))
    throw new AlasError('KeyCancelled', `the key ${key} was cancelled`);
  const booking = readBooking(file as Parameters<typeof readBooking>[0]);
  const faults: string[] = [];
  if (!isKnownBooking(desk.problem, booking, 0, ({ message }) => faults.push(message))) {
    throw new AlasError('UnknownOffer', faults[0] ?? 'there is no such offer');
  }
  requireFree(desk.problem, booking);
  const price = priceOfBooking(desk.problem, booking) ?? 0;
  if (price !== expected) {
    const message = `${booking.offer} costs ${price / 100}, not ${expected / 100}`;
    throw new AlasError('PriceChanged', message, { price });
  }
  return enter(desk, { key, trip, booking: file, price });
}

/** Enters a booking whatever its key has done before: what a service does that ignores keys. */
export function enter(desk: DeskState, { key, trip, booking, price }: DeskRequest): DeskBooking {
  desk.count++;
  const reference = `${booking.kind.slice(0, 1).toUpperCase()}${1000 + desk.count}`;
  const entry: DeskBooking = {
    key: desk.bookings.has(key) ? `${key}#${desk.count}` : key,
    reference,
    trip,
    booking: writeBooking(readBooking(booking as Parameters<typeof readBooking>[0])),
    price,
    state: 'booked',
    fee: 0,
  };
  desk.bookings.set(entry.key, entry);
  changeStock(desk, booking, -1);
  return entry;
}

/** Cancels what was booked under a key; a second time, and for what never was, this changes nothing. */
export function cancelAtDesk(desk: DeskState, key: string): DeskBooking | null {
  const known = desk.bookings.get(key);
  if (known === undefined) {
    desk.refusedKeys.add(key);
    return null;
  }
  if (known.state !== 'booked') return known;
  const cancelled: DeskBooking = { ...known, state: 'cancelled', fee: feeOf(desk.problem, known) };
  desk.bookings.set(key, cancelled);
  changeStock(desk, known.booking, 1);
  return cancelled;
}

/** Applies an event to the offers; bookings that can no longer be kept become void. */
export function tellDesk(desk: DeskState, event: TravelEvent): DeskBooking[] {
  desk.problem = applyTravelEvent(desk.problem, event);
  if (event.kind === 'price') return [];
  const voided: DeskBooking[] = [];
  for (const [key, one] of desk.bookings) {
    if (one.state !== 'booked' || !isStruck(desk.problem, one.booking, event)) continue;
    const after: DeskBooking = { ...one, state: 'void', fee: 0 };
    desk.bookings.set(key, after);
    voided.push(after);
  }
  return voided;
}

function isStruck(
  { transports }: TravelProblem,
  { kind, offer, ...booking }: TravelBookingFile,
  event: TravelEvent,
): boolean {
  if (kind === 'flight' || kind === 'train') return transports.get(offer)?.cancelled === true;
  if (kind !== 'hotel' || event.kind !== 'full' || event.offer !== offer) return false;
  const { from, until } = booking as { from: string; until: string };
  return event.nights === undefined || event.nights.some((day) => from <= day && day < until);
}

/** The part of a price that is not refunded. */
function feeOf(
  { transports, hotels, passes }: TravelProblem,
  { booking, price }: DeskBooking,
): number {
  const offers = [transports, hotels, passes].map((all) => all.get(booking.offer));
  const refund = offers.find((one) => one !== undefined)?.refund ?? 100;
  return Math.round((price * (100 - refund)) / 100);
}

/** @throws AlasError `SoldOut`, `Cancelled` */
function requireFree(problem: TravelProblem, booking: TravelBooking): void {
  const { offer, kind } = booking;
  if (kind === 'flight' || kind === 'train') {
    const transport = problem.transports.get(offer);
    if (transport?.cancelled === true) throw new AlasError('Cancelled', `${offer} is cancelled`);
    if ((transport?.seats ?? 0) >= problem.travellers) return;
    throw new AlasError('SoldOut', `${offer} has too few free seats`);
  }
  if (kind !== 'hotel') return;
  for (let day = booking.from; day < booking.until; day++) {
    const free = problem.hotels.get(offer)?.nights.get(day)?.rooms ?? 0;
    if (free < booking.rooms) throw new AlasError('SoldOut', `${offer} has too few free rooms`);
  }
}

/** Takes seats or rooms, or gives them back. */
function changeStock(desk: DeskState, file: TravelBookingFile, sign: 1 | -1): void {
  const { facts, travellers } = desk.problem;
  const { offers } = facts;
  const booking = readBooking(file as Parameters<typeof readBooking>[0]);
  const { offer, kind } = booking;
  if (kind === 'pass') return;
  const seat = <T extends { readonly id: string; readonly seats: number }>(one: T): T =>
    one.id === offer ? { ...one, seats: Math.max(0, one.seats + sign * travellers) } : one;
  if (kind !== 'hotel') {
    const changed = {
      ...offers,
      flights: offers.flights.map(seat),
      trains: offers.trains.map(seat),
    };
    desk.problem = readTravel({ ...facts, offers: changed });
    return;
  }
  const { from, until, rooms } = booking;
  const isBooked = (day: number) => from <= day && day < until;
  const hotels = offers.hotels.map((one) =>
    one.id !== offer
      ? one
      : {
          ...one,
          nights: one.nights.map((night) =>
            isBooked(parseDay(night.day))
              ? { ...night, rooms: Math.max(0, night.rooms + sign * rooms) }
              : night,
          ),
        },
  );
  desk.problem = readTravel({ ...facts, offers: { ...offers, hotels } });
}
