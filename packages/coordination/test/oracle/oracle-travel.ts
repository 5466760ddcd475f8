import type { Problem } from '../../src/model/problem.js';

/** A part of a road, in the minutes that the road takes as a rule. */
export interface Stretch {
  readonly from: string;
  readonly to: string;
  readonly begin: number;
  readonly end: number;
  readonly metres: number;
}

interface Jam {
  readonly from: number;
  readonly until: number;
  readonly factor: number | null;
  readonly touches: (from: string, to: string) => boolean;
}

const jamsByProblem = new WeakMap<Problem, readonly Jam[]>();

/** Traffic as the statement has it: nothing of the model's arithmetic is used. */
function jamsOf(problem: Problem): readonly Jam[] {
  const known = jamsByProblem.get(problem);
  if (known !== undefined) return known;
  const jams = problem.facts.traffic.map(
    ({ from, until, factor, places, roads }): Jam => ({
      from: from === undefined ? -1e9 : minuteOf(from),
      until: until === undefined ? 1e9 : minuteOf(until),
      factor: factor ?? null,
      touches: (a, b) => {
        if (places === undefined && roads === undefined) return true;
        if ((places ?? []).some((place) => place === a || place === b)) return true;
        return (roads ?? []).some((road) => road[0] === a && road[1] === b);
      },
    }),
  );
  jamsByProblem.set(problem, jams);
  return jams;
}

/** A clock time of 24 hours, in minutes. */
function minuteOf(text: string): number {
  const [hours, minutes] = text.split(':');
  return 60 * Number(hours) + Number(minutes);
}

/** The parts of a text such as `a>b@7.5`; null if it names no point of a road. */
export function pointOf(problem: Problem, text: string) {
  if (problem.places.has(text)) return null;
  const at = text.lastIndexOf('@');
  const arrow = text.lastIndexOf('>', at);
  if (at < 0 || arrow < 1 || arrow + 1 >= at || !/^\d+(\.\d+)?$/.test(text.slice(at + 1))) {
    return null;
  }
  const [from, to] = [text.slice(0, arrow), text.slice(arrow + 1, at)];
  const road = problem.roads.get(from)?.get(to);
  const done = Number(text.slice(at + 1));
  return road === undefined || done > road.minutes ? null : { from, to, done };
}

/** All ways from a place, or a point on a road, to another. */
export function routesOf(problem: Problem, start: string, goal: string): Stretch[][] {
  const [here, there] = [pointOf(problem, start), pointOf(problem, goal)];
  if (there !== null) {
    const { from, to, done } = there;
    if (start === from) return [[stretch(problem, from, to, 0, done)]];
    const isOnIt = here !== null && here.from === from && here.to === to && here.done <= done;
    return isOnIt ? [[stretch(problem, from, to, here.done, done)]] : [];
  }
  if (here === null) return straight(problem, start, goal);
  const { from, to, done } = here;
  const whole = minutesOf(problem, from, to);
  const routes = straight(problem, to, goal).map((rest) => [
    stretch(problem, from, to, done, whole),
    ...rest,
  ]);
  if (problem.roads.get(to)?.has(from) === true) {
    const back = minutesOf(problem, to, from);
    const left = whole === 0 ? 0 : (back * done) / whole;
    for (const rest of straight(problem, from, goal)) {
      routes.push([stretch(problem, to, from, back - left, back), ...rest]);
    }
  }
  return routes;
}

function straight(problem: Problem, start: string, goal: string): Stretch[][] {
  if (start === goal) return [[]];
  if (problem.roads.get(start)?.has(goal) !== true) return [];
  return [[stretch(problem, start, goal, 0, minutesOf(problem, start, goal))]];
}

function minutesOf(problem: Problem, from: string, to: string): number {
  return problem.roads.get(from)?.get(to)?.minutes ?? 0;
}

function stretch(problem: Problem, from: string, to: string, begin: number, end: number): Stretch {
  const { minutes = 0, metres = 0 } = problem.roads.get(from)?.get(to) ?? {};
  return {
    from,
    to,
    begin,
    end,
    metres: minutes === 0 ? metres : (metres * (end - begin)) / minutes,
  };
}

/** The minute of the arrival, by going minute by minute; null if a road is closed when it is entered. */
export function arrivalOf(problem: Problem, route: readonly Stretch[], depart: number) {
  let time = depart;
  for (const { from, to, begin, end } of route) {
    const jams = jamsOf(problem).filter((jam) => jam.touches(from, to));
    const isClosed = ({ factor, ...jam }: Jam) =>
      factor === null && jam.from <= time && time < jam.until;
    if (begin === 0 && jams.some(isClosed)) return null;
    time = goOn(jams, time, end - begin);
  }
  return Math.max(depart, Math.ceil(time - 1e-6));
}

function goOn(jams: readonly Jam[], depart: number, work: number): number {
  let time = depart;
  let left = work;
  while (left > 1e-9) {
    const minute = Math.floor(time);
    const slow = slownessIn(jams, minute);
    if (left * slow <= minute + 1 - time) {
      time += left * slow;
      break;
    }
    left -= (minute + 1 - time) / slow;
    time = minute + 1;
  }
  return Math.abs(time - Math.round(time)) < 1e-6 ? Math.round(time) : time;
}

function slownessIn(jams: readonly Jam[], minute: number): number {
  let slow = 1;
  for (const { from, until, factor } of jams) {
    if (factor !== null && from <= minute && minute < until) slow *= factor;
  }
  return slow;
}

/** Usual minutes of a road that are done at `now`, by going minute by minute. */
export function progressOf(
  problem: Problem,
  from: string,
  to: string,
  depart: number,
  now: number,
) {
  const jams = jamsOf(problem).filter((jam) => jam.touches(from, to));
  let done = 0;
  for (let minute = depart; minute < now; minute++) done += 1 / slownessIn(jams, minute);
  return Math.min(done, minutesOf(problem, from, to));
}
