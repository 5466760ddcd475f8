import { formatPath, InputError, type JsonPath } from '@alas-jssp/core';
import type { ProblemFacts } from './problem-schema.js';
import { windowOf } from './window.js';

/**
 * Refuses duplicate names (people, vehicles and activities share one namespace), undeclared names, duplicates in lists,
 * rides apart from themselves, activities after themselves, and windows that end before they begin.
 *
 * @throws InputError `bad_problem` with the JSON path
 */
export function checkNames(facts: ProblemFacts, file: string | undefined): void {
  const declared = (
    key: 'places' | 'people' | 'vehicles' | 'activities' | 'resources' | 'rides',
  ) => {
    const ids = facts[key].map(({ id }) => id);
    const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at);
    if (twice >= 0) throw wrong(`'${ids[twice]}' is declared twice`, [key, twice, 'id'], file);
    return { what: key, ids: new Set(ids) };
  };
  const [places, people, vehicles] = [declared('places'), declared('people'), declared('vehicles')];
  const [activities, resources, rides] = [
    declared('activities'),
    declared('resources'),
    declared('rides'),
  ];
  requireOwnNames(facts, file);
  type Declared = typeof places;
  const one = ({ what, ids }: Declared, name: string | undefined, path: JsonPath) => {
    if (name === undefined || ids.has(name)) return;
    throw wrong(`there is no '${name}' in ${what}`, path, file);
  };
  const known = (among: Declared, names: readonly string[] | undefined, path: JsonPath) =>
    names?.forEach((name, at) => {
      one(among, name, [...path, at]);
      if (names.indexOf(name) !== at) throw wrong(`'${name}' is named twice`, [...path, at], file);
    });
  const ordered = (pair: readonly (string | null)[] | undefined, path: JsonPath) => {
    const { earliest, latest } = windowOf(pair);
    if (earliest > latest) throw wrong('a window that ends before it begins', path, file);
  };
  facts.places.forEach(({ open }, i) => {
    open?.forEach((pair, k) => void ordered(pair, ['places', i, 'open', k]));
  });
  facts.roads.forEach(({ from, to }, i) => {
    one(places, from, ['roads', i, 'from']);
    one(places, to, ['roads', i, 'to']);
  });
  facts.traffic.forEach((each, i) => {
    known(places, each.places, ['traffic', i, 'places']);
    each.roads?.forEach((pair, k) => {
      pair.forEach((place, end) => void one(places, place, ['traffic', i, 'roads', k, end]));
    });
    ordered([each.from ?? null, each.until ?? null], ['traffic', i]);
  });
  facts.people.forEach((each, i) => {
    one(places, each.at, ['people', i, 'at']);
    known(activities, each.leaves_after, ['people', i, 'leaves_after']);
  });
  facts.vehicles.forEach((each, i) => {
    one(places, each.at, ['vehicles', i, 'at']);
    known(people, each.drivers, ['vehicles', i, 'drivers']);
    known(activities, each.after, ['vehicles', i, 'after']);
  });
  facts.activities.forEach((each, i) => {
    known(places, each.at, ['activities', i, 'at']);
    for (const key of ['all', 'any', 'watched_by'] as const) {
      known(people, each[key], ['activities', i, key]);
    }
    known(activities, each.after, ['activities', i, 'after']);
    known(resources, each.uses, ['activities', i, 'uses']);
    ordered(each.start, ['activities', i, 'start']);
    ordered(each.end, ['activities', i, 'end']);
  });
  requireOrder(facts, file);
  facts.rides.forEach((each, i) => {
    one(places, each.from, ['rides', i, 'from']);
    one(places, each.to, ['rides', i, 'to']);
    known(people, each.people, ['rides', i, 'people']);
    known(vehicles, each.vehicles, ['rides', i, 'vehicles']);
    known(rides, each.together, ['rides', i, 'together']);
    known(rides, each.apart, ['rides', i, 'apart']);
    const self = each.apart.indexOf(each.id);
    if (self >= 0)
      throw wrong('a ride that is apart from itself', ['rides', i, 'apart', self], file);
    ordered(each.pickup, ['rides', i, 'pickup']);
    ordered(each.arrive, ['rides', i, 'arrive']);
  });
  facts.preferences.forEach((each, i) => {
    one(people, each.passenger, ['preferences', i, 'passenger']);
    known(people, each.drivers, ['preferences', i, 'drivers']);
    known(people, each.apart, ['preferences', i, 'apart']);
    known(activities, each.activities, ['preferences', i, 'activities']);
  });
}

/** People, vehicles and activities need distinct names, because plans and changes refer to them by name. */
function requireOwnNames(facts: ProblemFacts, file: string | undefined): void {
  const owners = new Map<string, string>();
  for (const key of ['people', 'vehicles', 'activities'] as const) {
    for (const [at, { id }] of facts[key].entries()) {
      const owner = owners.get(id);
      if (owner !== undefined) throw wrong(`'${id}' is in ${owner} already`, [key, at, 'id'], file);
      owners.set(id, key);
    }
  }
}

/** Refuses activities that must come after themselves, directly or through others. */
function requireOrder({ activities }: ProblemFacts, file: string | undefined): void {
  const after = new Map(activities.map((one) => [one.id, one.after]));
  for (const [i, { id }] of activities.entries()) {
    const before = new Set(after.get(id));
    for (const one of before) for (const other of after.get(one) ?? []) before.add(other);
    if (before.has(id)) {
      throw wrong(`'${id}' comes after itself`, ['activities', i, 'after'], file);
    }
  }
}

function wrong(problem: string, path: JsonPath, file: string | undefined): InputError {
  return new InputError(
    'bad_problem',
    problem,
    'docs/how-to/coordination.md describes the format',
    {
      file,
      path: formatPath(path),
    },
  );
}
