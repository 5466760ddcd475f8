import * as z from 'zod';
import { id } from '../../model/problem-schema.js';
import { isDay, isMoment } from './moment.js';

/** The schema id in files of trips. */
export const TRAVEL_SCHEMA = 'alas-coordination/travel@1';

/** A date. */
export const dayText = z
  .string()
  .refine(isDay, { error: 'give a date of the calendar, such as 2025-06-30' });
/** A local time on a date. */
export const momentText = z
  .string()
  .refine(isMoment, { error: 'give a local time, such as 2025-06-30T14:05' });
/** A price: small enough that sums of prices in hundredths are exact. */
export const money = z
  .number()
  .min(0)
  .max(1_000_000)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, {
    error: 'give a price with at most two digits after the point',
  });
const minutes = z.int().min(0).max(1440);
/** A time of a day. */
const hour = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'give a time such as 14:05');
const seats = z.int().min(0).max(10_000);
/** Percent of the price that is paid back for a cancellation. */
const refund = z.int().min(0).max(100).default(100);

const flight = z.strictObject({
  id,
  carrier: z.string().optional(),
  from: id,
  to: id,
  departs: momentText,
  arrives: momentText,
  /** Changes of planes within the ticket; 0 is a direct flight. */
  stops: z.int().min(0).max(10).default(0),
  /** For one traveller, as are the prices of trains and passes. */
  price: money,
  seats,
  refund,
  /** No longer operated. */
  cancelled: z.literal(true).optional(),
});

const train = z.strictObject({
  id,
  carrier: z.string().optional(),
  from: id,
  to: id,
  departs: momentText,
  arrives: momentText,
  price: money,
  seats,
  refund,
  /** Passes with which it may be taken, each with what is then still to be paid. */
  passes: z.array(z.strictObject({ pass: id, supplement: money.default(0) })).default([]),
  cancelled: z.literal(true).optional(),
});

const hotel = z.strictObject({
  id,
  name: z.string().optional(),
  city: id,
  stars: z.int().min(0).max(5),
  /** Travellers per room. */
  beds: z.int().min(1).max(20).default(2),
  /** Hours at which guests are received on the day of arrival. */
  check_in: z.tuple([hour, hour]).default(['14:00', '23:00']),
  /** The first hour at which guests leave on the day of departure. */
  leave_from: hour.default('06:00'),
  refund,
  /** Free rooms and the price of a room, by night. */
  nights: z
    .array(z.strictObject({ day: dayText, price: money, rooms: z.int().min(0).max(10_000) }))
    .min(1),
});

const pass = z.strictObject({
  id,
  name: z.string().optional(),
  price: money,
  /** The number of days on which trains may be taken with it. */
  days: z.int().min(1).max(366),
  from: dayText,
  until: dayText,
  refund,
});

/** The offers of a trip. */
const offersSchema = z.strictObject({
  flights: z.array(flight).default([]),
  trains: z.array(train).default([]),
  hotels: z.array(hotel).default([]),
  passes: z.array(pass).default([]),
});

/** The price of breaking a preference, or `required`: then breaking it is a violation. */
const weight = { weight: money.optional(), required: z.literal(true).optional() };
const isEither = (one: { readonly weight?: unknown; readonly required?: unknown }) =>
  (one.weight === undefined) !== (one.required === undefined);
const either = { error: 'give either `weight` or `required`' };

const preference = z.discriminatedUnion('kind', [
  /** Broken by each flight with stops. */
  z.strictObject({ kind: z.literal('direct_flights'), ...weight }).refine(isEither, either),
  /** Broken by each night in a hotel with fewer or more stars. */
  z
    .strictObject({
      kind: z.literal('stars'),
      least: z.int().min(0).max(5),
      most: z.int().min(0).max(5),
      ...weight,
    })
    .refine(isEither, either),
  /** Broken by each night more or less than a stay asks for. */
  z.strictObject({ kind: z.literal('nights'), ...weight }).refine(isEither, either),
  /** Broken by each train taken without a pass. */
  z.strictObject({ kind: z.literal('rail_pass'), ...weight }).refine(isEither, either),
  /** Broken by each day by which the trip begins earlier or later. */
  z.strictObject({ kind: z.literal('start'), day: dayText, ...weight }).refine(isEither, either),
]);

/** A trip in its file format. */
export const travelSchema = z.strictObject({
  schema: z.literal(TRAVEL_SCHEMA),
  name: id,
  text: z.string().optional(),
  source: z.string().optional(),
  /** Facts that the source does not state, as decided here. */
  assumptions: z.array(z.string()).default([]),
  currency: z.string().min(1).max(10).default('USD'),
  budget: money,
  /** The first day on which the trip may begin and the last on which it may end. */
  period: z.strictObject({ from: dayText, until: dayText }),
  cities: z
    .array(
      z.strictObject({
        id,
        /** Other names of the city and of its airports and stations. */
        also: z.array(z.string()).default([]),
        /** Minutes by which its clocks are ahead of UTC. */
        utc_offset: z.int().min(-900).max(900),
      }),
    )
    .min(2),
  home: id,
  travellers: z.array(z.strictObject({ id, name: z.string().optional() })).min(1),
  stays: z
    .array(
      z.strictObject({
        city: id,
        nights: z.int().min(1).max(100),
        /** Fewest and most nights. Default: as many as `nights`. */
        least: z.int().min(1).max(100).optional(),
        most: z.int().min(1).max(100).optional(),
      }),
    )
    .min(1)
    .max(8),
  /** Whether the stays are made in the order in which they are listed. */
  order: z.enum(['fixed', 'free']).default('fixed'),
  /** Minutes from hotel to station or airport, and back. */
  transfer: z
    .strictObject({ train: minutes.default(45), flight: minutes.default(60) })
    .default({ train: 45, flight: 60 }),
  /** Minutes before departure at which travellers are at the station or airport. */
  board: z
    .strictObject({ train: minutes.default(0), flight: minutes.default(120) })
    .default({ train: 0, flight: 120 }),
  preferences: z.array(preference).default([]),
  offers: offersSchema,
});

export type TravelFile = z.input<typeof travelSchema>;
export type TravelFacts = z.output<typeof travelSchema>;
export type TravelOffers = z.output<typeof offersSchema>;
export type TravelPreference = TravelFacts['preferences'][number];
