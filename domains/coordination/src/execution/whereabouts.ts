import { type Action, actorsOf, type CoordinationPlan, engagedUntil } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { doneBy, formatRoadPoint } from '../model/travel.js';

/** Where a person or a vehicle is at a minute. */
export interface Whereabout {
  readonly id: string;
  /** A place, or a point on a road such as `W>B@20`; null if they are not there yet. */
  readonly at: string | null;
  /** The drive or activity that they are engaged in; null if they wait. */
  readonly engaged: Action | null;
}

/** Where everybody is at a minute, and how far the plan has been carried out. */
export interface Whereabouts {
  readonly now: number;
  readonly people: readonly Whereabout[];
  readonly vehicles: readonly Whereabout[];
  readonly done: readonly Action[];
  readonly underWay: readonly Action[];
  readonly toCome: readonly Action[];
}

/** The whereabouts at the beginning of a minute: what begins then is still to come. */
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

/** The point of its road that a drive has come to; of a drive that began on a road, where it began. */
function pointOn(problem: Problem, drive: Extract<Action, { do: 'drive' }>, now: number): string {
  const { from, to, start } = drive;
  const road = problem.roads.get(from)?.get(to);
  if (road === undefined) return from;
  return formatRoadPoint({ from, to, done: doneBy(problem, road, start, now) });
}
