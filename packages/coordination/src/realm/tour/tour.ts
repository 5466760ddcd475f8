import { checkJson, faultError } from '@alas-jssp/core';
import * as z from 'zod';
import { formatClock, parseClock } from '../../model/clock.js';
import { clock, id } from '../../model/problem-schema.js';

/** A walk through places of a campus (P1): each place once, within its window, from a start to an end. */
export interface CampusTour {
  readonly name: string;
  readonly start: string;
  readonly end: string;
  /** Places to visit. */
  readonly places: readonly string[];
  /** Minutes to walk, by place and next place; a missing one cannot be walked. */
  readonly minutes: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Minutes of the day within which a visit begins; a place without one is always open. */
  readonly windows: ReadonlyMap<string, readonly [number, number]>;
  /** Minutes of each visit. */
  readonly visitMinutes: number;
  readonly maxMinutes: number;
  /** The minutes that the limit counts: all from start to end, or those on foot. */
  readonly limits: 'elapsed' | 'walking';
}

/** A visit, and the minute of the day at which it begins. */
interface TourVisit {
  readonly place: string;
  readonly at: number;
}

/** A plan of a tour, in minutes of the day. */
export interface CampusPlan {
  readonly start: number;
  readonly visits: readonly TourVisit[];
  readonly end: number;
}

const planSchema = z.strictObject({
  start: clock,
  visits: z.array(z.strictObject({ place: id, at: clock })),
  end: clock,
});

/** Reads a plan of a tour. @throws InputError `bad_plan` */
export function readTourPlan(value: unknown): CampusPlan {
  const checked = checkJson<z.output<typeof planSchema>>(planSchema, value);
  if (checked.fault !== undefined) throw faultError('bad_plan', checked.fault);
  const { start, visits, end } = checked.data;
  return {
    start: parseClock(start),
    visits: visits.map(({ place, at }) => ({ place, at: parseClock(at) })),
    end: parseClock(end),
  };
}

/** A plan of a tour as JSON. */
export function writeTourPlan({ start, visits, end }: CampusPlan): z.output<typeof planSchema> {
  return {
    start: formatClock(start),
    visits: visits.map(({ place, at }) => ({ place, at: formatClock(at) })),
    end: formatClock(end),
  };
}

/** Minutes to walk from a place to another one; infinite if that cannot be walked. */
export function walkMinutes(tour: CampusTour, from: string, to: string): number {
  return tour.minutes.get(from)?.get(to) ?? Number.POSITIVE_INFINITY;
}

/** Minutes on foot of a tour through these places, in this order. */
export function walkedMinutes(tour: CampusTour, order: readonly string[]): number {
  const stops = [tour.start, ...order, tour.end];
  return stops.slice(1).reduce((sum, to, at) => sum + walkMinutes(tour, stops[at], to), 0);
}
