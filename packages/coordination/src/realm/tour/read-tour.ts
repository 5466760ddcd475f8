import { checkJson, faultError } from '@alas-jssp/core';
import * as z from 'zod';
import { id } from '../../model/problem-schema.js';
import { placesOfRoute } from '../realm-map.js';
import type { RealmFinding } from '../realm-reading.js';
import { instanceName } from '../realm-schema.js';
import { badCompletion, completedNumber } from '../suites/completions.js';
import type { RealmCompletion, RealmCompletions, SuiteInstance } from '../suites/suite.js';
import type { CampusTour } from './tour.js';
import { tourProblem } from './tour-problem.js';

const hour = z.number().min(0).max(48);

/** An instance of P1 as it is published. */
const tourSchema = z.strictObject({
  instance_id: instanceName,
  description: z.string().optional(),
  locations: z.array(id).min(1),
  start_location: id,
  end_location: id,
  /** Minutes by `from-to`. */
  distances: z.record(z.string(), z.number().min(0).max(1440)),
  /** Hours of the day. */
  time_windows: z.record(z.string(), z.tuple([hour, hour])),
  max_duration: z.number().min(0).max(100_000),
});

/** Facts that files of P1 leave open, or that may be read in two ways. */
export const TOUR_COMPLETIONS: readonly RealmCompletion[] = [
  {
    key: 'duration',
    ours: 'walking',
    states: 'minutes that max_duration limits: elapsed (from start to end; the default) or walking',
    isNeeded: false,
  },
  {
    key: 'visit',
    ours: '0',
    states: 'minutes that each visit takes (default: none)',
    isNeeded: false,
  },
];

/** Reads an instance of P1. @throws InputError `bad_realm`, `bad_complete` */
export function readTour(
  value: unknown,
  file: string | undefined,
  given: RealmCompletions,
): SuiteInstance {
  const checked = checkJson<z.output<typeof tourSchema>>(tourSchema, value);
  if (checked.fault !== undefined) throw faultError('bad_realm', checked.fault, file);
  const {
    instance_id: name,
    locations,
    start_location: start,
    end_location: end,
    ...rest
  } = checked.data;
  const known = new Set(locations);
  const refused: RealmFinding[] = [];
  const report = (message: string) => void refused.push({ code: 'unknown_place', message });
  const minutes = new Map<string, Map<string, number>>(
    locations.map((place) => [place, new Map()]),
  );
  for (const [route, time] of Object.entries(rest.distances)) {
    const ends = placesOfRoute(route, known);
    if (ends === null) report(`the distance '${route}' is not between two of its locations`);
    else minutes.get(ends[0])?.set(ends[1], Math.ceil(time));
  }
  for (const place of [start, end, ...Object.keys(rest.time_windows)]) {
    if (!known.has(place)) report(`there is no location '${place}'`);
  }
  const { duration = 'elapsed', visit = '0' } = given;
  if (duration !== 'elapsed' && duration !== 'walking') {
    throw badCompletion(
      'duration',
      duration,
      `'${duration}' is unknown`,
      'write duration=elapsed or duration=walking',
    );
  }
  const tour: CampusTour = {
    name,
    start,
    end,
    places: locations.filter((place) => place !== start && place !== end),
    minutes,
    windows: new Map(
      Object.entries(rest.time_windows).map(([place, [from, until]]) => [
        place,
        [60 * from, 60 * until],
      ]),
    ),
    visitMinutes: Math.round(completedNumber('visit', visit, 0, 600)),
    maxMinutes: rest.max_duration,
    limits: duration,
  };
  const facts = { ...checked.data, visit_minutes: tour.visitMinutes, max_duration_of: duration };
  return {
    name,
    problem: refused.length > 0 ? null : tourProblem(tour, facts),
    completed: given,
    contradictions: [],
    refused,
  };
}
