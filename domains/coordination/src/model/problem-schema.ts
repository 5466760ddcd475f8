import { z } from 'zod';
import { CLOCK } from './clock.js';

/** The schema that files of problems name. */
export const PROBLEM_SCHEMA = 'alas-coordination/problem@1';

/** A name within a problem. */
export const id = z.string().min(1).max(100);
/** A clock time. */
export const clock = z.string().regex(CLOCK, 'give a clock time such as 14:05 or 2:05 PM');
const minutes = z.int().min(0).max(100_000);
/** A price: small enough for sums of prices to stay exact. */
const price = z.number().min(0).max(1_000_000);
/** Earliest and latest; null where there is no such limit. */
const window = z.tuple([clock.nullable(), clock.nullable()]);

const place = z.strictObject({
  id,
  name: z.string().optional(),
  /** When activities can be done there; always, unless said. */
  open: z.array(z.tuple([clock, clock])).optional(),
});

const road = z.strictObject({
  from: id,
  to: id,
  minutes,
  /** Its length in kilometres; counts towards distance and range. */
  km: z.number().min(0).max(100_000).default(0),
  one_way: z.boolean().default(false),
});

const traffic = z
  .strictObject({
    /** From when on; from the beginning, unless said. */
    from: clock.optional(),
    until: clock.optional(),
    /** On roads to and from these places … */
    places: z.array(id).optional(),
    /** … and on these, in this direction; on all if neither is said. */
    roads: z.array(z.tuple([id, id])).optional(),
    /** Times as long as usual, for what is left of a journey. */
    factor: z.number().min(0.01).max(1000).optional(),
    /** Nobody may enter the roads; who is on them goes on. */
    closed: z.literal(true).optional(),
  })
  .refine((one) => (one.factor === undefined) !== (one.closed === undefined), {
    error: 'give either `factor` or `closed`',
  });

export const personSchema = z.strictObject({
  id,
  name: z.string().optional(),
  at: id,
  /** When the person is there; from the beginning, unless said. */
  from: clock.optional(),
  until: clock.optional(),
  /** Activities that have to be done before the person leaves where it is at first, such as fetching luggage. */
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
  /** People who may drive it; unless said, it has a driver of its own who is not part of the problem. */
  drivers: z.array(id).optional(),
  /** Activities that have to be done before it is used, such as renting it. */
  after: z.array(id).default([]),
  range_km: z.number().min(0).optional(),
});

const activity = z
  .strictObject({
    id,
    name: z.string().optional(),
    /** Where it can be done; all of it at one of these places. */
    at: z.array(id).min(1),
    minutes,
    /** Earliest and latest start, … */
    start: window.optional(),
    /** … and end. */
    end: window.optional(),
    /** People all of whom do it, … */
    all: z.array(id).default([]),
    /** … and, out of these, at least `count` do it. */
    any: z.array(id).default([]),
    count: z.int().min(0).default(1),
    /** For how many of its first minutes those who do it are there, and do nothing else; all, unless said. */
    busy: minutes.optional(),
    /** Activities that must have ended before it starts. */
    after: z.array(id).default([]),
    /** People one of whom has to be at its place as long as it goes on. */
    watched_by: z.array(id).optional(),
    /** Resources of which it uses one each. */
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
  /** Vehicles that may be used; all, unless said. */
  vehicles: z.array(id).optional(),
  /** Rides in whose company it has to be made, … */
  together: z.array(id).default([]),
  /** … and in whose company it must not. */
  apart: z.array(id).default([]),
});

const preference = z
  .strictObject({
    id,
    text: z.string(),
    /** The price of not keeping it, in units of the objective. */
    weight: price,
    /** Somebody would like to be driven by one of these … */
    passenger: id.optional(),
    drivers: z.array(id).optional(),
    /** … or these would like not to do one of these activities at the same time. */
    apart: z.array(id).optional(),
    activities: z.array(id).optional(),
  })
  .refine(
    ({ passenger, drivers, apart, activities }) =>
      (passenger !== undefined && drivers !== undefined) !==
      (apart !== undefined && activities !== undefined),
    { error: 'give either `passenger` and `drivers`, or `apart` and `activities`' },
  );

/** A problem as its file states it: clock times as text, distances in kilometres. */
export const problemSchema = z.strictObject({
  schema: z.literal(PROBLEM_SCHEMA),
  name: id,
  text: z.string().optional(),
  source: z.string().optional(),
  /** Facts that the source does not state, and that were decided here. */
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
  /** Prices: of a kilometre that a vehicle drives, of a minute until all is done, of a minute of idleness. */
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
