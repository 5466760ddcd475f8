import type { Action, CoordinationPlan, Drive } from '../../src/model/plan.js';
import type { Problem } from '../../src/model/problem.js';
import type { Fault } from './faults.js';
import { arrivalOf, pointOf, routesOf, type Stretch } from './oracle-travel.js';

/** The plan before, and the minute up to which it has been carried out. */
export interface OraclePast {
  readonly plan: CoordinationPlan;
  readonly now: number;
}

/** Finds what has happened and is told otherwise. */
export function findPastFaults(
  problem: Problem,
  actions: readonly Action[],
  { plan, now }: OraclePast,
  report: (fault: Fault) => void,
): void {
  const isPast = (action: Action) => action.do !== 'stay' && action.start < now;
  const left = new Map([...actions.entries()].filter(([, action]) => isPast(action)));
  for (const old of plan.actions.filter(isPast)) {
    const same = [...left].find(
      ([, one]) => beginning(old) === beginning(one) && agrees(problem, old, one, now),
    );
    if (same === undefined) {
      const subject = old.do === 'drive' ? { vehicle: old.vehicle } : {};
      const doing = old.do === 'activity' ? { activity: old.activity } : {};
      report({ code: 'past_rewritten', ...subject, ...doing });
    } else left.delete(same[0]);
  }
  for (const action of left.keys()) report({ code: 'past_invented', action });
}

/** All of an action that is known when it begins. */
function beginning(action: Action): string {
  if (action.do === 'drive') {
    const { vehicle, who, from, start } = action;
    return JSON.stringify(['drive', vehicle, who, from, start, [...action.with].sort()]);
  }
  const name = action.do === 'activity' ? action.activity : '';
  return JSON.stringify([action.do, name, action.at, action.start, [...action.who].sort()]);
}

/** Whether what was seen of an action up to now is the same. */
function agrees(problem: Problem, old: Action, one: Action, now: number): boolean {
  const isSameGoal = old.do !== 'drive' || one.do !== 'drive' || old.to === one.to;
  if (old.end <= now) return old.end === one.end && isSameGoal;
  if (one.end < now) return false;
  return isSameGoal || passes(problem, old as Drive, (one as Drive).to, now);
}

/** Whether somebody who is on a drive has yet to come by a point of its roads, or is there now. */
function passes(problem: Problem, { from, to, start }: Drive, text: string, now: number): boolean {
  const point = pointOf(problem, text);
  if (point === null) return false;
  return routesOf(problem, from, to).some((route) =>
    route.some((part, i) => {
      if (part.from !== point.from || part.to !== point.to) return false;
      if (point.done < part.begin || point.done > part.end) return false;
      const upTo: Stretch[] = [...route.slice(0, i), { ...part, end: point.done }];
      return (arrivalOf(problem, upTo, start) ?? now) >= now;
    }),
  );
}
