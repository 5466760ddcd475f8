import { judge } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import { costOfPlan } from '../model/cost.js';
import { type Action, actionKey, type CoordinationPlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { earliestArrival } from '../model/travel.js';
import { inOrder } from './next-actions.js';

/**
 * Postpones actions before the beginning of the day that need not be so early: the turkey goes into the oven as late as
 * possible. The day begins with the first time that the problem names. The plan stays valid and costs no more.
 *
 * @param keeps actions whose times stay
 */
export function putOffEarly(
  problem: Problem,
  plan: CoordinationPlan,
  past?: Past,
  keeps: readonly Action[] = [],
): CoordinationPlan {
  const dawn = firstTime(problem);
  const limit = costOfPlan(problem, plan).total + 1e-9;
  const actions = [...plan.actions];
  const kept = new Set(keeps.map(actionKey));
  const order = [...actions.keys()].toSorted((a, b) => actions[b].start - actions[a].start);
  for (const at of order) {
    const action = actions[at];
    const hasBegun = past !== undefined && action.start < past.now;
    if (action.start >= dawn || hasBegun || kept.has(actionKey(action))) continue;
    const put = (start: number) => {
      actions[at] = startingAt(problem, action, start);
      const later = { ...plan, actions };
      return judge(problem, later, past).valid && costOfPlan(problem, later).total <= limit;
    };
    // Ends of other actions and limits of windows are the possible obstacles; later ones first.
    const starts = candidates(problem, actions, action).toSorted((a, b) => b - a);
    const latest = starts.find((start) => start > action.start && put(start));
    if (latest === undefined) actions[at] = action;
  }
  return { ...plan, actions: inOrder(actions) };
}

/** The first time of day in a problem; 0 if it has none. */
function firstTime({ people, vehicles, activities, rides, places }: Problem): number {
  const windows = [
    ...[...activities.values()].flatMap(({ start, end }) => [start, end]),
    ...[...rides.values()].flatMap(({ pickup, arrive }) => [pickup, arrive]),
    ...[...places.values()].flatMap(({ open }) => open ?? []),
  ];
  const times = [
    ...[...people.values(), ...vehicles.values()].map(({ from }) => from),
    ...windows.flatMap(({ earliest, latest }) => [earliest, latest]),
  ].filter((time) => time > 0 && time < Number.POSITIVE_INFINITY);
  return times.length === 0 ? 0 : Math.min(...times);
}

/** Candidate starts of an action: its end then coincides with the start of another action or the end of a window. */
function candidates(problem: Problem, actions: readonly Action[], action: Action): number[] {
  // A drive that waits on its way can take less time.
  const { start, end } = startingAt(problem, action, action.start);
  const lengths = [action.end - action.start, end - start];
  const windows = [...problem.activities.values()].flatMap((one) => [one.start, one.end]);
  const rides = [...problem.rides.values()].flatMap(({ pickup, arrive }) => [pickup, arrive]);
  const open = [...problem.places.values()].flatMap((place) => place.open ?? []);
  const times = [
    ...actions.flatMap((one) => [one.start, one.end]),
    ...[...windows, ...rides, ...open].flatMap(({ earliest, latest }) => [earliest, latest]),
  ].filter((time) => Number.isFinite(time));
  return [...new Set(times.flatMap((time) => [time, ...lengths.map((length) => time - length)]))];
}

function startingAt(problem: Problem, action: Action, start: number): Action {
  if (action.do !== 'drive') return { ...action, start, end: start + action.end - action.start };
  const arrives = earliestArrival(problem, action.from, action.to, start);
  return { ...action, start, end: arrives ?? start + action.end - action.start };
}
