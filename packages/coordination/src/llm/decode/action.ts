import { formatClock } from '../../model/clock.js';
import type { Action } from '../../model/plan.js';
import type { Problem } from '../../model/problem.js';
import type { ActionParts } from './sentence.js';

/** Positions of people and vehicles after the actions read so far. */
export type Positions = Map<string, string>;

/** A parsed action with the inferences it needed, or the reason why it is unreadable. */
export type ActionReading =
  | { readonly action: Action; readonly concluded: readonly string[] }
  | { readonly action: null; readonly reason: string };

/** The initial positions of all people and vehicles. */
export function firstPositions({ people, vehicles }: Problem): Positions {
  return new Map([...people.values(), ...vehicles.values()].map(({ id, at }) => [id, at]));
}

/**
 * Builds an action from its parts. An omitted part is inferred only if there is a single possibility: the only vehicle
 * that a person may drive, the only permitted driver aboard, the only place of an activity, or the position after the
 * previous actions.
 */
export function actionOf(
  problem: Problem,
  parts: ActionParts,
  times: { readonly start: number; readonly end: number | null },
  positions: Positions,
): ActionReading {
  if (parts.unclear !== null) return { action: null, reason: parts.unclear };
  const concluded: string[] = [];
  const reading = withTimes(problem, parts, times);
  if (typeof reading === 'string') return { action: null, reason: reading };
  const action =
    parts.kind === 'drive'
      ? driveOf(problem, parts, reading, positions, concluded)
      : placed(problem, parts, reading, positions, concluded);
  if (typeof action === 'string') return { action: null, reason: action };
  if (action.do === 'drive') {
    const { vehicle, who, with: passengers, to } = action;
    for (const one of [vehicle, ...(who === null ? [] : [who]), ...passengers]) {
      positions.set(one, to);
    }
  } else for (const one of action.who) positions.set(one, action.at);
  return { action, concluded };
}

type Times = { readonly start: number; readonly end: number };

/** Start and end, or the reason why they are missing. If the problem gives the action no duration, one time is both. */
function withTimes(
  { activities }: Problem,
  { kind, activity }: ActionParts,
  { start, end }: { readonly start: number; readonly end: number | null },
): Times | string {
  if (kind === null) return 'no drive, activity or stay of this problem is named';
  if (end !== null) return { start, end };
  const takesNone = kind === 'activity' && activities.get(activity ?? '')?.minutes === 0;
  return takesNone ? { start, end: start } : `it has no end, only ${formatClock(start)}`;
}

function driveOf(
  problem: Problem,
  { vehicle: named, driver: said, passengers, people, from: start, to }: ActionParts,
  times: Times,
  positions: Positions,
  concluded: string[],
): Action | string {
  if (to === null) return 'it is not said where the drive leads';
  const driver = said ?? (passengers !== null && people.length === 1 ? people[0] : null);
  const all = [...new Set([...people, ...(passengers ?? [])])];
  const vehicle = named ?? onlyVehicle(problem, driver === null ? all : [driver]);
  if (vehicle === null) return 'no vehicle is named, and more or fewer than one is possible';
  if (named === null) concluded.push(`the vehicle is ${vehicle}`);
  const who = driver ?? driverOf(problem, vehicle, people, passengers, concluded);
  if (typeof who === 'object' && who !== null) return who.reason;
  const from = start ?? positions.get(vehicle) ?? (who && positions.get(who)) ?? null;
  if (from === null) return 'it is not said where the drive begins';
  if (start === null) concluded.push(`the drive begins at ${from}`);
  const others = all.filter((one) => one !== who);
  return { do: 'drive', vehicle, who, with: others, from, to, ...times };
}

/** The unstated driver: null if the vehicle has its own driver. */
function driverOf(
  problem: Problem,
  vehicle: string,
  people: readonly string[],
  passengers: readonly string[] | null,
  concluded: string[],
): string | null | { readonly reason: string } {
  const drivers = problem.vehicles.get(vehicle)?.drivers;
  if (drivers === null) return null;
  const able = people.filter((one) => drivers === undefined || drivers.includes(one));
  if (able.length > 1) return { reason: `it is not said which of ${able.join(', ')} drives` };
  const others = passengers !== null || people.length === 0;
  const only = able[0] ?? (others && drivers?.length === 1 ? drivers[0] : undefined);
  if (only !== undefined) {
    if (people.length !== 1) concluded.push(`${only} drives`);
    return only;
  }
  return people.length === 1 ? people[0] : { reason: 'it is not said who drives' };
}

/** The only vehicle that one of these people may drive; null if there are several or none. */
function onlyVehicle({ vehicles }: Problem, people: readonly string[]): string | null {
  const some = [...vehicles.values()].filter(({ drivers }) =>
    drivers?.some((one) => people.includes(one)),
  );
  return some.length === 1 ? some[0].id : null;
}

/** An activity, or a stay. */
function placed(
  problem: Problem,
  { kind, activity, at, driver, passengers, people }: ActionParts,
  times: Times,
  positions: Positions,
  concluded: string[],
): Action | string {
  const who = [
    ...new Set([...(driver === null ? [] : [driver]), ...people, ...(passengers ?? [])]),
  ];
  if (kind === 'stay' || activity === null) {
    if (at === null) return 'it is not said where somebody stays';
    return who.length === 0 ? 'it is not said who stays' : { do: 'stay', who, at, ...times };
  }
  const places = problem.activities.get(activity)?.at ?? [];
  const are = new Set(who.map((one) => positions.get(one)));
  const [there] = are.size === 1 ? are : [undefined];
  const where = at ?? (places.length === 1 ? places[0] : (there ?? null));
  if (where === null) return `it is not said where '${activity}' is done`;
  if (at === null) concluded.push(`'${activity}' is at ${where}`);
  return { do: 'activity', activity, who, at: where, ...times };
}
