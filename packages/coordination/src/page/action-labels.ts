import { actionInWords, nameInWords } from '../model/action-words.js';
import { formatClock } from '../model/clock.js';
import { type Action, actorsOf } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { waysBetween } from '../model/travel.js';

/** The display name of a person, a vehicle or an activity; its id if there is none. */
export function nameOf(problem: Problem, id: string): string {
  return problem.activities.get(id)?.name ?? nameInWords(problem, id);
}

/** An action with its times: `Pat drives Pat's car with Alex from B to T, 14:00 to 14:20 (20 min)`. */
export function describeAction(problem: Problem, action: Action): string {
  const { start, end } = action;
  const times = `${formatClock(start)} to ${formatClock(end)} (${end - start} min)`;
  return `${actionInWords(problem, action)}, ${times}`;
}

/** Labels of an action's bar in the row of one of its actors, longest first. */
export function actionLabels(problem: Problem, action: Action, row: string): string[] {
  if (action.do === 'stay') return [action.at];
  if (action.do === 'activity') {
    const name = nameOf(problem, action.activity);
    if (row !== action.activity) return [name, action.activity];
    return [`${action.who.map((id) => nameOf(problem, id)).join(', ')} at ${action.at}`, action.at];
  }
  const way = `${action.from} → ${action.to}`;
  const others = actorsOf(action).filter((id) => id !== row && id !== action.vehicle);
  const company = row === action.vehicle ? others : [action.vehicle, ...others];
  const names = company.map((id) => nameOf(problem, id)).join(', ');
  return [...(names === '' ? [] : [`${way} · ${names}`]), way, `→ ${action.to}`];
}

/** The times at which traffic slows a drive. */
export function slowTimes(problem: Problem, action: Action): (readonly [number, number])[] {
  if (action.do !== 'drive') return [];
  const roads = waysBetween(problem, action.from, action.to).flatMap(({ pieces }) =>
    pieces.map(({ road }) => road),
  );
  return problem.traffic.flatMap(({ from, until, factor, concerns }) => {
    const [start, end] = [Math.max(from, action.start), Math.min(until, action.end)];
    const isSlow = factor !== 1 && Number.isFinite(factor);
    return isSlow && start < end && roads.some((road) => concerns(road.from, road.to))
      ? [[start, end] as const]
      : [];
  });
}
