import { type Action, type CoordinationPlan, type Drive, engagedUntil, takesPart } from './plan.js';
import type { Preference, Problem } from './problem.js';
import { arrival, waysBetween } from './travel.js';

/** The cost of a plan, by its parts. */
export interface PlanCost {
  /** Metres that all vehicles drive. */
  readonly metres: number;
  /** Minute at which the last drive or activity ends; 0 if there is none. */
  readonly finish: number;
  /** Minutes that people wait between engagements. */
  readonly idle: number;
  /** Ids of broken preferences. */
  readonly broken: readonly string[];
  /** The sum of all parts at the prices of the problem. */
  readonly total: number;
}

/** The cost of a plan at the prices of its problem; its actions need not be valid. */
export function costOfPlan(problem: Problem, plan: CoordinationPlan): PlanCost {
  const { actions } = plan;
  const drives = actions.filter((action): action is Drive => action.do === 'drive');
  const metres = drives.reduce((sum, drive) => sum + metresOfDrive(problem, drive), 0);
  const ends = actions.flatMap((action) => (action.do === 'stay' ? [] : [action.end]));
  const finish = ends.reduce((last, end) => Math.max(last, end), 0);
  const idle = [...problem.people.keys()].reduce(
    (sum, person) => sum + idleMinutes(problem, actions, person),
    0,
  );
  const broken = problem.preferences.filter((one) => !isKept(one, actions));
  const { km, finish_minutes, idle_minutes } = problem.objective;
  const total =
    (km * metres) / 1000 +
    finish_minutes * finish +
    idle_minutes * idle +
    broken.reduce((sum, { weight }) => sum + weight, 0);
  return { metres, finish, idle, broken: broken.map(({ id }) => id), total };
}

/** Metres of a drive: of the shortest way that fits its duration, else of the shortest way. */
export function metresOfDrive(problem: Problem, { from, to, start, end }: Drive): number {
  const ways = waysBetween(problem, from, to);
  const inTime = ways.filter(
    (way) => (arrival(problem, way, start) ?? Number.POSITIVE_INFINITY) <= end,
  );
  const lengths = (inTime.length > 0 ? inTime : ways).map(({ metres }) => metres);
  return lengths.length === 0 ? 0 : Math.min(...lengths);
}

function idleMinutes(problem: Problem, actions: readonly Action[], person: string): number {
  const times = actions
    .filter((action) => action.do !== 'stay' && takesPart(action, person))
    .map((action) => ({ start: action.start, end: engagedUntil(problem, action) }))
    .toSorted((a, b) => a.start - b.start);
  let idle = 0;
  let until = Number.POSITIVE_INFINITY;
  for (const { start, end } of times) {
    if (start > until) idle += start - until;
    until = until === Number.POSITIVE_INFINITY ? end : Math.max(until, end);
  }
  return idle;
}

/** Whether a plan keeps a preference. */
function isKept({ passenger, drivers, apart, activities }: Preference, actions: readonly Action[]) {
  if (passenger !== undefined) {
    return actions.every(
      (action) =>
        action.do !== 'drive' ||
        !action.with.includes(passenger) ||
        (action.who !== null && drivers?.includes(action.who)),
    );
  }
  const doings = actions.filter(
    (action) => action.do === 'activity' && activities?.includes(action.activity),
  );
  return !doings.some((one, i) =>
    doings.some((other, k) => {
      if (k < i || one.end <= other.start || other.end <= one.start) return false;
      const people = new Set(
        [one, other].flatMap((each) => (each.do === 'activity' ? each.who : [])),
      );
      return (apart ?? []).filter((person) => people.has(person)).length > 1;
    }),
  );
}
