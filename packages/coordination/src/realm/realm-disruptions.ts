import type { CoordinationEvent } from '../events/events.js';
import { formatClock } from '../model/clock.js';
import { placesOfRoute, type RealmMap } from './realm-map.js';
import type { RealmFinding } from './realm-reading.js';
import type { RealmDisruption } from './realm-schema.js';

/** Travel time factors: of roads to and from the place of an accident, and of roads under construction. */
const FACTORS = { accident: 2, construction: 1.5 };

/** Decisions about disruptions that no source states. */
export const DISRUPTION_ASSUMPTIONS: readonly string[] = [
  'What happens on the roads becomes known when it begins (start_time is an hour of the day), and lasts for its duration in minutes.',
  'A route is the road in both directions: the map states both, with one distance.',
  'A delay is added to the minutes that its road takes.',
  `Roads to and from an accident take ${FACTORS.accident} times as long; a road under construction takes ${FACTORS.construction} times as long.`,
];

/** Disruptions as events, in the order of the file; those at unknown places are reported instead. */
export function eventsOfDisruptions(
  disruptions: readonly RealmDisruption[],
  map: RealmMap,
  report: (finding: RealmFinding) => void,
): CoordinationEvent[] {
  return disruptions.flatMap((one): CoordinationEvent[] => {
    const start = Math.round(60 * one.start_time);
    const at = formatClock(start);
    const until = formatClock(start + Math.ceil(one.duration));
    if (one.type === 'accident') {
      const { location } = one;
      if (map.places.has(location)) {
        const factor = FACTORS.accident;
        return [{ kind: 'traffic', at, until, places: [location], factor }];
      }
      report({
        code: 'unknown_place',
        message: `there is no '${location}' to have an accident at`,
      });
      return [];
    }
    const ends = placesOfRoute(one.route, map.places);
    const km = ends === null ? undefined : map.roads.get(ends[0])?.get(ends[1]);
    if (ends === null || km === undefined) {
      const message = `there is no road '${one.route}' for its ${one.type}`;
      report({ code: 'unknown_place', message });
      return [];
    }
    const [from, to] = ends;
    const roads: [string, string][] = [
      [from, to],
      [to, from],
    ];
    if (one.type === 'road_closure') return [{ kind: 'closed_road', at, until, roads }];
    const factor = one.type === 'construction' ? FACTORS.construction : (km + one.delay) / km;
    return [{ kind: 'traffic', at, until, roads, factor }];
  });
}
