import * as z from 'zod';
import { CLOCK } from './clock.js';

/** The schema id in files of problems. */
export const PROBLEM_SCHEMA = 'alas-coordination/problem@1';

/** A name within a problem. */
export const id = z.string().min(1).max(100);
/** A clock time. */
export const clock = z.string().regex(CLOCK, 'give a clock time such as 14:05 or 2:05 PM');
const minutes = z.int().min(0).max(100_000);
/** A price: small enough that sums of prices are exact. */
const price = z.number().min(0).max(1_000_000);
/** Earliest and latest; null where there is no such limit. */
const window = z.tuple([clock.nullable(), clock.nullable()]);

const place = z.strictObject({
  id,
  name: z.string().optional(),
  /** Opening hours of the place. Default: always open. */
  open: z.array(z.tuple([clock, clock])).optional(),
});

const road = z.strictObject({
  from: id,
  to: id,
  minutes,
  /** Length in kilometres; counts towards distance and range. */
  km: z.number().min(0).max(100_000).default(0),
  one_way: z.boolean().default(false),
});

const traffic = z
  .strictObject({
    /** The start. Default: from the beginning. */
    from: clock.optional(),
    until: clock.optional(),
    /** Affects roads to and from these places. */
    places: z.array(id).optional(),
    /** Affects these roads, in this direction. Default without `places`: all roads. */
    roads: z.array(z.tuple([id, id])).optional(),
    /** Multiplies the usual times of the remaining part of a journey. */
    factor: z.number().min(0.01).max(1000).optional(),
    /** Prevents vehicles from entering the roads; those already on them continue. */
    closed: z.literal(true).optional(),
  })
  .refine((one) => (one.factor === undefined) !== (one.closed === undefined), {
    error: 'give either `factor` or `closed`',
  });

export const personSchema = z.strictObject({
  id,
  name: z.string().optional(),
  at: id,
  /** The time from which the person is available. Default: from the beginning. */
  from: clock.optional(),
  until: clock.optional(),
  /** Activities required before the person leaves the first place, such as fetching luggage. */
  leaves_after: z.array(id).default([]),
});

const vehicle = z.strictObject({
  id,
  name: z.string().optional(),
  at: id,
  from: clock.optional(),
  until: clock.optional(),
  /** Passengers besides the driver. */
  seats: z.int().min(0).max(1000),
  /** People who may drive it. Default: it has its own driver, who is not part of the problem. */
  drivers: z.array(id).optional(),
  /** Activities required before its first use, such as renting it. */
  after: z.array(id).default([]),
  range_km: z.number().min(0).optional(),
});

const activity = z
  .strictObject({
    id,
    name: z.string().optional(),
    /** Possible places; the whole activity is at one of them. */
    at: z.array(id).min(1),
    minutes,
    /** Earliest and latest start. */
    start: window.optional(),
    /** Earliest and latest end. */
    end: window.optional(),
    /** People who all take part. */
    all: z.array(id).default([]),
    /** People of whom at least `count` take part. */
    any: z.array(id).default([]),
    count: z.int().min(0).default(1),
    /** Minutes from its start during which its people are present and occupied. Default: all. */
    busy: minutes.optional(),
    /** Activities that must have ended before it starts. */
    after: z.array(id).default([]),
    /** People of whom one is at its place as long as it lasts. */
    watched_by: z.array(id).optional(),
    /** Resources that it uses, one unit of each. */
    uses: z.array(id).default([]),
    optional: z.boolean().default(false),
  })
  .refine((one) => one.any.length === 0 || one.count <= one.any.length, {
    error: 'give a `count` of at most as many as there are in `any`',
  });

const resource = z.strictObject({ id, name: z.string().optional(), capacity: z.int().min(1) });

export const rideSchema = z.strictObject({
  id,
  people: z.array(id).min(1),
  from: id,
  to: id,
  pickup: window.optional(),
  arrive: window.optional(),
  /** Permitted vehicles. Default: all. */
  vehicles: z.array(id).optional(),
  /** Rides with which it must be made together. */
  together: z.array(id).default([]),
  /** Rides with which it must not be made together. */
  apart: z.array(id).default([]),
});

const preference = z
  .strictObject({
    id,
    text: z.string(),
    /** The price of breaking it, in units of the objective. */
    weight: price,
    /** A passenger who prefers one of these drivers. */
    passenger: id.optional(),
    drivers: z.array(id).optional(),
    /** People who prefer not to do one of these activities at the same time. */
    apart: z.array(id).optional(),
    activities: z.array(id).optional(),
  })
  .refine(
    ({ passenger, drivers, apart, activities }) =>
      (passenger !== undefined && drivers !== undefined) !==
      (apart !== undefined && activities !== undefined),
    { error: 'give either `passenger` and `drivers`, or `apart` and `activities`' },
  );

/** A problem in its file format: clock times as text, distances in kilometres. */
export const problemSchema = z.strictObject({
  schema: z.literal(PROBLEM_SCHEMA),
  name: id,
  text: z.string().optional(),
  source: z.string().optional(),
  /** Facts that the source does not state, as decided here. */
  assumptions: z.array(z.string()).default([]),
  places: z.array(place).min(1),
  roads: z.array(road).default([]),
  traffic: z.array(traffic).default([]),
  people: z.array(personSchema).default([]),
  vehicles: z.array(vehicle).default([]),
  activities: z.array(activity).default([]),
  resources: z.array(resource).default([]),
  rides: z.array(rideSchema).default([]),
  preferences: z.array(preference).default([]),
  /** Prices of a kilometre that a vehicle drives, of a minute until the plan ends, and of a minute of idleness. */
  objective: z
    .strictObject({
      km: price.default(1),
      finish_minutes: price.default(0),
      idle_minutes: price.default(0),
    })
    .default({ km: 1, finish_minutes: 0, idle_minutes: 0 }),
});

export type ProblemFile = z.input<typeof problemSchema>;
export type ProblemFacts = z.output<typeof problemSchema>;
