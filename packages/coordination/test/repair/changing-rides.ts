import { InputError } from 'alas-jssp';
import { applyEvent, type CoordinationEvent } from '../../src/events/events.js';
import { formatClock } from '../../src/model/clock.js';
import { type Problem, readProblem } from '../../src/model/problem.js';
import { PROBLEM_SCHEMA, type ProblemFile } from '../../src/model/problem-schema.js';
import { type Random, randomOf } from '../oracle/random.js';

type RideFile = NonNullable<ProblemFile['rides']>[number];

/** Kilometres of a side of the square in which all places are; a kilometre takes a minute. */
const SIDE = 30;

/** Rides that change while they are made. */
export interface ChangingRides {
  readonly problem: Problem;
  /** When the first changes become known, and the minutes from each to the next. */
  readonly first: number;
  readonly gaps: readonly number[];
  /** The problem after one to three changes that become known at `now`, and the kinds of these. */
  change(problem: Problem, now: number): { readonly problem: Problem; readonly kinds: string[] };
}

/**
 * Rides by three to six vehicles between random points, eight to twenty of them, and what happens to them: requests,
 * cancellations, breakdowns, and slow roads.
 *
 * @param twice whether some people ride back
 */
export function changingRides(seed: number, twice: boolean): ChangingRides {
  const random = randomOf(31_337 * seed + Number(twice));
  const names = Array.from({ length: random.int(4, 9) }, (_, i) => `P${i}`);
  const points = names.map(() => [random.int(0, SIDE), random.int(0, SIDE)]);
  const roads = names.flatMap((from, i) =>
    names.slice(i + 1).flatMap((to, k) => {
      const [a, b] = [points[i], points[i + 1 + k]];
      const km = Math.max(1, Math.round(Math.hypot(a[0] - b[0], a[1] - b[1])));
      return k === 0 || random.chance(0.7) ? [{ from, to, minutes: km, km }] : [];
    }),
  );
  const vehicles = Array.from({ length: random.int(3, 6) }, (_, i) => ({
    ...{ id: `v${i}`, at: random.pick(names), seats: random.int(1, 4) },
    ...(random.chance(0.2) && { range_km: random.int(80, 200) }),
    ...(random.chance(0.15) && { from: formatClock(random.int(480, 640)) }),
  }));
  const requests = Array.from({ length: random.int(6, 17) }, (_, i) =>
    requestAt(random, names, vehicles, `${i}`, 500),
  );
  const back = requests.flatMap(({ ride }): RideFile[] => {
    if (!twice || !random.chance(0.4)) return [];
    const begin = random.int(680, 780);
    const pickup: [string, string] = [formatClock(begin), formatClock(begin + 30)];
    const { people, from, to, id } = ride;
    return [{ id: `${id}-back`, people, from: to, to: from, pickup }];
  });
  const problem = readProblem({
    ...{ schema: PROBLEM_SCHEMA, name: `changing-rides-${seed}`, roads, vehicles },
    places: names.map((id) => ({ id })),
    people: requests.map(({ person }) => person),
    rides: [...requests.map(({ ride }) => ride), ...back],
    objective: { km: 1 },
  });
  return {
    problem,
    first: random.int(495, 560),
    gaps: [random.int(5, 50), random.int(5, 50)],
    change: (before, now) => {
      let changed = before;
      const kinds: string[] = [];
      for (let i = random.int(1, 3); i > 0; i--) {
        const event = eventAt(random, changed, now, `${now}-${i}`);
        try {
          changed = applyEvent(changed, event);
          kinds.push(event.kind);
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
        }
      }
      return { problem: changed, kinds };
    },
  };
}

function requestAt(
  random: Random,
  names: readonly string[],
  vehicles: readonly { readonly id: string }[],
  id: string,
  earliest: number,
) {
  const from = random.pick(names);
  const to = random.pick(names.filter((name) => name !== from));
  const begin = random.int(earliest, earliest + 150);
  const end = begin + random.int(5, 30);
  const person = { id: `p${id}`, at: from };
  const latest = formatClock(end + random.int(35, 90));
  const arrive: [string | null, string] = [
    random.chance(0.15) ? formatClock(begin + 20) : null,
    latest,
  ];
  const ride: RideFile = {
    ...{ id: `r${id}`, people: [person.id], from, to },
    pickup: [formatClock(begin), formatClock(end)],
    ...(random.chance(0.8) && { arrive }),
    ...(random.chance(0.1) && { vehicles: [random.pick(vehicles).id] }),
  };
  return { person, ride };
}

function eventAt(random: Random, problem: Problem, now: number, id: string): CoordinationEvent {
  const at = formatClock(now);
  const kind = random.int(0, 99) / 100;
  if (kind < 0.6) {
    const vehicles = [...problem.vehicles.values()];
    const made = requestAt(random, [...problem.places.keys()], vehicles, id, now + 5);
    const ride = { ...made.ride, together: [], apart: [] };
    return { kind: 'request', at, ride, people: [{ leaves_after: [], ...made.person }] };
  }
  if (kind < 0.75)
    return { kind: 'cancellation', at, ride: random.pick([...problem.rides.keys()]) };
  if (kind < 0.88) {
    return { kind: 'breakdown', at, vehicle: random.pick([...problem.vehicles.keys()]) };
  }
  const from = random.pick([...problem.roads.keys()]);
  const to = random.pick([...(problem.roads.get(from)?.keys() ?? [])]);
  const until = formatClock(now + 60);
  return {
    kind: 'traffic',
    at,
    roads: [
      [from, to],
      [to, from],
    ],
    factor: 2,
    until,
  };
}
