import { checkJson, faultError } from '@alas-jssp/core';
import * as z from 'zod';
import { formatClock, parseClock } from '../../model/clock.js';
import { clock, id } from '../../model/problem-schema.js';

/** A region that needs supplies. Times are minutes from the beginning. */
interface ReliefRegion {
  readonly id: string;
  /** Units of each resource that are needed. */
  readonly needs: ReadonlyMap<string, number>;
  /** The last minute at which a delivery counts. */
  readonly deadline: number;
  /** No vehicle arrives before this minute. */
  readonly blockedUntil: number;
}

/** A vehicle at the base. */
export interface ReliefVehicle {
  readonly id: string;
  /** Units of all resources together. */
  readonly capacity: number;
  /** Minutes from the base to each region, and back. */
  readonly minutes: ReadonlyMap<string, number>;
}

/** Deliveries of supplies from a base to regions (P7). */
export interface Relief {
  readonly name: string;
  readonly regions: readonly ReliefRegion[];
  readonly vehicles: readonly ReliefVehicle[];
  /** Units of each resource at the base. */
  readonly stock: ReadonlyMap<string, number>;
  /** Thousandths of a person that a unit of a resource supplies: whole, so that sums are exact. */
  readonly persons: ReadonlyMap<string, number>;
}

/** A vehicle's way from the base to a region, and back. */
export interface ReliefTrip {
  readonly vehicle: string;
  readonly region: string;
  readonly leave: number;
  readonly loads: Readonly<Record<string, number>>;
}

const units = z.int().min(0).max(1_000_000_000);
const planSchema = z.strictObject({
  trips: z.array(
    z.strictObject({ vehicle: id, region: id, leave: clock, loads: z.record(id, units) }),
  ),
});

/** Reads a plan of deliveries. @throws InputError `bad_plan` */
export function readReliefPlan(value: unknown): ReliefTrip[] {
  const checked = checkJson<z.output<typeof planSchema>>(planSchema, value);
  if (checked.fault !== undefined) throw faultError('bad_plan', checked.fault);
  return checked.data.trips.map((trip) => ({ ...trip, leave: parseClock(trip.leave) }));
}

/** A plan of deliveries as JSON, by time: `02:30` is two hours and a half after the beginning. */
export function writeReliefPlan(trips: readonly ReliefTrip[]): z.output<typeof planSchema> {
  const sorted = trips.toSorted((a, b) => a.leave - b.leave);
  return {
    trips: sorted.map((trip) => ({
      ...trip,
      loads: { ...trip.loads },
      leave: formatClock(trip.leave),
    })),
  };
}

/** Minutes of a vehicle to a region; infinite if one of them is unknown. */
export function tripMinutes({ vehicles }: Relief, vehicle: string, region: string): number {
  const found = vehicles.find(({ id: name }) => name === vehicle);
  return found?.minutes.get(region) ?? Number.POSITIVE_INFINITY;
}

/** The price of a plan: people without a supply that they need, for each of these supplies. */
export function costOfRelief(relief: Relief, trips: readonly ReliefTrip[]): number {
  let missing = 0;
  for (const region of relief.regions) {
    const there = trips.filter(
      ({ vehicle, region: to, leave }) =>
        to === region.id && leave + tripMinutes(relief, vehicle, to) <= region.deadline,
    );
    for (const [resource, needed] of region.needs) {
      const delivered = there.reduce((sum, { loads }) => sum + (loads[resource] ?? 0), 0);
      missing += Math.max(0, needed - delivered) * (relief.persons.get(resource) ?? 0);
    }
  }
  return missing / 1000;
}
