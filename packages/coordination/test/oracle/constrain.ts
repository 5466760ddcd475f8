import { formatClock } from '../../src/model/clock.js';
import type { Action, Doing, Drive, Stay } from '../../src/model/plan.js';
import { readProblem } from '../../src/model/problem.js';
import type { ProblemFile } from '../../src/model/problem-schema.js';
import { constrainRides } from './constrain-rides.js';
import type { Cast, ValidCase } from './generate.js';
import { arrivalOf, routesOf } from './oracle-travel.js';
import type { Random } from './random.js';

/** The problem around a plan: windows, people, order and all that the plan happens to keep, some of it tightly. */
export function constrain(
  random: Random,
  roads: ProblemFile,
  cast: Cast,
  moves: readonly Action[],
): ValidCase {
  const drives = moves.filter((action) => action.do === 'drive');
  const doings = moves.filter((action) => action.do === 'activity');
  const stays = staysOf(random, roads, cast, drives);
  const actions = [...moves, ...stays];
  const ids = cast.people.map(({ id }) => id);
  const resources = ['r0', 'r1'].map((id) => ({ id, users: random.some(doings, 0.4) }));
  const activities = doings.map((doing) => ({
    ...timesOf(random, doing),
    ...performersOf(random, doing, ids),
    at: [
      ...new Set([
        doing.at,
        ...random.some(
          roads.places.map(({ id }) => id),
          0.2,
        ),
      ]),
    ],
    after: endedBy(random, doings, doing.start).filter((one) => comesBefore(doings, one, doing)),
    uses: resources.filter(({ users }) => users.includes(doing)).map(({ id }) => id),
    ...watchOf(random, cast, drives, doing),
  }));
  const spans = [...doings, ...stays, ...drives];
  const facts: ProblemFile = {
    ...roads,
    places: roads.places.map(({ id }) => ({ id, ...openOf(random, doings, id) })),
    people: cast.people.map(({ id }) => {
      const own = drives.filter((drive) => drive.who === id || drive.with.includes(id));
      return {
        ...{ id, at: cast.homes.get(id) ?? '' },
        ...availability(random, spans, id),
        leaves_after: own.length === 0 ? [] : endedBy(random, doings, first(own)),
      };
    }),
    vehicles: cast.vehicles.map(({ id, hasOwnDriver }) => {
      const own = drives.filter((drive) => drive.vehicle === id);
      const used = own.flatMap(({ who }) => (who === null ? [] : [who]));
      const seats = Math.max(0, ...own.map((drive) => drive.with.length));
      return {
        ...{ id, at: cast.homes.get(id) ?? '', seats: seats + random.int(0, 1) },
        ...availability(random, own, null),
        ...(!hasOwnDriver && { drivers: [...new Set([...used, ...random.some(ids, 0.3)])] }),
        after: own.length === 0 ? [] : endedBy(random, doings, first(own)),
      };
    }),
    activities: [
      ...activities,
      ...(random.chance(0.3)
        ? [{ id: 'left-out', at: [roads.places[0].id], minutes: 5, optional: true }]
        : []),
    ],
    resources: resources.map(({ id, users }) => ({ id, capacity: atOnce(users) })),
    rides: constrainRides(random, moves, ids),
  };
  return withFigures(random, facts, actions);
}

/** The case with ranges and claims, which the roads of the plan tell. */
function withFigures(random: Random, facts: ProblemFile, actions: readonly Action[]): ValidCase {
  const problem = readProblem(facts);
  const metresOf = ({ from, to, start, end }: Drive) =>
    Math.min(
      ...routesOf(problem, from, to)
        .filter((way) => (arrivalOf(problem, way, start) ?? 1e9) <= end)
        .map((way) => way.reduce((sum, { metres }) => sum + metres, 0)),
    );
  const drives = actions.filter((action) => action.do === 'drive');
  const total = (some: readonly Drive[]) => some.reduce((sum, one) => sum + metresOf(one), 0);
  const ends = actions.filter((action) => action.do !== 'stay').map(({ end }) => end);
  const ranged: ProblemFile = {
    ...facts,
    vehicles: (facts.vehicles ?? []).map((vehicle) => {
      const driven = total(drives.filter((drive) => drive.vehicle === vehicle.id));
      const range_km = (Math.ceil(driven) + random.int(0, 1000)) / 1000;
      return { ...vehicle, ...(random.chance(0.5) && { range_km }) };
    }),
  };
  const claims = {
    ...(random.chance(0.7) && { metres: Math.round(total(drives)) }),
    ...(random.chance(0.7) && ends.length > 0 && { finish: Math.max(...ends) }),
  };
  const plan = { problem: 'random', actions, claims };
  return { facts: ranged, problem: readProblem(ranged), plan };
}

