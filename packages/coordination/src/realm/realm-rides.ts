import { EVENTS_SCHEMA, type EventsFile } from '../events/events.js';
import { formatClock } from '../model/clock.js';
import { PROBLEM_SCHEMA, type ProblemFile } from '../model/problem-schema.js';
import { DISRUPTION_ASSUMPTIONS, eventsOfDisruptions } from './realm-disruptions.js';
import { type RealmMap, readRealmMap } from './realm-map.js';
import { type RealmFinding, type RealmReading, readingOf } from './realm-reading.js';
import type { RealmRequest, RealmRides } from './realm-schema.js';

/** Kilometres on a full tank. */
const TANK_KM = 200;

const SOURCE = 'REALM-Bench (arXiv:2502.18836; github.com/genglongling/REALM-Bench), ride sharing';

/** Decisions about ride sharing that no source states. */
const RIDE_ASSUMPTIONS: readonly string[] = [
  'Distances are kilometres, and all roads are driven at 60 km/h: a kilometre is a minute, rounded up.',
  'A window is in hours of the day, and for the pick-up; of one that ends before it begins, the two ends change places.',
  'A deadline is in minutes from the end of the window: the passenger has arrived by then.',
  `Fuel is in percent of a tank for ${TANK_KM} km, and nobody fills up.`,
  'Vehicles have drivers of their own, who are not among the passengers and need not go back; the capacity is of passengers.',
  'No time is stated from when passengers and vehicles are there: they are from the beginning.',
  'Rides may lead by other places, and be shared.',
];

type ReportFinding = (finding: RealmFinding) => void;

/** A request in minutes of the day. */
interface TimedRequest {
  readonly request: RealmRequest;
  readonly earliest: number;
  readonly latest: number;
  readonly deadline: number;
}

/** A problem of rides, and events, from an instance of P3 or P4; or the reasons for its refusal. */
export function readRealmRides(rides: RealmRides): RealmReading {
  const findings: RealmFinding[] = [];
  const report: ReportFinding = (finding) => void findings.push(finding);
  const map = readRealmMap(rides.city_map, report);
  reportNames(rides, map, report);
  const served = rides.ride_requests.filter((request) => {
    const { passenger_id, pickup, dropoff } = request;
    if (pickup !== dropoff) return true;
    const message = `${passenger_id} is at ${dropoff} already: the request is left out`;
    report({ code: 'already_there', message });
    return false;
  });
  const requests = served.map((request) => timed(request, report));
  for (const request of requests) reportWay(rides, map, request, report);
  const events = eventsOfDisruptions(rides.disruptions, map, report);
  const name = rides.instance_id;
  const file: EventsFile = { schema: EVENTS_SCHEMA, problem: name, source: SOURCE, events };
  return readingOf(name, findings, () => ({
    problem: problemOf(rides, map, requests),
    events: events.length === 0 ? null : file,
  }));
}

/** Reports places that are not on the map, and duplicate names. */
function reportNames(
  { ride_requests, vehicles }: RealmRides,
  { places }: RealmMap,
  report: ReportFinding,
): void {
  const known = (place: string, who: string) => {
    if (places.has(place)) return;
    report({ code: 'unknown_place', message: `${who}: there is no '${place}' on the map` });
  };
  for (const { passenger_id, pickup, dropoff } of ride_requests) {
    known(pickup, passenger_id);
    known(dropoff, passenger_id);
  }
  for (const { vehicle_id, location } of vehicles) known(location, vehicle_id);
  const names = [
    ...ride_requests.map(({ passenger_id }) => passenger_id),
    ...vehicles.map(({ vehicle_id }) => vehicle_id),
  ];
  for (const name of new Set(names.filter((one, at) => names.indexOf(one) !== at))) {
    report({ code: 'repeated_name', message: `${name} is there more than once` });
  }
}

function timed(request: RealmRequest, report: ReportFinding): TimedRequest {
  const [begin, end] = request.time_window.map((hours) => Math.round(60 * hours));
  const [earliest, latest] = [Math.min(begin, end), Math.max(begin, end)];
  if (end < begin) {
    const message =
      `${request.passenger_id}: the window ends at ${formatClock(end)}, before it begins at ` +
      `${formatClock(begin)}: read as ${formatClock(earliest)} to ${formatClock(latest)}`;
    report({ code: 'reversed_window', message });
  }
  return { request, earliest, latest, deadline: latest + Math.floor(request.deadline) };
}

/** Reports a request that cannot be served in time, or only with its whole window. */
function reportWay(
  { vehicles }: RealmRides,
  { places, shortest }: RealmMap,
  { request, earliest, latest, deadline }: TimedRequest,
  report: ReportFinding,
): void {
  const { passenger_id: who, pickup, dropoff } = request;
  if (!places.has(pickup) || !places.has(dropoff)) return;
  const km = shortest.get(pickup)?.get(dropoff) ?? Number.POSITIVE_INFINITY;
  const way = `${pickup} to ${dropoff}`;
  if (earliest + km > deadline) {
    const message = Number.isFinite(km)
      ? `${who}: ${way} takes ${km} min, from ${formatClock(earliest)} at the earliest, and the deadline is ${formatClock(deadline)}`
      : `${who}: no road leads from ${way}`;
    report({ code: 'unreachable', message });
    return;
  }
  if (latest + km > deadline) {
    const left = deadline - km;
    const message = `${who}: ${way} takes ${km} min and the deadline is ${formatClock(deadline)}: the window until ${formatClock(latest)} is of use until ${formatClock(Math.floor(left))} only`;
    report({ code: 'late_from_window_end', message });
  }
  const canGo = vehicles.some(({ location, capacity, fuel }) => {
    const there = shortest.get(location)?.get(pickup) ?? Number.POSITIVE_INFINITY;
    return capacity > 0 && there + km <= (TANK_KM * fuel) / 100;
  });
  if (canGo) return;
  const message = `${who}: no vehicle has a seat and fuel enough to fetch and take somebody from ${way}`;
  report({ code: 'out_of_fuel', message });
}

function problemOf(
  rides: RealmRides,
  { places, roads }: RealmMap,
  requests: readonly TimedRequest[],
): ProblemFile {
  const { instance_id, description, vehicles, disruptions } = rides;
  return {
    schema: PROBLEM_SCHEMA,
    name: instance_id,
    ...(description !== undefined && { text: description }),
    source: SOURCE,
    assumptions: [...RIDE_ASSUMPTIONS, ...(disruptions.length > 0 ? DISRUPTION_ASSUMPTIONS : [])],
    places: Array.from(places, (id) => ({ id })),
    roads: [...roads].flatMap(([from, row]) =>
      [...row].flatMap(([to, km]) => {
        const road = { from, to, minutes: Math.ceil(km), km };
        if (roads.get(to)?.get(from) !== km) return [{ ...road, one_way: true }];
        return from < to ? [road] : [];
      }),
    ),
    people: requests.map(({ request }) => ({ id: request.passenger_id, at: request.pickup })),
    vehicles: vehicles.map(({ vehicle_id, location, capacity, fuel }) => ({
      id: vehicle_id,
      at: location,
      seats: capacity,
      range_km: (TANK_KM * fuel) / 100,
    })),
    rides: requests.map(({ request, earliest, latest, deadline }) => ({
      id: `ride-${request.passenger_id}`,
      people: [request.passenger_id],
      from: request.pickup,
      to: request.dropoff,
      pickup: [formatClock(earliest), formatClock(latest)],
      arrive: [null, formatClock(deadline)],
    })),
  };
}
