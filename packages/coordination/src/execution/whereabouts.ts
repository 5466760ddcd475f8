import { type Action, actorsOf, type CoordinationPlan, engagedUntil } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { doneBy, formatRoadPoint } from '../model/travel.js';

/** The position of a person or a vehicle at a minute. */
export interface Whereabout {
  readonly id: string;
  /** A place, or a point on a road such as `W>B@20`; null before the person or vehicle is available. */
  readonly at: string | null;
  /** The current drive or activity; null while waiting. */
  readonly engaged: Action | null;
}

/** The positions of all actors at a minute, and the progress of the plan. */
export interface Whereabouts {
  readonly now: number;
  readonly people: readonly Whereabout[];
  readonly vehicles: readonly Whereabout[];
  readonly done: readonly Action[];
  readonly underWay: readonly Action[];
  readonly toCome: readonly Action[];
}

/** The whereabouts at the beginning of a minute, before the actions that begin then. */
export function whereaboutsAt(problem: Problem, plan: CoordinationPlan, now: number): Whereabouts {
  const actions = plan.actions.filter(({ do: kind }) => kind !== 'stay');
  const begun = actions.filter(({ start }) => start < now);
  const where = (one: { readonly id: string; readonly at: string; readonly from: number }) =>
    whereaboutOf(problem, begun, one, now);
  return {
    now,
    people: [...problem.people.values()].map(where),
    vehicles: [...problem.vehicles.values()].map(where),
    done: begun.filter(({ end }) => end <= now),
    underWay: begun.filter(({ end }) => end > now),
    toCome: actions.filter(({ start }) => start >= now),
  };
}

function whereaboutOf(
  problem: Problem,
  begun: readonly Action[],
  { id, at: home, from }: { readonly id: string; readonly at: string; readonly from: number },
  now: number,
): Whereabout {
  const own = begun.filter((action) => actorsOf(action).includes(id));
  const engaged = own.find((action) => engagedUntil(problem, action) > now) ?? null;
  const last = own.findLast(({ do: kind }) => kind === 'drive');
  if (last?.do !== 'drive') return { id, at: from > now ? null : home, engaged };
  return { id, at: last.end <= now ? last.to : pointOn(problem, last, now), engaged };
}

/** The point of its road that a drive has reached; for a drive that began on a road, its start. */
function pointOn(problem: Problem, drive: Extract<Action, { do: 'drive' }>, now: number): string {
  const { from, to, start } = drive;
  const road = problem.roads.get(from)?.get(to);
  if (road === undefined) return from;
  return formatRoadPoint({ from, to, done: doneBy(problem, road, start, now) });
}
