import { checkJson, faultError } from '@alas-jssp/core';
import * as z from 'zod';
import { formatClock, parseClock } from '../../model/clock.js';
import { clock, id } from '../../model/problem-schema.js';

/** Visitors who take one tour together. Times are minutes of the day. */
export interface VisitorGroup {
  readonly id: string;
  readonly size: number;
  readonly arrives: number;
  readonly prefers: number;
}

/** A guide, who leads one tour at a time. */
export interface TourGuide {
  readonly id: string;
  readonly from: number;
  readonly until: number;
  readonly mostPeople: number;
}

/** Tours of several groups by several guides (P2). */
export interface GroupTours {
  readonly name: string;
  readonly groups: readonly VisitorGroup[];
  readonly guides: readonly TourGuide[];
  /** Minutes of each tour. */
  readonly minutes: number;
  /** The most people of any tour. */
  readonly mostPeople: number;
}

/** The tour of a group. */
export interface GroupTour {
  readonly group: string;
  readonly guide: string;
  readonly start: number;
}

const planSchema = z.strictObject({
  tours: z.array(z.strictObject({ group: id, guide: id, start: clock })),
});

/** Reads a plan of tours. @throws InputError `bad_plan` */
export function readGroupTours(value: unknown): GroupTour[] {
  const checked = checkJson<z.output<typeof planSchema>>(planSchema, value);
  if (checked.fault !== undefined) throw faultError('bad_plan', checked.fault);
  return checked.data.tours.map((one) => ({ ...one, start: parseClock(one.start) }));
}

/** A plan of tours as JSON, by time. */
export function writeGroupTours(tours: readonly GroupTour[]): z.output<typeof planSchema> {
  const sorted = tours.toSorted((a, b) => a.start - b.start);
  return {
    tours: sorted.map(({ group, guide, start }) => ({ group, guide, start: formatClock(start) })),
  };
}

/** The minute at which a group would like to start: its preferred one, but not before it is there. */
export function wantedStart({ arrives, prefers }: VisitorGroup): number {
  return Math.max(arrives, prefers);
}

/** The price of a plan: minutes between wanted and planned starts, and between the busiest and the least busy guide. */
export function costOfGroups(problem: GroupTours, tours: readonly GroupTour[]): number {
  const wanted = new Map(problem.groups.map((group) => [group.id, wantedStart(group)]));
  const waits = tours.reduce(
    (sum, { group, start }) => sum + Math.abs(start - (wanted.get(group) ?? start)),
    0,
  );
  const counts = problem.guides.map(
    ({ id: name }) => tours.filter((one) => one.guide === name).length,
  );
  return waits + problem.minutes * (Math.max(...counts) - Math.min(...counts));
}
