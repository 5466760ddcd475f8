import { formatClock } from '../../../src/model/clock.js';
import { PROBLEM_SCHEMA, type ProblemFile } from '../../../src/model/problem-schema.js';
import { randomOf } from '../../oracle/random.js';

/** Kilometres of a side of the square in which all places are. */
const SIDE = 30;
const [MORNING, EVENING] = [8 * 60, 16 * 60];

/**
 * A problem of rides of one to three people between random points of a square, in windows of half an hour over a day, by
 * vehicles of three to six seats that go 150 to 250 km, from random points. A kilometre takes a minute.
 */
export function randomRides(requests: number, fleet: number, seed: number): ProblemFile {
  const random = randomOf(seed);
  const places = Array.from({ length: 2 * requests + fleet }, (_, i) => ({
    id: `p${i}`,
    x: random.int(0, 100 * SIDE) / 100,
    y: random.int(0, 100 * SIDE) / 100,
  }));
  // Rounded up, so that no way by a third place is shorter.
  const kmBetween = (a: number, b: number) =>
    Math.ceil(1000 * Math.hypot(places[a].x - places[b].x, places[a].y - places[b].y)) / 1000;
  const rides = Array.from({ length: requests }, (_, r) => {
    const begin = MORNING + random.int(0, EVENING - MORNING);
    const takes = Math.ceil(kmBetween(2 * r, 2 * r + 1));
    return {
      id: `r${r}`,
      people: Array.from({ length: random.int(1, 3) }, (_, i) => `r${r}-${i}`),
      ...{ from: `p${2 * r}`, to: `p${2 * r + 1}` },
      pickup: [formatClock(begin), formatClock(begin + 30)] as [string, string],
      arrive: [null, formatClock(begin + 40 + Math.ceil(1.5 * takes))] as [null, string],
    };
  });
  return {
    ...{ schema: PROBLEM_SCHEMA, name: `rides-${requests}-${fleet}-${seed}` },
    places: places.map(({ id }) => ({ id })),
    roads: places.flatMap(({ id }, a) =>
      places.slice(a + 1).map((other, i) => {
        const km = kmBetween(a, a + 1 + i);
        return { from: id, to: other.id, minutes: Math.ceil(km), km };
      }),
    ),
    people: rides.flatMap(({ people, from }) => people.map((id) => ({ id, at: from }))),
    vehicles: Array.from({ length: fleet }, (_, v) => ({
      ...{ id: `v${v}`, at: `p${2 * requests + v}`, from: formatClock(MORNING - 30) },
      ...{ seats: random.int(3, 6), range_km: random.int(150, 250) },
    })),
    rides,
  };
}
