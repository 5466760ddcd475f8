import { formatClock } from './clock.js';
import type { Activity, Problem, Window } from './problem.js';
import { windowInWords } from './window.js';

/** One fact of a problem, in words. */
export interface Statement {
  readonly kind: string;
  readonly name: string;
  readonly facts: string;
}

/** All facts of a problem, in the order of its file. */
export function statementsOf(problem: Problem): Statement[] {
  const { places, facts, people, vehicles, activities, resources, rides, preferences } = problem;
  return [
    ...Array.from(places.values(), ({ id, name, open }) =>
      fact(
        'place',
        id,
        name === id ? null : name,
        open && `open ${open.map(windowInWords).join(' and ')}`,
      ),
    ),
    ...facts.roads.map(({ from, to, minutes, km, one_way }) =>
      fact('road', `${from} ${one_way ? '→' : '–'} ${to}`, `${minutes} min`, `${km} km`),
    ),
    ...facts.traffic.map(({ from, until, places: at, roads, factor }) => {
      const where = [...(at ?? []), ...(roads ?? []).map((pair) => pair.join(' → '))];
      const when = [from && `from ${from} on`, until && `until ${until}`];
      const what = factor === undefined ? 'closed' : `${factor} times as slow`;
      return fact('traffic', where.length === 0 ? 'everywhere' : where.join(', '), what, ...when);
    }),
    ...Array.from(people.values(), ({ id, at, from, until, leavesAfter }) =>
      fact('person', id, `at ${at}${available(from, until)}`, listed('leaves after', leavesAfter)),
    ),
    ...Array.from(vehicles.values(), ({ id, at, from, until, seats, drivers, after, range }) =>
      fact(
        'vehicle',
        id,
        `at ${at}${available(from, until)}`,
        `${seats} passengers`,
        drivers === null ? 'a driver of its own' : listed('driven by', drivers, ' or '),
        listed('used after', after),
        Number.isFinite(range) && `goes ${range / 1000} km`,
      ),
    ),
    ...Array.from(activities.values(), ({ id, ...rest }) => fact('activity', id, ...doing(rest))),
    ...Array.from(resources.values(), ({ id, capacity }) =>
      fact('resource', id, `${capacity} at once`),
    ),
    ...Array.from(rides.values(), ({ id, people: who, from, to, pickup, arrive, ...more }) =>
      fact(
        'ride',
        id,
        `${who.join(', ')} from ${from} to ${to}`,
        // Passengers may wait in the vehicle, so the ends of the window apply to two instants: boarding and leaving.
        bounded('leaves', { ...pickup, latest: Number.POSITIVE_INFINITY }),
        bounded('gets in', { ...pickup, earliest: Number.NEGATIVE_INFINITY }),
        bounded('arrives', arrive),
        more.vehicles && listed('by', more.vehicles, ' or '),
        listed('together with', more.together),
        listed('apart from', more.apart),
      ),
    ),
    ...preferences.map(({ id, text, weight }) => fact('preference', id, text, `worth ${weight}`)),
  ];
}

function doing(activity: Omit<Activity, 'id'>): (string | false)[] {
  const { at, minutes, all, any, count, busy, start, end } = activity;
  return [
    `${minutes} min at ${at.join(' or ')}`,
    listed('by', all),
    any.length > 0 && `by ${count} of ${any.join(', ')}`,
    bounded('starts', start),
    bounded('ends', end),
    busy < minutes && `keeps busy for ${busy} min`,
    listed('after', activity.after),
    activity.watchedBy !== null && `there all the time: ${activity.watchedBy.join(' or ')}`,
    listed('uses', activity.uses),
    activity.optional && 'optional',
  ];
}

type FactPart = string | false | null | undefined;

function fact(kind: string, name: string, ...parts: readonly FactPart[]): Statement {
  return { kind, name, facts: parts.filter(Boolean).join('; ') };
}

function listed(word: string, names: readonly string[], glue = ', '): string | false {
  return names.length > 0 && `${word} ${names.join(glue)}`;
}

function bounded(word: string, window: Window): string | false {
  const isFree = !Number.isFinite(window.earliest) && !Number.isFinite(window.latest);
  return !isFree && `${word} ${windowInWords(window)}`;
}

function available(from: number, until: number): string {
  const start = Number.isFinite(from) ? ` from ${formatClock(from)} on` : '';
  return `${start}${Number.isFinite(until) ? ` until ${formatClock(until)}` : ''}`;
}
