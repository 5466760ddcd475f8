import type { ViolationCode } from '../../src/judge/violation.js';
import { formatClock } from '../../src/model/clock.js';
import type { ProblemFile } from '../../src/model/problem-schema.js';
import type { Injector, Target } from './inject.js';
import type { injectionsIntoPlan } from './inject-plan.js';
import { injectionsIntoRides } from './inject-rides.js';
import type { Random } from './random.js';

type Codes = Exclude<ViolationCode, keyof typeof injectionsIntoPlan>;
type ActivityFile = NonNullable<ProblemFile['activities']>[number];
type VehicleFile = NonNullable<ProblemFile['vehicles']>[number];

/** Faults that a plan has since the problem around it asks for more. */
export const injectionsIntoProblem: Record<Codes, Injector> = {
  ...injectionsIntoRides,
  no_road: (random, target) => {
    const one = random.pick([...placeDrives(target), null]);
    if (one === null) return null;
    const { from, to } = one.action;
    const kept = (target.facts.roads ?? []).filter(
      (road) => !(road.from === from && road.to === to) && !(road.from === to && road.to === from),
    );
    const facts = { ...target.facts, roads: kept };
    return { facts, about: { action: one.at, vehicle: one.action.vehicle } };
  },
  closed_road: (random, target) => {
    const one = random.pick([...placeDrives(target), null]);
    if (one === null) return null;
    const { from, to, start, vehicle } = one.action;
    const [since, until] = [formatClock(start), formatClock(start + random.int(1, 9))];
    const closed = {
      from: since,
      until,
      roads: [[from, to]] as [string, string][],
      closed: true as const,
    };
    const facts = { ...target.facts, traffic: [...(target.facts.traffic ?? []), closed] };
    return { facts, about: { action: one.at, vehicle } };
  },
  not_available: (random, { facts, drives }) => {
    if (drives.length === 0) return null;
    const { at, action } = random.pick(drives);
    const { vehicle } = action;
    const window = random.chance(0.5)
      ? { from: formatClock(action.start + 1) }
      : { until: formatClock(Math.max(0, action.end - 1)) };
    return { facts: withVehicle(facts, vehicle, () => window), about: { action: at, vehicle } };
  },
  left_early: (random, { facts, drives, doings }) => {
    const people = (facts.people ?? []).flatMap(({ id }) => {
      const own = drives
        .filter(({ action }) => action.who === id || action.with.includes(id))
        .toSorted((a, b) => a.action.start - b.action.start || a.action.end - b.action.end);
      return own.length === 0 ? [] : [{ id, leaves: own[0] }];
    });
    if (people.length === 0) return null;
    const { id, leaves } = random.pick(people);
    const late = doings.find(({ action }) => action.end > leaves.action.start)?.action.activity;
    if (late === undefined) return null;
    const changed = (facts.people ?? []).map((person) =>
      person.id === id ? { ...person, leaves_after: [late] } : person,
    );
    const about = { action: leaves.at, person: id, activity: late };
    return { facts: { ...facts, people: changed }, about };
  },
  vehicle_not_ready: (random, { facts, drives, doings }) => {
    if (drives.length === 0) return null;
    const { vehicle } = random.pick(drives).action;
    const [first] = drives
      .filter(({ action }) => action.vehicle === vehicle)
      .toSorted((a, b) => a.action.start - b.action.start || a.action.end - b.action.end);
    const late = doings.find(({ action }) => action.end > first.action.start)?.action.activity;
    if (late === undefined) return null;
    const about = { action: first.at, vehicle, activity: late };
    return { facts: withVehicle(facts, vehicle, () => ({ after: [late] })), about };
  },
  wrong_driver: (random, { facts, drives }) => {
    const driven = drives.filter(({ action }) => action.who !== null);
    if (driven.length === 0) return null;
    const { at, action } = random.pick(driven);
    const { vehicle, who } = action;
    const drivers = (facts.people ?? []).map(({ id }) => id).filter((id) => id !== who);
    const about = { action: at, vehicle, person: who ?? '' };
    return { facts: withVehicle(facts, vehicle, () => ({ drivers })), about };
  },
  too_many_passengers: (random, { facts, drives }) => {
    const full = drives.filter(({ action }) => action.with.length > 0);
    if (full.length === 0) return null;
    const { at, action } = random.pick(full);
    const { vehicle } = action;
    const seats = action.with.length - 1;
    return {
      facts: withVehicle(facts, vehicle, () => ({ seats })),
      about: { action: at, vehicle },
    };
  },
  out_of_range: (random, { facts, problem, drives }) => {
    const first = random.pick([...drives, null]);
    if (first === null) return null;
    const { vehicle, from, to } = first.action;
    const isFirst = drives.every(
      ({ action }) => action.vehicle !== vehicle || action.start >= first.action.start,
    );
    const metres = problem.roads.get(from)?.get(to)?.metres ?? 0;
    if (!isFirst || metres === 0) return null;
    const range_km = (metres - 1) / 1000;
    const about = { action: first.at, vehicle };
    return { facts: withVehicle(facts, vehicle, () => ({ range_km })), about };
  },
  wrong_place: intoActivity((random, { facts }, { at: place }) => ({
    at: [random.pick(facts.places.map(({ id }) => id).filter((id) => id !== place))],
  })),
  too_short: intoActivity((random, _, { start, end }) => ({
    minutes: end - start + random.int(1, 9),
  })),
  too_few_people: intoActivity((random, { facts }, { who }) => {
    const others = (facts.people ?? []).map(({ id }) => id).filter((id) => !who.includes(id));
    if (others.length === 0) return null;
    return { all: [], any: [...who, random.pick(others)], count: who.length + 1 };
  }),
  outside_window: intoActivity((random, _, { start, end }) =>
    random.chance(0.5)
      ? { start: [null, formatClock(start - 1)] }
      : { end: [formatClock(end + 1), null] },
  ),
  closed_place: (random, { facts, doings }) => {
    if (doings.length === 0) return null;
    const { at, action } = random.pick(doings);
    const open: [string, string][] = [
      [formatClock(action.start - 9), formatClock(action.start - 1)],
      [formatClock(action.start + 1), formatClock(action.end + 9)],
    ];
    const places = facts.places.map((one) => (one.id === action.at ? { ...one, open } : one));
    return { facts: { ...facts, places }, about: { action: at, activity: action.activity } };
  },
  order: intoActivity((random, { doings, problem }, { activity, start }) => {
    // Not one that comes after others: the order would go round in a circle.
    const late = doings.filter(
      ({ action }) =>
        action.end > start &&
        action.activity !== activity &&
        problem.activities.get(action.activity)?.after.length === 0,
    );
    return late.length === 0 ? null : { after: [random.pick(late).action.activity] };
  }),
  unwatched: intoActivity((random, { drives }, { start, end }) => {
    const away = drives.filter(({ action }) => action.start < end && action.end > start);
    const people = away.flatMap(({ action }) => action.with);
    if (start === end) return null;
    return { watched_by: people.length === 0 ? [] : [random.pick(people)] };
  }),
  over_capacity: (_random, { facts, doings }) => {
    for (const first of doings) {
      const second = doings.find(
        ({ at, action }) =>
          at !== first.at && first.action.start < action.start && action.start < first.action.end,
      );
      if (second === undefined || second.action.end === second.action.start) continue;
      const both = [first.action.activity, second.action.activity];
      const activities = (facts.activities ?? []).map((one) =>
        both.includes(one.id) ? { ...one, uses: ['narrow'] } : one,
      );
      const isSame = doings.some(
        ({ at, action }) =>
          at < second.at && both.includes(action.activity) && action.start === second.action.start,
      );
      const resources = [...(facts.resources ?? []), { id: 'narrow', capacity: 1 }];
      if (!isSame)
        return { facts: { ...facts, activities, resources }, about: { action: second.at } };
    }
    return null;
  },
};

/** Drives by one road from one place to another. */
function placeDrives({ problem, drives }: Target) {
  return drives.filter(
    ({ action }) =>
      problem.places.has(action.from) && problem.places.has(action.to) && action.from !== action.to,
  );
}

/** An injector that changes what is asked of an activity that is done. */
function intoActivity(
  change: (
    random: Random,
    target: Target,
    doing: Target['doings'][number]['action'],
  ) => Partial<ActivityFile> | null,
): Injector {
  return (random, target) => {
    if (target.doings.length === 0) return null;
    const { at, action } = random.pick(target.doings);
    const changes = change(random, target, action);
    if (changes === null) return null;
    const activities = (target.facts.activities ?? []).map((one) =>
      one.id === action.activity ? { ...one, ...changes } : one,
    );
    const about = { action: at, activity: action.activity };
    return { facts: { ...target.facts, activities }, about };
  };
}

function withVehicle(
  facts: ProblemFile,
  name: string,
  change: (vehicle: VehicleFile) => Partial<VehicleFile>,
): ProblemFile {
  const vehicles = (facts.vehicles ?? []).map((one) =>
    one.id === name ? { ...one, ...change(one) } : one,
  );
  return { ...facts, vehicles };
}
