import { metresOfDrive } from '../model/cost.js';
import type { Action, Drive } from '../model/plan.js';
import type { Problem, Road } from '../model/problem.js';
import { doneBy, earliestArrival, formatRoadPoint, parseRoadPoint } from '../model/travel.js';
import { afterAction, emptyState, type PlanState } from './state.js';

/**
 * The possible states at `now` under a previous plan: begun actions stay; a drive in progress may continue, or be
 * broken off at its current point to go to another place.
 */
export function statesNow(problem: Problem, before: readonly Action[], now: number): PlanState[] {
  const begun = before
    .filter((one) => one.start < now)
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  let states = [emptyState(problem, 0)];
  for (const action of begun) {
    states = states.flatMap((state) =>
      continuations(problem, action, now).flatMap(({ action: one, metres }) => {
        const next = afterAction(problem, state, one, metres);
        return next === null ? [] : [next];
      }),
    );
  }
  return states.map((state) => ({ ...state, time: Math.max(state.time, now) }));
}

/** The state after all actions of a plan, without further checks; null if a ride is late. */
export function stateAfter(problem: Problem, actions: readonly Action[]): PlanState | null {
  return actions.reduce<PlanState | null>(
    (state, one) => {
      const metres = one.do === 'drive' ? metresOfDrive(problem, one) : 0;
      return state && afterAction(problem, state, one, metres);
    },
    emptyState(problem, 0),
  );
}

/**
 * The actions of a plan that have begun by `now`, each with its course without further changes: a drive takes as long
 * as planned, or longer if necessary, and a drive of a vehicle out of service ends early at its current point.
 */
export function begunActions(problem: Problem, before: readonly Action[], now: number): Action[] {
  return before
    .filter((one) => one.start < now)
    .map((action) => {
      const ways = continuations(problem, action, now).map((one) => one.action);
      if (action.do !== 'drive') return ways[0];
      const [whole] = ways;
      const until = problem.vehicles.get(action.vehicle)?.until ?? Number.POSITIVE_INFINITY;
      if (whole.end > until) return ways.find(({ end }) => end <= until) ?? whole;
      return { ...whole, end: Math.max(whole.end, Math.min(action.end, until)) };
    });
}

/** The possible courses of a begun action: as planned, at the earliest, or, for a drive, broken off now. */
function continuations(
  problem: Problem,
  action: Action,
  now: number,
): { readonly action: Action; readonly metres: number }[] {
  if (action.do !== 'drive') {
    const { start, end } = action;
    const minutes = action.do === 'activity' ? problem.activities.get(action.activity)?.minutes : 0;
    const isUnderWay = end > now;
    return [
      {
        action: isUnderWay ? { ...action, end: Math.max(end, start + (minutes ?? 0)) } : action,
        metres: 0,
      },
    ];
  }
  const { from, to, start, end } = action;
  const road = problem.roads.get(from)?.get(to);
  const arrives = earliestArrival(problem, from, to, start) ?? end;
  const isOver = end <= now;
  const whole = {
    action: { ...action, end: isOver ? end : Math.max(arrives, now) },
    metres: metresOfDrive(problem, action),
  };
  if (isOver || road === undefined || parseRoadPoint(problem, from) !== null) return [whole];
  return [whole, ...brokenOff(problem, action, road, now)];
}

/** A drive that ends at its current point, to go to another place; none if it is at the end of its road. */
function brokenOff(problem: Problem, drive: Drive, road: Road, now: number) {
  const done = doneBy(problem, road, drive.start, now);
  if (done >= road.minutes) return [];
  const to = formatRoadPoint({ from: drive.from, to: drive.to, done });
  const action = { ...drive, to, end: now };
  return [{ action, metres: metresOfDrive(problem, action) }];
}
