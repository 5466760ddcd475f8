import { formatClock } from '../../model/clock.js';
import { type CampusPlan, type CampusTour, walkedMinutes, walkMinutes } from './tour.js';

/** Rules of tours, in the order in which violations are listed. */
const TOUR_CODES = [
  'unknown_place',
  'no_path',
  'too_fast',
  'outside_window',
  'repeated_visit',
  'missing_visit',
  'too_long',
] as const;

interface TourFault {
  readonly code: (typeof TOUR_CODES)[number];
  readonly message: string;
}

/** Judges a plan of a tour. The cost is the minutes on foot; null if a step cannot be walked. */
export function judgeTour(tour: CampusTour, plan: CampusPlan) {
  const faults = [
    ...stepFaults(tour, plan),
    ...visitFaults(tour, plan),
    ...lengthFaults(tour, plan),
  ];
  const rank = ({ code }: TourFault) => TOUR_CODES.indexOf(code);
  const violations = faults.toSorted((a, b) => rank(a) - rank(b));
  const walked = walkedMinutes(
    tour,
    plan.visits.map(({ place }) => place),
  );
  const cost = Number.isFinite(walked) ? walked : null;
  return { valid: violations.length === 0, violations, cost };
}

/** Each step is walked along a path, and takes its minutes or longer. */
function* stepFaults(tour: CampusTour, { start, visits, end }: CampusPlan): Generator<TourFault> {
  const known = new Set(tour.places);
  for (const { place } of visits) {
    if (known.has(place)) continue;
    yield { code: 'unknown_place', message: `there is no '${place}' to visit` };
  }
  const stops = [...visits, { place: tour.end, at: end }];
  let [here, leaves] = [tour.start, start];
  for (const { place, at } of stops) {
    const minutes = walkMinutes(tour, here, place);
    if (!Number.isFinite(minutes)) {
      yield { code: 'no_path', message: `no path leads from ${here} to ${place}` };
    } else if (at - leaves < minutes) {
      const message = `${here} to ${place} takes ${minutes} min, and the plan leaves at ${formatClock(leaves)} and arrives at ${formatClock(at)}`;
      yield { code: 'too_fast', message };
    }
    [here, leaves] = [place, at + tour.visitMinutes];
  }
}

/** Each place is visited once, within its window. */
function* visitFaults(tour: CampusTour, { visits }: CampusPlan): Generator<TourFault> {
  for (const place of tour.places) {
    const times = visits.filter((one) => one.place === place).length;
    if (times === 0) yield { code: 'missing_visit', message: `${place} is not visited` };
    if (times > 1) yield { code: 'repeated_visit', message: `${place} is visited ${times} times` };
  }
  for (const { place, at } of visits) {
    const [from, until] = tour.windows.get(place) ?? [at, at];
    if (at >= from && at <= until) continue;
    const message = `the visit of ${place} begins at ${formatClock(at)}, and has to begin from ${formatClock(from)} to ${formatClock(until)}`;
    yield { code: 'outside_window', message };
  }
}

/** The tour is no longer than its limit. */
function* lengthFaults(tour: CampusTour, { start, visits, end }: CampusPlan): Generator<TourFault> {
  const { limits, maxMinutes } = tour;
  const walked = walkedMinutes(
    tour,
    visits.map(({ place }) => place),
  );
  const minutes = limits === 'elapsed' ? end - start : walked;
  if (minutes <= maxMinutes) return;
  const how = limits === 'elapsed' ? 'from start to end' : 'on foot';
  const message = `the tour takes ${minutes} min ${how}, and at most ${maxMinutes} are allowed`;
  yield { code: 'too_long', message };
}
