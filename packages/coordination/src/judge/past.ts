import { formatClock } from '../model/clock.js';
import type { Action, CoordinationPlan, Drive } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { arrival, parseRoadPoint, waysBetween } from '../model/travel.js';
import type { Violation } from './violation.js';

/** The plan before a change, and the minute up to which it has been carried out. */
export interface Past {
  readonly plan: CoordinationPlan;
  readonly now: number;
}

/**
 * Judges that the plan does not rewrite the past: actions that have ended are unchanged, actions that have begun keep
 * their start (they may end later, and a drive may end at a point of its road to continue elsewhere), and no other
 * action begins before now.
 */
export function judgePast(
  problem: Problem,
  actions: readonly Action[],
  { plan, now }: Past,
  report: (violation: Violation) => void,
): void {
  const before = plan.actions.filter(({ start, do: kind }) => start < now && kind !== 'stay');
  const kept = new Set<number>();
  for (const old of before) {
    const same = actions.findIndex((one, at) => !kept.has(at) && continues(problem, old, one, now));
    if (same >= 0) kept.add(same);
    else {
      const message = `${nameOf(old)} from ${formatClock(old.start)} has ${old.end <= now ? 'happened' : 'begun'} by ${formatClock(now)}, and is not in the plan as it was`;
      report({ code: 'past_rewritten', message, ...subjectOf(old), found: old.start });
    }
  }
  for (const [action, one] of actions.entries()) {
    if (one.start >= now || one.do === 'stay' || kept.has(action)) continue;
    const message = `${nameOf(one)} begins at ${formatClock(one.start)}, before ${formatClock(now)}, and was not planned then`;
    report({ code: 'past_invented', message, action, expected: now, found: one.start });
  }
}

/** Whether an action equals a previous one in the part that is past. */
function continues(problem: Problem, old: Action, one: Action, now: number): boolean {
  if (old.do !== one.do || old.start !== one.start) return false;
  if (old.end <= now && old.end !== one.end) return false;
  if (old.end > now && one.end < now) return false;
  if (old.do === 'drive' && one.do === 'drive') {
    const isSame = old.vehicle === one.vehicle && old.who === one.who && old.from === one.from;
    return (
      isSame &&
      samePeople(old.with, one.with) &&
      (old.to === one.to || (old.end > now && endsOnTheWay(problem, old, one.to, now)))
    );
  }
  if (old.do === 'activity' && one.do === 'activity') {
    return old.activity === one.activity && old.at === one.at && samePeople(old.who, one.who);
  }
  return false;
}

/** Whether a text names a point of the drive's roads that the drive has not passed yet. */
function endsOnTheWay(
  problem: Problem,
  { from, to, start }: Drive,
  text: string,
  now: number,
): boolean {
  const point = parseRoadPoint(problem, text);
  if (point === null) return false;
  return waysBetween(problem, from, to).some(({ pieces }) =>
    pieces.some((piece, i) => {
      const isOn = piece.road.from === point.from && piece.road.to === point.to;
      if (!isOn || point.done < piece.from || point.done > piece.to) return false;
      const before = [...pieces.slice(0, i), { ...piece, to: point.done }];
      return (arrival(problem, { pieces: before, metres: 0 }, start) ?? now) >= now;
    }),
  );
}

/** Whether two lists name the same people equally often. */
function samePeople(some: readonly string[], others: readonly string[]): boolean {
  const sorted = others.toSorted();
  return some.length === others.length && some.toSorted().every((one, i) => one === sorted[i]);
}

function subjectOf(action: Action): Pick<Violation, 'vehicle' | 'activity'> {
  if (action.do === 'drive') return { vehicle: action.vehicle };
  return action.do === 'activity' ? { activity: action.activity } : {};
}

function nameOf(action: Action): string {
  if (action.do === 'drive') return `the drive of ${action.vehicle} from ${action.from}`;
  return action.do === 'activity' ? `'${action.activity}'` : `the stay at ${action.at}`;
}
