import { checkJson, faultError, InputError, suggestNames } from '@alas-jssp/core';
import * as z from 'zod';
import { id } from '../../model/problem-schema.js';
import { isInstant, parseDay, parseMoment } from '../model/moment.js';
import { type TravelProblem, travelOf } from '../model/travel-problem.js';
import { dayText, type TravelFacts } from '../model/travel-schema.js';

/** The schema id in files of events of trips. */
export const TRAVEL_EVENTS_SCHEMA = 'alas-coordination/travel-events@1';

const instant = z
  .string()
  .refine(isInstant, { error: 'give a time in UTC, such as 2025-06-08T09:00Z' });

/** An event of a trip; `at` is the time in UTC at which it becomes known. */
export const travelEventSchema = z.discriminatedUnion('kind', [
  /** A flight or train is not operated. */
  z.strictObject({ kind: z.literal('cancelled'), at: instant, offer: id }),
  /** A hotel has no rooms, also not for those who have booked. */
  z.strictObject({
    kind: z.literal('full'),
    at: instant,
    offer: id,
    /** Default: all nights. */
    nights: z.array(dayText).min(1).optional(),
  }),
  /** An offer costs more or less from now on; what is booked keeps its price. */
  z.strictObject({
    kind: z.literal('price'),
    at: instant,
    offer: id,
    percent: z.int().min(-99).max(1000),
  }),
  /** No train, or no flight, departs from `from` until `until` (UTC). */
  z.strictObject({
    kind: z.literal('strike'),
    at: instant,
    mode: z.enum(['train', 'flight']),
    from: instant,
    until: instant,
  }),
]);

export type TravelEvent = z.output<typeof travelEventSchema>;

/** A list of events in its file format. */
export const travelEventsSchema = z.strictObject({
  schema: z.literal(TRAVEL_EVENTS_SCHEMA),
  problem: id,
  events: z.array(travelEventSchema),
});

export type TravelEventList = z.output<typeof travelEventsSchema>;

/**
 * Parses events of a trip from the contents of their file.
 *
 * @throws InputError `bad_travel_events` with the JSON path of the malformed part
 */
export function readTravelEvents(value: unknown, file?: string): TravelEventList {
  const checked = checkJson<TravelEventList>(travelEventsSchema, value);
  if (checked.fault !== undefined) throw faultError('bad_travel_events', checked.fault, file);
  const events = checked.data.events.toSorted((a, b) => instantOf(a.at) - instantOf(b.at));
  return { ...checked.data, events };
}

/** Minutes in UTC since 1970 of a time such as `2025-06-08T09:00Z`. */
export function instantOf(text: string): number {
  return parseMoment(text);
}

/**
 * The trip after an event: the offers that the event changes.
 *
 * @throws InputError `bad_travel_event` for an unknown offer, or one of another kind
 */
export function applyTravelEvent(problem: TravelProblem, event: TravelEvent): TravelProblem {
  const { facts } = problem;
  const { flights, trains, hotels, passes } = facts.offers;
  if (event.kind === 'strike') {
    const [from, until] = [instantOf(event.from), instantOf(event.until)];
    const strike = <T extends { readonly id: string }>(one: T): T => {
      const { departsUtc = Number.NaN } = problem.transports.get(one.id) ?? {};
      return from <= departsUtc && departsUtc < until ? { ...one, cancelled: true } : one;
    };
    const offers =
      event.mode === 'train'
        ? { ...facts.offers, trains: trains.map(strike) }
        : { ...facts.offers, flights: flights.map(strike) };
    return withOffers(facts, offers);
  }
  requireOffer(problem, event);
  const { offer } = event;
  if (event.kind === 'cancelled') {
    const cancel = <T extends { readonly id: string }>(one: T): T =>
      one.id === offer ? { ...one, cancelled: true } : one;
    return withOffers(facts, {
      ...facts.offers,
      flights: flights.map(cancel),
      trains: trains.map(cancel),
    });
  }
  if (event.kind === 'full') {
    const days = event.nights?.map(parseDay);
    const fill = (one: (typeof hotels)[number]) => ({
      ...one,
      nights: one.nights.map((night) =>
        days === undefined || days.includes(parseDay(night.day)) ? { ...night, rooms: 0 } : night,
      ),
    });
    return withOffers(facts, {
      ...facts.offers,
      hotels: hotels.map((one) => (one.id === offer ? fill(one) : one)),
    });
  }
  const priced = (price: number) => Math.round(price * (100 + event.percent)) / 100;
  const raise = <T extends { readonly id: string; readonly price: number }>(one: T): T =>
    one.id === offer ? { ...one, price: priced(one.price) } : one;
  return withOffers(facts, {
    flights: flights.map(raise),
    trains: trains.map(raise),
    passes: passes.map(raise),
    hotels: hotels.map((one) =>
      one.id === offer
        ? { ...one, nights: one.nights.map((night) => ({ ...night, price: priced(night.price) })) }
        : one,
    ),
  });
}

/** The trip of the same facts with other offers. */
function withOffers(facts: TravelFacts, offers: TravelFacts['offers']): TravelProblem {
  return travelOf({ ...facts, offers });
}

function requireOffer(
  { transports, hotels, passes }: TravelProblem,
  { kind, offer }: Exclude<TravelEvent, { kind: 'strike' }>,
): void {
  const known = { cancelled: [transports], full: [hotels], price: [transports, hotels, passes] };
  const ids = known[kind].flatMap((offers) => [...offers.keys()]);
  if (ids.includes(offer)) return;
  const what = { cancelled: 'flight or train', full: 'hotel', price: 'offer' }[kind];
  const hint = suggestNames(offer, ids);
  throw new InputError('bad_travel_event', `there is no ${what} '${offer}'`, hint, {}, offer);
}

/** An event in one line. */
export function describeTravelEvent(event: TravelEvent): string {
  switch (event.kind) {
    case 'cancelled':
      return `${event.offer} is cancelled`;
    case 'full':
      return `${event.offer} has no rooms${event.nights === undefined ? '' : ` in ${event.nights.join(', ')}`}`;
    case 'price':
      return `${event.offer} costs ${Math.abs(event.percent)} % ${event.percent < 0 ? 'less' : 'more'}`;
    case 'strike':
      return `no ${event.mode} departs from ${event.from} until ${event.until}`;
  }
}
