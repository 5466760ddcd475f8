import { meantTrips } from '../judge/rides.js';
import type { Trip } from '../judge/trips.js';
import { type Action, actionKey, actorsOf, type CoordinationPlan, partKey } from '../model/plan.js';
import type { Problem } from '../model/problem.js';

/** An action that differs from the previous plan. */
export interface Change {
  readonly kind: 'added' | 'removed' | 'moved';
  readonly before: Action | null;
  readonly after: Action | null;
}

/** A time given to a person before, and the current one; null if there is none. */
export interface PromiseChange {
  readonly person: string;
  readonly what: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** The differences between a plan and the previous one. */
export interface Changes {
  readonly changes: readonly Change[];
  /** Changed actions divided by all actions of both plans, 0 to 1. */
  readonly editRadius: number;
  /** People whose actions have changed, and vehicles with drivers of their own. */
  readonly told: readonly string[];
  readonly promises: readonly PromiseChange[];
}

/** The changes from one plan to another: changed actions, the people to notify, and changed promised times. */
export function changesBetween(
  problem: Problem,
  before: CoordinationPlan,
  after: CoordinationPlan,
): Changes {
  const olds = before.actions.filter(({ do: kind }) => kind !== 'stay');
  const news = after.actions.filter(({ do: kind }) => kind !== 'stay');
  // An action that is listed twice counts twice: the removal of the second one is a change.
  const left = [...olds];
  const fresh: Action[] = [];
  for (const action of news) {
    const same = left.findIndex((one) => actionKey(one) === actionKey(action));
    if (same >= 0) left.splice(same, 1);
    else fresh.push(action);
  }
  const all = olds.length + fresh.length;
  const changes: Change[] = [];
  for (const action of fresh) {
    const same = left.findIndex((one) => partKey(one) === partKey(action));
    if (same < 0) changes.push({ kind: 'added', before: null, after: action });
    else {
      const [old] = left.splice(same, 1);
      changes.push({ kind: 'moved', before: old, after: action });
    }
  }
  for (const old of left) changes.push({ kind: 'removed', before: old, after: null });
  const concerned = changes
    .flatMap(({ before: old, after: action }) => [old, action])
    .flatMap((action) => (action === null ? [] : actorsOf(action)));
  const canBeTold = (who: string) =>
    problem.people.has(who) || problem.vehicles.get(who)?.drivers === null;
  return {
    changes,
    editRadius: all === 0 ? 0 : changes.length / all,
    told: [...new Set(concerned)].filter(canBeTold),
    promises: promisesBetween(problem, olds, news),
  };
}

/** Changed times of pick-up and arrival that passengers had received. */
function promisesBetween(
  problem: Problem,
  olds: readonly Action[],
  news: readonly Action[],
): PromiseChange[] {
  const found: PromiseChange[] = [];
  const [before, after] = [meantTrips(problem, olds), meantTrips(problem, news)];
  for (const { id, people, from, to } of problem.rides.values()) {
    for (const person of people) {
      const [old, own] = [before, after].map((trips) =>
        trips.get(id)?.find((trip) => trip.person === person),
      );
      const promise = (what: string, timeOf: (trip: Trip) => number | undefined) => {
        const times = [old, own].map((trip) => (trip && timeOf(trip)) ?? null);
        if (times[0] !== times[1]) found.push({ person, what, before: times[0], after: times[1] });
      };
      promise(`pick-up at ${from} (${id})`, ({ legs }) => legs.at(0)?.drive.start);
      promise(`arrival at ${to} (${id})`, ({ legs }) => legs.at(-1)?.drive.end);
    }
  }
  return found;
}
