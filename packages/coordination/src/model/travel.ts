import type { Problem, Road, Traffic } from './problem.js';

/**
 * A point on a road, for vehicles that are redirected during a drive: `NY>home@60` is 60 of the road's usual minutes
 * from its start.
 */
export interface RoadPoint {
  readonly from: string;
  readonly to: string;
  readonly done: number;
}

const POINT = /^(.+)>(.+)@(\d+(?:\.\d+)?)$/;

/** The point on a road that a text names; null if it names none. */
export function parseRoadPoint(problem: Problem, text: string): RoadPoint | null {
  if (problem.places.has(text)) return null;
  const [, from, to, done] = POINT.exec(text) ?? [];
  const road = from === undefined ? undefined : problem.roads.get(from)?.get(to);
  if (road === undefined || Number(done) > road.minutes) return null;
  return { from, to, done: Number(done) };
}

export function formatRoadPoint({ from, to, done }: RoadPoint): string {
  // Rounded down, so that the point is never beyond the true position.
  return `${from}>${to}@${Math.floor(1000 * done) / 1000}`;
}

/** A way from one place or point on a road to another: consecutive roads or parts of them. */
export interface Way {
  readonly pieces: readonly WayPiece[];
  readonly metres: number;
}

interface WayPiece {
  readonly road: Road;
  /** The part of the road that is driven, in its usual minutes. */
  readonly from: number;
  readonly to: number;
}

/**
 * The ways from `start` to `goal`, each a place or a point on a road. Between two places it is the road. From a point
 * on a road a way leads on to the end or back to the beginning (by the road in the other direction), and from there by
 * another road. Empty if there is none.
 */
export function waysBetween(problem: Problem, start: string, goal: string): Way[] {
  const end = parseRoadPoint(problem, goal);
  if (end !== null) {
    const road = problem.roads.get(end.from)?.get(end.to) as Road;
    const point = parseRoadPoint(problem, start);
    const isBehind = point !== null && point.from === end.from && point.to === end.to;
    const from = isBehind ? point.done : start === end.from ? 0 : Number.POSITIVE_INFINITY;
    return from <= end.done ? [wayOf([{ road, from, to: end.done }])] : [];
  }
  const point = parseRoadPoint(problem, start);
  if (point === null) return fromPlace(problem, start, goal);
  const { from, to, done } = point;
  const road = problem.roads.get(from)?.get(to) as Road;
  const onward = { road, from: done, to: road.minutes };
  const onwards = fromPlace(problem, to, goal).map((way) => wayOf([onward, ...way.pieces]));
  const back = problem.roads.get(to)?.get(from);
  if (back === undefined) return onwards;
  const part = done / Math.max(1e-9, road.minutes);
  const turned = { road: back, from: back.minutes * (1 - part), to: back.minutes };
  return [
    ...onwards,
    ...fromPlace(problem, from, goal).map((way) => wayOf([turned, ...way.pieces])),
  ];
}

function fromPlace(problem: Problem, start: string, goal: string): Way[] {
  if (start === goal) return [wayOf([])];
  const road = problem.roads.get(start)?.get(goal);
  return road === undefined ? [] : [wayOf([{ road, from: 0, to: road.minutes }])];
}

function wayOf(pieces: readonly WayPiece[]): Way {
  const metresOf = ({ road, from, to }: WayPiece) =>
    road.minutes === 0 ? road.metres : (road.metres * (to - from)) / road.minutes;
  return { pieces, metres: pieces.reduce((sum, piece) => sum + metresOf(piece), 0) };
}

/**
 * The earliest arrival by a way for a departure at `depart`; null if a road is closed at its entry. Traffic that is M
 * times as slow multiplies the remaining time by M, T_new = T_elapsed + M · (T_total − T_elapsed) (SagaLLM, equations 4
 * and 5, arXiv:2503.11951).
 */
export function arrival(problem: Problem, way: Way, depart: number): number | null {
  let time = depart;
  for (const { road, from, to } of way.pieces) {
    const traffic = problem.traffic.filter(({ concerns }) => concerns(road.from, road.to));
    if (from === 0 && isClosed(traffic, time)) return null;
    time = advance(traffic, time, to - from);
  }
  return Math.max(depart, Math.ceil(time - 1e-6));
}

/** The earliest arrival by any way; null if there is none, or all are closed. */
export function earliestArrival(
  problem: Problem,
  start: string,
  goal: string,
  depart: number,
): number | null {
  const all = waysBetween(problem, start, goal).map((way) => arrival(problem, way, depart));
  return all.reduce((best, each) => (best === null || (each ?? best) < best ? each : best), null);
}

/** The first minute from `ready` on at which a way is open; null if there is never one. */
export function firstDeparture(
  problem: Problem,
  start: string,
  goal: string,
  ready: number,
): number | null {
  const ends = problem.traffic.map(({ until }) => until).filter((until) => until > ready);
  const times = [ready, ...ends.filter(Number.isFinite).toSorted((a, b) => a - b)];
  return times.find((time) => earliestArrival(problem, start, goal, time) !== null) ?? null;
}

/** Usual minutes of a road that a vehicle has completed at `now` after entering at `depart`. */
export function doneBy(
  problem: Problem,
  { from, to, minutes }: Road,
  depart: number,
  now: number,
): number {
  const traffic = problem.traffic.filter(({ concerns }) => concerns(from, to));
  let done = 0;
  for (let time = depart; time < now; ) {
    const stop = Math.min(now, nextChange(traffic, time));
    done += (stop - time) / slowness(traffic, time);
    time = stop;
  }
  return Math.min(minutes, done);
}

/** The minute at which `work` usual minutes of a road are completed, starting at `start`. */
function advance(traffic: readonly Traffic[], start: number, work: number): number {
  let time = start;
  for (let left = work; ; ) {
    const factor = slowness(traffic, time);
    const stop = nextChange(traffic, time);
    if (left * factor <= stop - time) return time + left * factor;
    left -= (stop - time) / factor;
    time = stop;
  }
}

function isClosed(traffic: readonly Traffic[], time: number): boolean {
  return traffic.some(
    ({ factor, from, until }) =>
      factor === Number.POSITIVE_INFINITY && from <= time && time < until,
  );
}

/** The slowdown factor of a road. A closure affects only vehicles that have not entered it. */
function slowness(traffic: readonly Traffic[], time: number): number {
  return traffic.reduce(
    (product, { factor, from, until }) =>
      from <= time && time < until && factor < Number.POSITIVE_INFINITY
        ? product * factor
        : product,
    1,
  );
}

function nextChange(traffic: readonly Traffic[], time: number): number {
  const later = traffic.flatMap(({ from, until }) => [from, until]).filter((each) => each > time);
  return Math.min(Number.POSITIVE_INFINITY, ...later);
}
