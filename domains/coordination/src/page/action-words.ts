import { formatClock } from '../model/clock.js';
import { type Action, actorsOf } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { waysBetween } from '../model/travel.js';

/** Names by which people call somebody or something; its id if there is none. */
export function nameOf({ people, vehicles, activities }: Problem, id: string): string {
  return (people.get(id) ?? vehicles.get(id) ?? activities.get(id))?.name ?? id;
}

/** An action in a sentence: `Michael drives Michael's car with Emily, airport → home, 15:00 to 16:00 (60 min)`. */
export function describeAction(problem: Problem, action: Action): string {
  const { start, end } = action;
  const names = (ids: readonly string[]) => ids.map((id) => nameOf(problem, id)).join(', ');
  const times = `${formatClock(start)} to ${formatClock(end)} (${end - start} min)`;
  if (action.do === 'stay') return `${names(action.who)}: at ${action.at}, ${times}`;
  if (action.do === 'activity') {
    const who = action.who.length === 0 ? '' : `${names(action.who)}: `;
    return `${who}${nameOf(problem, action.activity)} at ${action.at}, ${times}`;
  }
  const { vehicle, who, with: passengers, from, to } = action;
  const driver = who === null ? names([vehicle]) : `${names([who])} drives ${names([vehicle])}`;
  const company = passengers.length === 0 ? '' : ` with ${names(passengers)}`;
  return `${driver}${company}, ${from} → ${to}, ${times}`;
}

/** Labels of the bar of an action in the row of somebody or something, longest first. */
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

/** The times at which traffic makes a drive slow. */
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
