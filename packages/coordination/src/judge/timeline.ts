import { formatClock } from '../model/clock.js';
import { type Action, engagedUntil, takesPart } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import type { Violation } from './violation.js';

/** The time during which a person or a vehicle is engaged in an action of the plan. */
export interface Engagement {
  readonly action: number;
  readonly start: number;
  readonly end: number;
  readonly from: string;
  readonly to: string;
  readonly isDrive: boolean;
}

/** The time that a person or a vehicle spends at a place. */
export interface Presence {
  readonly at: string;
  readonly from: number;
  readonly until: number;
}

/** The places of a person or a vehicle over time, derived from its engagements. */
export interface Timeline {
  readonly engagements: readonly Engagement[];
  readonly presences: readonly Presence[];
}

interface Mover {
  readonly id: string;
  readonly name: string;
  readonly at: string;
  readonly from: number;
  readonly until: number;
}

/** The engagements of a person, by time. Unsound actions are omitted. */
export function engagementsOf(
  problem: Problem,
  actions: readonly (Action | null)[],
  person: string,
): Engagement[] {
  return sorted(
    actions.flatMap((action, at): Engagement[] => {
      if (action === null || action.do === 'stay' || !takesPart(action, person)) return [];
      if (action.do === 'drive') {
        return [{ ...timesOf(action), ...waysOf(action), action: at, isDrive: true }];
      }
      const { start, at: place } = action;
      const end = engagedUntil(problem, action);
      return [{ start, end, from: place, to: place, action: at, isDrive: false }];
    }),
  );
}

/** The drives of a vehicle, by time. */
export function drivesOf(actions: readonly (Action | null)[], vehicle: string): Engagement[] {
  return sorted(
    actions.flatMap((action, at) =>
      action?.do === 'drive' && action.vehicle === vehicle
        ? [{ ...timesOf(action), ...waysOf(action), action: at, isDrive: true }]
        : [],
    ),
  );
}

/**
 * Follows a person or a vehicle through its engagements. After a discontinuity it continues from the place that the
 * plan states, so that one mistake is reported once.
 */
export function follow(
  mover: Mover,
  engagements: readonly Engagement[],
  report: (violation: Omit<Violation, 'person' | 'vehicle'>) => void,
): Timeline {
  const presences: Presence[] = [];
  let at = mover.at;
  /** The start of the presence: there is none during a drive, nor before the person or vehicle is available. */
  let since = mover.from;
  const stay = (time: number) => {
    const until = Math.min(time, mover.until);
    if (until >= since) presences.push({ at, from: since, until });
  };
  let busyUntil = Number.NEGATIVE_INFINITY;
  for (const { action, start, end, from, to, isDrive } of engagements) {
    if (start < mover.from || end > mover.until) {
      const [bound, word] = start < mover.from ? [mover.from, 'from'] : [mover.until, 'until'];
      report({
        code: 'not_available',
        message: `${mover.name} is available ${word} ${formatClock(bound)} only, not ${formatClock(start)} to ${formatClock(end)}`,
        action,
        expected: bound,
        found: start < mover.from ? start : end,
      });
    }
    if (start < busyUntil) {
      const message = `${mover.name} is engaged until ${formatClock(busyUntil)}, and again from ${formatClock(start)}`;
      report({ code: 'overlap', message, action, expected: busyUntil, found: start });
    }
    if (from !== at) {
      const message = `${mover.name} is at ${at}, not at ${from}, at ${formatClock(start)}`;
      report({ code: 'not_there', message, action, found: start });
      stay(start);
      since = Math.max(since, start);
      at = from;
    }
    if (isDrive) {
      stay(start);
      at = to;
      since = Math.max(since, end);
    }
    busyUntil = Math.max(busyUntil, end);
  }
  stay(mover.until);
  return { engagements, presences };
}

/** Whether the person or vehicle is at a place all the time from `start` to `end`. */
export function isPresent(
  { presences }: Timeline,
  at: string,
  start: number,
  end: number,
): boolean {
  let time = start;
  for (const each of presences) {
    if (each.at === at && each.from <= time && each.until >= time)
      time = Math.max(time, each.until);
    if (time >= end)
      return presences.some((one) => one.at === at && one.from <= end && one.until >= end);
  }
  return false;
}

function timesOf({ start, end }: Action) {
  return { start, end };
}

function waysOf({ from, to }: { readonly from: string; readonly to: string }) {
  return { from, to };
}

function sorted(engagements: Engagement[]): Engagement[] {
  return engagements.toSorted((a, b) => a.start - b.start || a.end - b.end || a.action - b.action);
}
