import { type Action, actionKey, actorsOf, type CoordinationPlan, partKey } from '../model/plan.js';
import type { Problem } from '../model/problem.js';

/** An action that differs from what was planned before. */
export interface Change {
  readonly kind: 'added' | 'removed' | 'moved';
  readonly before: Action | null;
  readonly after: Action | null;
}

/** A time that somebody had been told, and the one that holds now; null if there is none. */
export interface PromiseChange {
  readonly person: string;
  readonly what: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** How a plan differs from the one before. */
export interface Changes {
  readonly changes: readonly Change[];
  /** Changed actions by all actions of both plans, 0 to 1. */
  readonly editRadius: number;
  /** People whose actions have changed, and vehicles with drivers of their own. */
  readonly told: readonly string[];
  readonly promises: readonly PromiseChange[];
}

/** The changes from one plan to another: which actions, who has to be told, and which times were promised otherwise. */
export function changesBetween(
  problem: Problem,
  before: CoordinationPlan,
  after: CoordinationPlan,
): Changes {
  const olds = before.actions.filter(({ do: kind }) => kind !== 'stay');
  const news = after.actions.filter(({ do: kind }) => kind !== 'stay');
  const left = [...olds];
  const fresh: Action[] = [];
  for (const action of news) {
    const same = left.findIndex((one) => actionKey(one) === actionKey(action));
    if (same >= 0) left.splice(same, 1);
    else fresh.push(action);
  }
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
  const all = new Set([...olds, ...news].map(actionKey)).size;
  return {
    changes,
    editRadius: all === 0 ? 0 : changes.length / all,
    told: [...new Set(concerned)].filter(canBeTold),
    promises: promisesBetween(problem, olds, news),
  };
}

/** Times of pick-up and arrival that passengers were told, as far as they have changed. */
function promisesBetween(
  { rides }: Problem,
  olds: readonly Action[],
  news: readonly Action[],
): PromiseChange[] {
  const found: PromiseChange[] = [];
  for (const { id, people, from, to } of rides.values()) {
    for (const person of people) {
      for (const [what, pick] of [
        [
          `pick-up at ${from} (${id})`,
          (one: Action) => (isFrom(one, person, from) ? one.start : null),
        ],
        [`arrival at ${to} (${id})`, (one: Action) => (isTo(one, person, to) ? one.end : null)],
      ] as const) {
        const last = (actions: readonly Action[]) =>
          actions.map(pick).findLast((time) => time !== null);
        const [before, after] = [last(olds) ?? null, last(news) ?? null];
        if (before !== after) found.push({ person, what, before, after });
      }
    }
  }
  return found;
}

function isFrom(action: Action, person: string, place: string): boolean {
  return action.do === 'drive' && action.from === place && actorsOf(action).includes(person);
}

function isTo(action: Action, person: string, place: string): boolean {
  return action.do === 'drive' && action.to === place && actorsOf(action).includes(person);
}
