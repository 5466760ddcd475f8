import type { CoordinationEvent } from '../../src/events/events.js';
import { formatClock } from '../../src/model/clock.js';
import type { Problem } from '../../src/model/problem.js';
import type { Random } from '../oracle/random.js';

/** A random event that becomes known at `now`; undefined if the problem has nothing for it to happen to. */
export function randomEvent(
  random: Random,
  problem: Problem,
  now: number,
): CoordinationEvent | undefined {
  const at = formatClock(now);
  const later = formatClock(now + random.int(1, 60));
  const { people, vehicles, activities, rides, roads } = problem;
  const pairs = [...roads].flatMap(([from, row]) =>
    [...row.keys()].map((to): [string, string] => [from, to]),
  );
  const pick = <T, E>(items: Iterable<T>, make: (item: T) => E): E[] => {
    const all = [...items];
    return all.length === 0 ? [] : [make(random.pick(all))];
  };
  const whole = random.chance(0.5) ? {} : { until: formatClock(now + random.int(10, 90)) };
  const factor = random.pick([0.5, 1.5, 2, 3]);
  const choices: CoordinationEvent[] = [
    ...pick(people.keys(), (person) => ({ kind: 'delay' as const, at, person, until: later })),
    ...pick(vehicles.keys(), (vehicle) => ({ kind: 'delay' as const, at, vehicle, until: later })),
    ...pick(pairs, (pair) => ({ kind: 'traffic' as const, at, roads: [pair], factor, ...whole })),
    ...pick(pairs, (pair) => ({ kind: 'closed_road' as const, at, roads: [pair], ...whole })),
    ...pick(rides.keys(), (ride) => ({ kind: 'cancellation' as const, at, ride })),
    ...pick(vehicles.keys(), (vehicle) => ({ kind: 'breakdown' as const, at, vehicle })),
    ...pick(vehicles.keys(), (vehicle) => ({
      ...{ kind: 'range' as const, at, vehicle, range_km: random.int(0, 60) },
    })),
    ...pick(people.keys(), (person) => ({ kind: 'drop_out' as const, at, person })),
    ...pick(activities.keys(), (activity) => ({
      ...{ kind: 'longer' as const, at, activity, minutes: random.int(0, 60) },
    })),
  ];
  return choices.length === 0 ? undefined : random.pick(choices);
}
