import type { Action } from './plan.js';
import type { Problem } from './problem.js';
import { parseRoadPoint } from './travel.js';

/** An action in words, without its times: `Pat drives Pat's car with Alex and Jamie from B to T`. */
export function actionInWords(problem: Problem, action: Action): string {
  const name = (who: string) => nameInWords(problem, who);
  if (action.do !== 'drive') {
    const people = joinNames(action.who.map(name));
    const at = placeInWords(problem, action.at);
    const [is, does] = action.who.length === 1 ? ['is', 'does'] : ['are', 'do'];
    if (action.do === 'stay') return `${people} ${is} at ${at}`;
    const activity = problem.activities.get(action.activity)?.name ?? action.activity;
    return people === '' ? `'${activity}' at ${at}` : `${people} ${does} '${activity}' at ${at}`;
  }
  const { vehicle, who, from, to } = action;
  const driver = who === null ? `${name(vehicle)} drives` : `${name(who)} drives ${name(vehicle)}`;
  const company = action.with.length === 0 ? '' : ` with ${joinNames(action.with.map(name))}`;
  return `${driver}${company} from ${placeInWords(problem, from)} to ${placeInWords(problem, to)}`;
}

/** The name of a person or a vehicle. */
export function nameInWords({ people, vehicles }: Problem, id: string): string {
  return people.get(id)?.name ?? vehicles.get(id)?.name ?? id;
}

/** A place by its id, or a point on a road: `20 min from W on the way to B`. */
function placeInWords(problem: Problem, at: string): string {
  const point = parseRoadPoint(problem, at);
  if (point === null) return at;
  return `a point ${Math.floor(point.done)} min from ${point.from} on the road to ${point.to}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joinNames(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
