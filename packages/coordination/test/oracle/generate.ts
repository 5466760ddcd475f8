import { formatClock } from '../../src/model/clock.js';
import type { Action, CoordinationPlan, Doing, Drive } from '../../src/model/plan.js';
import { type Problem, readProblem } from '../../src/model/problem.js';
import { PROBLEM_SCHEMA, type ProblemFile } from '../../src/model/problem-schema.js';
import { constrain } from './constrain.js';
import { arrivalOf, routesOf } from './oracle-travel.js';
import { type Random, randomOf } from './random.js';

/** A problem and a plan that is valid for it. */
export interface ValidCase {
  readonly facts: ProblemFile;
  readonly problem: Problem;
  readonly plan: CoordinationPlan;
}

/** Where somebody or a vehicle is while a plan is made, and from when on it is free. */
interface Standing {
  readonly id: string;
  at: string;
  free: number;
}

/** Whoever takes part: where they are at first, and as the plan goes on. */
export interface Cast {
  readonly people: readonly Standing[];
  readonly vehicles: readonly (Standing & { readonly hasOwnDriver: boolean })[];
  readonly homes: ReadonlyMap<string, string>;
}

/** When plans begin, in minutes since midnight. */
const BEGIN = 60;

/**
 * A random problem with a valid plan: roads and traffic first, then people and vehicles that go about, and then all
 * that is asked for, so that the plan keeps it.
 */
export function randomCase(seed: number): ValidCase {
  const random = randomOf(seed);
  const roads = randomRoads(random);
  const map = readProblem(roads);
  const cast = randomCast(
    random,
    roads.places.map(({ id }) => id),
  );
  const actions: Action[] = [];
  const count = random.int(3, 10);
  for (let i = 0; i < count; i++) {
    if (random.chance(0.6)) actions.push(...randomDrive(random, map, cast));
    else
      actions.push(
        randomDoing(
          random,
          cast,
          roads.places.map(({ id }) => id),
          actions,
        ),
      );
  }
  return constrain(random, roads, cast, random.chance(0.5) ? actions : shuffled(random, actions));
}

/** Actions in another order, but for those that take no time: among them the order tells which comes first. */
function shuffled(random: Random, actions: readonly Action[]): Action[] {
  if (actions.some(({ start, end }) => start === end)) return [...actions];
  const keyed = actions.map((action) => ({ action, key: random.int(0, 1000) }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ action }) => action);
}

function randomRoads(random: Random): ProblemFile {
  const places = Array.from({ length: random.int(2, 5) }, (_, i) => ({ id: `p${i}` }));
  const names = places.map(({ id }) => id);
  const roads: ProblemFile['roads'] = [];
  const length = () => (random.chance(0.03) ? 0 : random.int(1, 25));
  const km = () => random.int(0, 200) / 10;
  for (const [i, from] of names.entries()) {
    for (const to of names.slice(i + 1)) {
      if (random.chance(0.1)) continue;
      const isBothWays = random.chance(0.5);
      roads.push({ from, to, minutes: length(), km: km(), one_way: !isBothWays });
      if (isBothWays || random.chance(0.2)) continue;
      roads.push({ from: to, to: from, minutes: length(), km: km(), one_way: true });
    }
  }
  const traffic: ProblemFile['traffic'] = Array.from({ length: random.int(0, 3) }, () => {
    const from = BEGIN + random.int(0, 120);
    const where = random.int(0, 2);
    const some = random.some(roads, 0.4).map((road): [string, string] => [road.from, road.to]);
    return {
      ...(random.chance(0.9) && { from: formatClock(from) }),
      ...(random.chance(0.9) && { until: formatClock(from + random.int(0, 60)) }),
      ...(where === 0 && { places: random.some(names, 0.4) }),
      ...(where <= 1 && { roads: some }),
      ...(random.chance(0.3)
        ? { closed: true as const }
        : { factor: random.pick([0.5, 1.5, 2, 3, 7]) }),
    };
  });
  return { schema: PROBLEM_SCHEMA, name: 'random', places, roads, traffic };
}

