import { checkJson, faultError } from '@alas-jssp/core';
import * as z from 'zod';
import { id } from '../../model/problem-schema.js';
import { formatDay, parseDay, parseMoment } from './moment.js';
import { centsOf } from './travel-problem.js';
import { dayText, momentText, money } from './travel-schema.js';

/** The schema id in files of travel plans. */
export const TRAVEL_PLAN_SCHEMA = 'alas-coordination/travel-plan@1';

/** Claims of a planner about a booking, which the judge compares with its offer. */
const said = {
  from_city: z.string().optional(),
  to_city: z.string().optional(),
  city: z.string().optional(),
  departs: momentText.optional(),
  arrives: momentText.optional(),
  /** For all travellers, in the currency of the trip. */
  price: money.optional(),
};

const bookingSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('flight'), offer: id, ...said }),
  z.strictObject({
    kind: z.literal('train'),
    offer: id,
    /** The pass with which it is taken. Default: its full fare is paid. */
    pass: id.optional(),
    ...said,
  }),
  z.strictObject({
    kind: z.literal('hotel'),
    offer: id,
    /** The day of arrival and the day of departure. */
    from: dayText,
    until: dayText,
    rooms: z.int().min(1).max(1000).default(1),
    ...said,
  }),
  z.strictObject({ kind: z.literal('pass'), offer: id, ...said }),
]);

/** A plan of a trip in its file format: bookings for all travellers. */
export const travelPlanSchema = z.strictObject({
  schema: z.literal(TRAVEL_PLAN_SCHEMA),
  problem: id,
  source: z.string().optional(),
  bookings: z.array(bookingSchema).max(1000),
  /** The total that the planner claims. */
  claims: z.strictObject({ total: money.optional() }).default({}),
  /** Figures of the search that found it; none of them is judged. */
  search: z
    .strictObject({
      cost: z.number(),
      lower_bound: z.number(),
      status: z.enum(['optimal', 'stopped']),
      labels: z.int(),
    })
    .optional(),
});

export type TravelPlanFile = z.input<typeof travelPlanSchema>;
export type TravelBookingFile = z.input<typeof bookingSchema>;

/** Claims about a booking. Times are local minutes, prices hundredths. */
export interface BookingClaims {
  readonly from?: string;
  readonly to?: string;
  readonly city?: string;
  readonly departs?: number;
  readonly arrives?: number;
  readonly price?: number;
}

/** A flight or a train for all travellers. */
export interface TransportBooking {
  readonly kind: 'flight' | 'train';
  readonly offer: string;
  /** Null if the full fare is paid. */
  readonly pass: string | null;
  readonly says: BookingClaims;
}

/** Rooms of a hotel for all nights from the day of arrival to the day of departure. */
export interface HotelBooking {
  readonly kind: 'hotel';
  readonly offer: string;
  readonly from: number;
  readonly until: number;
  readonly rooms: number;
  readonly says: BookingClaims;
}

/** A pass for each traveller. */
interface PassBooking {
  readonly kind: 'pass';
  readonly offer: string;
  readonly says: BookingClaims;
}

export type TravelBooking = TransportBooking | HotelBooking | PassBooking;

/** A plan of a trip. */
export interface TravelPlan {
  readonly problem: string;
  readonly bookings: readonly TravelBooking[];
  /** The claimed total in hundredths. */
  readonly claimed: number | null;
  readonly source?: string;
}

/**
 * Parses a plan of a trip from the contents of its file.
 *
 * @throws InputError `bad_travel_plan` with the JSON path of the malformed part
 */
export function readTravelPlan(value: unknown, file?: string): TravelPlan {
  const checked = checkJson<z.output<typeof travelPlanSchema>>(travelPlanSchema, value);
  if (checked.fault !== undefined) throw faultError('bad_travel_plan', checked.fault, file);
  const { problem, bookings, claims, source } = checked.data;
  return {
    problem,
    bookings: bookings.map(readBooking),
    claimed: claims.total === undefined ? null : centsOf(claims.total),
    ...(source !== undefined && { source }),
  };
}

/** A booking from its file format. */
export function readBooking(file: z.output<typeof bookingSchema>): TravelBooking {
  const { from_city: from, to_city: to, city, departs, arrives, price } = file;
  const says: BookingClaims = {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(city !== undefined && { city }),
    ...(departs !== undefined && { departs: parseMoment(departs) }),
    ...(arrives !== undefined && { arrives: parseMoment(arrives) }),
    ...(price !== undefined && { price: centsOf(price) }),
  };
  const { kind, offer } = file;
  switch (file.kind) {
    case 'hotel':
      return {
        kind: 'hotel',
        offer,
        from: parseDay(file.from),
        until: parseDay(file.until),
        rooms: file.rooms,
        says,
      };
    case 'pass':
      return { kind: 'pass', offer, says };
    default:
      return {
        kind: kind as 'flight' | 'train',
        offer,
        pass: file.kind === 'train' ? (file.pass ?? null) : null,
        says,
      };
  }
}

/** A booking in its file format, without claims. */
export function writeBooking(booking: TravelBooking): TravelBookingFile {
  const { kind, offer } = booking;
  if (kind === 'hotel') {
    const { from, until, rooms } = booking;
    return { kind, offer, from: formatDay(from), until: formatDay(until), rooms };
  }
  if (kind === 'train' && booking.pass !== null) return { kind, offer, pass: booking.pass };
  return { kind, offer };
}

/** A plan in its file format. */
export function writeTravelPlan({
  problem,
  bookings,
  claimed,
  source,
}: TravelPlan): TravelPlanFile {
  return {
    schema: TRAVEL_PLAN_SCHEMA,
    problem,
    ...(source !== undefined && { source }),
    bookings: bookings.map(writeBooking),
    claims: claimed === null ? {} : { total: claimed / 100 },
  };
}

/** The key of a booking: equal exactly for equal bookings, whatever is claimed of them. */
export function bookingKey(booking: TravelBooking): string {
  const { kind, offer } = booking;
  if (kind === 'hotel') {
    const { from, until, rooms } = booking;
    return `hotel ${offer} ${formatDay(from)} ${formatDay(until)} ${rooms}`;
  }
  if (kind === 'pass') return `pass ${offer}`;
  return booking.pass === null ? `${kind} ${offer}` : `${kind} ${offer} ${booking.pass}`;
}

/** Bookings that are only in one of two plans, by {@link bookingKey}, and their share (0 to 1) of the bookings of both. */
export function bookingEdits(
  before: Iterable<string>,
  after: Iterable<string>,
): { readonly edits: number; readonly radius: number } {
  const [old, now] = [new Set(before), new Set(after)];
  const all = new Set([...old, ...now]);
  const same = [...old].filter((key) => now.has(key)).length;
  const edits = all.size - same;
  return { edits, radius: all.size === 0 ? 0 : edits / all.size };
}
