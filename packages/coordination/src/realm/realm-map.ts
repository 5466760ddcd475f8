import type { RealmFinding } from './realm-reading.js';
import type { RealmRides } from './realm-schema.js';

/** A map of a town: kilometres of roads by start, then by end. */
export interface RealmMap {
  readonly places: ReadonlySet<string>;
  readonly roads: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Kilometres of the shortest way through any places. */
  readonly shortest: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** The two places of a text such as `park-mall`, whose names may contain dashes; null if it has none. */
export function placesOfRoute(
  route: string,
  places: { readonly has: (name: string) => boolean },
): readonly [string, string] | null {
  for (let at = route.indexOf('-'); at >= 0; at = route.indexOf('-', at + 1)) {
    const [from, to] = [route.slice(0, at), route.slice(at + 1)];
    if (places.has(from) && places.has(to)) return [from, to];
  }
  return null;
}

/** Reads a map, and reports its contradictions. A road stated in one direction is also used in the other. */
export function readRealmMap(
  { locations, distances }: RealmRides['city_map'],
  report: (finding: RealmFinding) => void,
): RealmMap {
  const places = new Set(locations);
  const stated = tableOf(places);
  for (const [route, km] of Object.entries(distances)) {
    const ends = placesOfRoute(route, places);
    if (ends === null) {
      const message = `the distance '${route}' is not between two of its locations`;
      report({ code: 'unknown_place', message });
    } else stated.get(ends[0])?.set(ends[1], km);
  }
  const roads = tableOf(places);
  for (const [from, row] of stated) {
    for (const [to, km] of row) {
      const back = stated.get(to)?.get(from);
      roads.get(from)?.set(to, km);
      if (back === undefined) roads.get(to)?.set(from, km);
      if (back === undefined || back === km || from > to) continue;
      const message = `${from} to ${to} is ${km} km, and back ${back} km: read as two one-way roads`;
      report({ code: 'unequal_distances', message });
    }
  }
  const map = { places, roads, shortest: shortestWays(roads) };
  reportRoundabouts(map, report);
  return map;
}

/** Reports in one line how many roads are longer than a way by other places. */
function reportRoundabouts(
  { roads, shortest }: RealmMap,
  report: (finding: RealmFinding) => void,
): void {
  const all = [...roads].flatMap(([from, row]) =>
    Array.from(row, ([to, km]) => ({ from, to, km })),
  );
  const longer = all.filter(({ from, to, km }) => km > (shortest.get(from)?.get(to) ?? km));
  if (longer.length === 0) return;
  const { from, to, km } = longer[0];
  const message =
    `${longer.length} of ${all.length} roads, counted in each direction, are longer than a way by other places, ` +
    `such as ${from} to ${to}: ${km} km, or ${shortest.get(from)?.get(to)} km`;
  report({ code: 'roundabout_roads', message });
}

/** Shortest ways between all places (Floyd, doi:10.1145/367766.368168). */
function shortestWays(roads: RealmMap['roads']): Map<string, Map<string, number>> {
  const ways = new Map(Array.from(roads, ([from, row]) => [from, new Map(row).set(from, 0)]));
  for (const [by, onwards] of ways) {
    for (const row of ways.values()) {
      const first = row.get(by);
      if (first === undefined) continue;
      for (const [to, rest] of onwards) {
        if (first + rest < (row.get(to) ?? Number.POSITIVE_INFINITY)) row.set(to, first + rest);
      }
    }
  }
  return ways;
}

function tableOf(places: ReadonlySet<string>): Map<string, Map<string, number>> {
  return new Map(Array.from(places, (place) => [place, new Map<string, number>()]));
}