function randomCast(random: Random, places: readonly string[]): Cast {
  const standing = (prefix: string) => (_: unknown, i: number) => ({
    id: `${prefix}${i}`,
    at: random.chance(0.6) ? places[0] : random.pick(places),
    free: BEGIN,
  });
  const people = Array.from({ length: random.int(2, 5) }, standing('h'));
  const vehicles = Array.from({ length: random.int(1, 3) }, standing('v')).map((vehicle) => ({
    ...vehicle,
    hasOwnDriver: random.chance(0.3),
  }));
  return {
    people,
    vehicles,
    homes: new Map([...people, ...vehicles].map(({ id, at }) => [id, at])),
  };
}

/** A drive of somebody to somewhere, by a point of the road now and then; none if nobody can. */
function randomDrive(random: Random, map: Problem, { people, vehicles }: Cast): Drive[] {
  const vehicle = random.pick(vehicles);
  const around = people.filter(({ at }) => at === vehicle.at);
  if (around.length === 0 && !vehicle.hasOwnDriver) return [];
  const driver = vehicle.hasOwnDriver ? null : random.pick(around);
  const passengers = random.some(around, 0.5).filter((one) => one !== driver);
  const aboard = [vehicle, ...passengers, ...(driver === null ? [] : [driver])];
  const drives: Drive[] = [];
  const goTo = (to: string) => {
    const free = Math.max(...aboard.map((one) => one.free));
    const start = free + (random.chance(0.6) ? 0 : random.int(1, 12));
    const arrivals = routesOf(map, vehicle.at, to).map((way) => arrivalOf(map, way, start));
    const open = arrivals.filter((arrival) => arrival !== null);
    if (open.length === 0) return;
    const end = Math.min(...open) + (random.chance(0.8) ? 0 : random.int(1, 6));
    drives.push({
      ...{ do: 'drive', vehicle: vehicle.id, who: driver?.id ?? null },
      ...{ with: passengers.map(({ id }) => id), from: vehicle.at, to, start, end },
    });
    for (const one of aboard) Object.assign(one, { at: to, free: end });
  };
  const goals = [...(map.roads.get(vehicle.at)?.values() ?? [])];
  if (goals.length === 0) return [];
  const { to, minutes } = random.pick(goals);
  if (random.chance(0.25)) roundTrip(random, map, vehicle, goTo);
  else if (!random.chance(0.15)) goTo(to);
  else {
    const done = random.chance(0.5) ? random.int(0, minutes) : random.int(0, 10 * minutes) / 10;
    goTo(`${vehicle.at}>${to}@${done}`);
    const onward = [...map.places.keys()].filter(
      (place) => routesOf(map, vehicle.at, place).length > 0,
    );
    if (drives.length > 0) goTo(random.chance(0.5) ? to : random.pick(onward));
  }
  return drives;
}

/** Some drives of the same people, which come by places again, above all by where they began. */
function roundTrip(
  random: Random,
  map: Problem,
  vehicle: Standing,
  goTo: (place: string) => void,
): void {
  const home = vehicle.at;
  for (let count = random.int(2, 4); count > 0; count--) {
    const next = [...(map.roads.get(vehicle.at)?.keys() ?? [])];
    if (next.length === 0) return;
    goTo(next.includes(home) && random.chance(0.6) ? home : random.pick(next));
  }
}

function randomDoing(
  random: Random,
  { people }: Cast,
  places: readonly string[],
  actions: readonly Action[],
): Doing {
  const around = people.filter((one) => places.includes(one.at));
  const isAlone = around.length === 0 || random.chance(0.2);
  const at = isAlone ? random.pick(places) : random.pick(around).at;
  const who = isAlone
    ? []
    : random.some(
        around.filter((one) => one.at === at),
        0.6,
      );
  const begin = isAlone
    ? BEGIN + random.int(0, 90)
    : Math.max(BEGIN, ...who.map(({ free }) => free));
  const start = begin + (random.chance(0.6) ? 0 : random.int(1, 12));
  const length = random.chance(0.1) ? 0 : random.int(1, 40);
  const busy = random.chance(0.7) ? length : random.int(0, length);
  for (const one of who) one.free = start + busy;
  const activity = `a${actions.length}b${busy}`;
  return { do: 'activity', activity, who: who.map(({ id }) => id), at, start, end: start + length };
}
