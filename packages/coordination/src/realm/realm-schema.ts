import * as z from 'zod';
import { clock, id } from '../model/problem-schema.js';

/** The name of an instance, also used in the names of its output files. */
export const instanceName = z
  .string()
  .regex(/^\w[\w.-]{0,99}$/, 'give a name of letters, digits, dots, dashes and underscores');
const hours = z.number().min(0).max(72);
const minutes = z.number().min(0).max(10_000);

const request = z.strictObject({
  passenger_id: id,
  pickup: id,
  dropoff: id,
  /** Hours of the day. */
  time_window: z.tuple([hours, hours]),
  deadline: minutes,
});

const vehicle = z.strictObject({
  vehicle_id: id,
  location: id,
  capacity: z.int().min(0).max(1000),
  /** Percent. */
  fuel: z.number().min(0).max(100),
});

const when = { start_time: hours, duration: minutes, impact: z.string().optional() };
const disruption = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('accident'), location: id, ...when }),
  z.strictObject({ type: z.literal('traffic_delay'), route: z.string(), delay: minutes, ...when }),
  z.strictObject({ type: z.literal('road_closure'), route: z.string(), ...when }),
  z.strictObject({ type: z.literal('construction'), route: z.string(), ...when }),
]);

/** An instance of ride sharing (P3), perhaps with disruptions (P4). */
export const realmRidesSchema = z.strictObject({
  instance_id: instanceName,
  description: z.string().optional(),
  city_map: z.strictObject({
    locations: z.array(id).min(1),
    /** By `from-to`. */
    distances: z.record(z.string(), z.number().positive().max(10_000)),
  }),
  ride_requests: z.array(request).min(1),
  vehicles: z.array(vehicle),
  disruptions: z.array(disruption).default([]),
});

export type RealmRides = z.output<typeof realmRidesSchema>;
export type RealmRequest = RealmRides['ride_requests'][number];
export type RealmDisruption = RealmRides['disruptions'][number];

/** An instance of a wedding (P5, P8) or of a dinner (P6, P9): the fields that are used, or show its gaps. */
export const realmGatheringSchema = z.looseObject({
  instance_id: instanceName,
  locations: z.record(z.string(), z.string()).default({}),
  /** Minutes by `from-to`. */
  travel_times: z.record(z.string(), z.number()).default({}),
  guests: z
    .array(
      z.looseObject({
        name: id,
        location: id.optional(),
        arrival_time: clock.optional(),
        has_car: z.boolean().default(false),
        car_capacity: z.int().min(1).max(1000).optional(),
      }),
    )
    .default([]),
  family_members: z
    .array(
      z.looseObject({
        id,
        arrival: id.optional(),
        flight: id.nullish(),
        skills: z.array(id).default([]),
      }),
    )
    .default([]),
  flights: z.record(z.string(), z.looseObject({ arrival_time: clock })).default({}),
  vehicles: z
    .array(
      z.looseObject({ id, location: id.optional(), capacity: z.int().min(0).max(1000).default(0) }),
    )
    .default([]),
  errands: z.array(id).default([]),
  cooking_tasks: z.array(id).default([]),
  cooking_dependencies: z.array(z.tuple([id, id])).default([]),
  constraints: z.record(z.string(), z.unknown()).default({}),
  disruptions: z
    .array(
      z.looseObject({
        type: z.string(),
        route: z.string().optional(),
        flight: z.string().optional(),
        start_time: clock.optional(),
        duration: minutes.optional(),
        delay: minutes.optional(),
      }),
    )
    .default([]),
});

export type RealmGathering = z.output<typeof realmGatheringSchema>;