function timesOf(random: Random, { activity, start, end }: Doing) {
  const around = (time: number): [string | null, string | null] => [
    random.chance(0.3) ? null : formatClock(Math.max(0, time - random.int(0, 15))),
    random.chance(0.3) ? null : formatClock(time + random.int(0, 15)),
  ];
  const minutes = end - start - (random.chance(0.8) ? 0 : random.int(0, end - start));
  const busy = Number(activity.slice(activity.indexOf('b') + 1));
  return {
    ...{ id: activity, minutes, busy: Math.min(busy, minutes) },
    ...(random.chance(0.4) && { start: around(start) }),
    ...(random.chance(0.4) && { end: around(end) }),
  };
}

function performersOf(random: Random, { who }: Doing, ids: readonly string[]) {
  if (who.length === 0 || random.chance(0.15)) return {};
  const all = random.some(who, 0.5);
  const some = who.filter((one) => !all.includes(one));
  const spare = random.some(ids, 0.3).filter((one) => !who.includes(one));
  return { all, any: [...some, ...spare], count: random.int(0, some.length) };
}

/** Some of the activities that have ended by then. */
function endedBy(random: Random, doings: readonly Doing[], time: number): string[] {
  const ended = doings.filter(({ end }) => end <= time);
  return random.some(ended, 0.3).map(({ activity }) => activity);
}

/** Whether an activity that has ended by the start of another may be asked for before it: of two that take no time, the first. */
function comesBefore(doings: readonly Doing[], activity: string, other: Doing): boolean {
  const one = doings.find((doing) => doing.activity === activity);
  if (one === undefined || one === other) return false;
  return one.start < other.start || doings.indexOf(one) < doings.indexOf(other);
}

/** People who are there all the time watch some of the activities. */
function watchOf(random: Random, cast: Cast, drives: readonly Drive[], doing: Doing) {
  if (random.chance(0.5)) return {};
  const there = cast.people.filter(({ id }) => isThere(cast, drives, id, doing));
  if (there.length === 0) return {};
  const others = random.some(cast.people, 0.3).map(({ id }) => id);
  return { watched_by: [...new Set([random.pick(there).id, ...others])] };
}

function isThere(
  { homes }: Cast,
  drives: readonly Drive[],
  person: string,
  { at, start, end }: { readonly at: string; readonly start: number; readonly end: number },
): boolean {
  const own = drives
    .filter((drive) => drive.who === person || drive.with.includes(person))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  const before = own.filter((drive) => drive.end <= start);
  const isAway = own.some((drive) => drive.end > start && drive.start < end);
  return !isAway && (before.at(-1)?.to ?? homes.get(person)) === at;
}

function staysOf(random: Random, roads: ProblemFile, cast: Cast, drives: readonly Drive[]): Stay[] {
  const stays = Array.from({ length: random.int(0, 4) }, (): Stay => {
    const start = 60 + random.int(0, 120);
    const at = random.pick(roads.places).id;
    const stay = { do: 'stay' as const, at, start, end: start + random.int(1, 30) };
    const there = cast.people.filter(({ id }) => isThere(cast, drives, id, stay));
    return { ...stay, who: random.some(there, 0.7).map(({ id }) => id) };
  });
  return stays.filter(({ who }) => who.length > 0);
}

/** When a place is open: in one piece, or in two that touch. */
function openOf(random: Random, doings: readonly Doing[], place: string) {
  const here = doings.filter(({ at }) => at === place);
  if (here.length === 0 || random.chance(0.5)) return {};
  const opens = Math.max(0, first(here) - random.int(0, 10));
  const closes = Math.max(...here.map(({ end }) => end)) + random.int(0, 10);
  const between = random.int(opens, closes);
  const pairs = random.chance(0.6)
    ? [[opens, closes]]
    : [
        [opens, between],
        [Math.max(opens, between - random.int(0, 3)), closes],
      ];
  return { open: pairs.map(([a, b]): [string, string] => [formatClock(a), formatClock(b)]) };
}

/** When somebody, or the vehicle of the given actions, is available; people watch at any time. */
function availability(random: Random, actions: readonly Action[], person: string | null) {
  const own = actions.filter(
    (action) =>
      person === null ||
      (action.do === 'drive' && (action.who === person || action.with.includes(person))) ||
      (action.do !== 'drive' && action.who.includes(person)),
  );
  if (own.length === 0) return {};
  const doings = person === null ? [] : actions.filter(({ do: kind }) => kind === 'activity');
  const all = [...own, ...doings];
  const until = Math.max(...all.map(({ end }) => end)) + random.int(0, 5);
  return {
    ...(random.chance(0.4) && { from: formatClock(Math.max(0, first(all) - random.int(0, 5))) }),
    ...(random.chance(0.4) && { until: formatClock(until) }),
  };
}

function first(actions: readonly Action[]): number {
  return Math.min(...actions.map(({ start }) => start));
}

function atOnce(doings: readonly Doing[]): number {
  const counts = doings.map(
    ({ start: time }) => doings.filter(({ start, end }) => start <= time && time < end).length,
  );
  return Math.max(1, ...counts);
}
