import type { ProblemFile } from '../../model/problem-schema.js';
import { placesOfRoute } from '../realm-map.js';
import type { RealmGathering } from '../realm-schema.js';

/** The stated roads, and for each place without any a road of these minutes to each other place. */
export function completedRoads(
  { travel_times }: RealmGathering,
  places: readonly string[],
  minutes: number,
): NonNullable<ProblemFile['roads']> {
  const known = new Set(places);
  const stated = Object.entries(travel_times).flatMap(([route, time]) => {
    const ends = placesOfRoute(route, known);
    const whole = Math.ceil(time);
    return ends === null ? [] : [{ from: ends[0], to: ends[1], minutes: whole, km: whole }];
  });
  const reached = new Set(stated.flatMap(({ from, to }) => [from, to]));
  const added = places.flatMap((from, at) =>
    places
      .slice(at + 1)
      .filter((to) => !reached.has(from) || !reached.has(to))
      .map((to) => ({ from, to, minutes, km: minutes })),
  );
  return [...stated, ...added];
}
