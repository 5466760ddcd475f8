import { metresOfDrive } from '../model/cost.js';
import { type Action, actorsOf, type Doing, type Drive } from '../model/plan.js';
import type { Activity, Problem } from '../model/problem.js';
import { earliestArrival } from '../model/travel.js';
import { drivesOfVehicle, subsets, wantsOf } from './next-drives.js';
import { afterAction, type PlanState } from './state.js';

/** Limits on the decisions of a search. */
export interface Restriction {
  /** Actions that are carried out unchanged, by time. */
  readonly fixed?: readonly Action[];
  /** People and vehicles that may do something else. Default: all. */
  readonly free?: ReadonlySet<string>;
}

/** The states after one more action: every useful drive and activity, as early as possible. */
export function nextStates(
  problem: Problem,
  state: PlanState,
  { fixed = [], free }: Restriction = {},
): PlanState[] {
  const wants = wantsOf(problem, state);
  const drives = [...problem.vehicles.values()].flatMap((vehicle) =>
    drivesOfVehicle(problem, state, vehicle, wants),
  );
  const settled = new Set(fixed.map((one) => (one.do === 'activity' ? one.activity : '')));
  const doings = [...problem.activities.values()]
    .filter(({ id }) => !settled.has(id))
    .flatMap((activity) => doingsOf(problem, state, activity));
  const isFree = (action: Action) =>
    free === undefined || actorsOf(action).every((who) => free.has(who));
  const due = fixed.find((one) => !state.actions.includes(one));
  const actions = [...doings, ...drives].filter(
    (action) => isFree(action) && (due === undefined || action.start <= due.start),
  );
  if (due !== undefined && canBeMade(problem, state, due)) actions.push(due as Doing | Drive);
  return actions
    .map((action) =>
      afterAction(
        problem,
        state,
        action,
        action.do === 'drive' ? metresOfDrive(problem, action) : 0,
      ),
    )
    .filter((next) => next !== null);
}

/** Whether all actors of a fixed action are at its place in time. */
function canBeMade(problem: Problem, state: PlanState, action: Action): boolean {
  const from = action.do === 'drive' ? action.from : action.at;
  const isThere = actorsOf(action).every((who) => {
    const one = state.people.get(who) ?? state.vehicles.get(who);
    return one !== undefined && one.at === from && one.free <= action.start;
  });
  if (!isThere || action.start < state.time) return false;
  if (action.do !== 'drive') return true;
  const arrives = earliestArrival(problem, from, action.to, action.start);
  return arrives !== null && arrives <= action.end;
}

/** Whether all required activities and rides are done. */
export function isComplete(problem: Problem, { started, rides }: PlanState): boolean {
  const isDone = [...problem.activities.values()].every(
    ({ id, optional }) => optional || started.has(id),
  );
  return isDone && [...rides.values()].every((ride) => ride === 'served');
}

function doingsOf(problem: Problem, state: PlanState, activity: Activity): Doing[] {
  if (state.started.has(activity.id)) return [];
  const ends = activity.after.map((before) => state.started.get(before)?.end);
  if (ends.includes(undefined)) return [];
  const ready = Math.max(state.time, activity.start.earliest, ...ends.map((end) => end ?? 0));
  return activity.at.flatMap((at) => {
    const isHere = (person: string) => state.people.get(person)?.at === at;
    if (!activity.all.every(isHere)) return [];
    const others = activity.any.filter((one) => isHere(one) && !activity.all.includes(one));
    const already = activity.any.filter((one) => activity.all.includes(one)).length;
    return subsets(others, activity.count - already, Math.max(0, activity.count - already)).flatMap(
      (chosen) => doing(problem, state, activity, at, [...activity.all, ...chosen], ready),
    );
  });
}

/** An activity of these people at its earliest time. */
function doing(
  problem: Problem,
  state: PlanState,
  activity: Activity,
  at: string,
  who: readonly string[],
  ready: number,
): Doing[] {
  const { id, minutes, busy, start, end, watchedBy, uses } = activity;
  const people = who.map((person) => state.people.get(person));
  // It starts late enough not to end too early, and takes longer if its start cannot be that late.
  const late = Math.min(end.earliest - minutes, start.latest);
  let time = Math.max(ready, late, ...people.map((one) => one?.free ?? 0));
  if (time === Number.NEGATIVE_INFINITY) time = 0;
  for (let changed = true; changed; ) {
    const before = time;
    if (watchedBy !== null) {
      const since = watchedBy.flatMap((person) => {
        const one = state.people.get(person);
        return one?.at === at ? [one.since] : [];
      });
      time = Math.max(time, Math.min(...since, Number.POSITIVE_INFINITY));
    }
    const open = problem.places.get(at)?.open ?? null;
    if (open !== null) {
      const fits = open.filter(({ latest }) => Math.max(time + minutes, end.earliest) <= latest);
      time = Math.max(
        time,
        Math.min(...fits.map(({ earliest }) => earliest), Number.POSITIVE_INFINITY),
      );
    }
    for (const resource of uses) time = whenFree(problem, state, resource, time);
    if (time === Number.POSITIVE_INFINITY) return [];
    changed = time > before;
  }
  const until = Math.max(time + minutes, end.earliest);
  const isLate = time > start.latest || until > end.latest;
  const leaves = who.some((person) => time + busy > (problem.people.get(person)?.until ?? 0));
  if (isLate || leaves) return [];
  return [{ do: 'activity', activity: id, who, at, start: time, end: until }];
}

/** The first time from `time` on at which a resource has capacity. */
function whenFree(problem: Problem, state: PlanState, resource: string, time: number): number {
  const capacity = problem.resources.get(resource)?.capacity ?? 1;
  const ends = [...state.started]
    .filter(([id, { end }]) => end > time && problem.activities.get(id)?.uses.includes(resource))
    .map(([, { end }]) => end)
    .toSorted((a, b) => b - a);
  return ends.length < capacity ? time : ends[capacity - 1];
}

/** Actions by time, as plans list them. */
export function inOrder(actions: readonly Action[]): Action[] {
  return actions.toSorted((a, b) => a.start - b.start || a.end - b.end);
}
