import { formatClock } from '../model/clock.js';
import type { Action, CoordinationPlan } from '../model/plan.js';
import type { Person, Problem } from '../model/problem.js';
import { parseRoadPoint } from '../model/travel.js';
import { judgeActivities } from './activities.js';
import { judgeDrives } from './drives.js';
import { judgePast, type Past } from './past.js';
import { judgeRides } from './rides.js';
import { engagementsOf, follow, isPresent, type Timeline } from './timeline.js';
import { sortViolations, type Violation } from './violation.js';

/** The verdict about a plan. */
export interface Verdict {
  readonly valid: boolean;
  /** All violations, causes before their consequences. */
  readonly violations: readonly Violation[];
  /** Metres that all vehicles drive, as far as there are roads. */
  readonly metres: number;
  /** Minute at which the last drive or activity ends; null if there is none. */
  readonly finish: number | null;
}

/**
 * Judges a plan: continuity of place and time for all people and vehicles, travel times, seats, drivers, windows,
 * opening hours, order, presence, service of all rides, claims. With `past`, it also checks that the plan does not
 * rewrite the past. It imports only the model.
 *
 * @param past the previous plan, and the minute up to which it has been carried out
 */
export function judge(problem: Problem, plan: CoordinationPlan, past?: Past): Verdict {
  const violations: Violation[] = [];
  const report = (violation: Violation) => void violations.push(violation);
  const actions = plan.actions.map((action, at) =>
    isSound(problem, action, at, report) ? action : null,
  );
  if (past !== undefined) judgePast(problem, plan.actions, past, report);
  const metresOf = judgeDrives(problem, actions, report);
  const timelines = new Map<string, Timeline>();
  for (const person of problem.people.values()) {
    const engagements = engagementsOf(problem, actions, person.id);
    const timeline = follow(person, engagements, (one) => report({ ...one, person: person.id }));
    timelines.set(person.id, timeline);
    judgeLeaving(person, timeline, actions, report);
  }
  judgeStays(actions, timelines, report);
  judgeActivities(problem, actions, timelines, report);
  judgeRides(problem, actions, timelines, report);
  const metres = [...metresOf.values()].reduce((sum, one) => sum + one, 0);
  const ends = actions.flatMap((action) =>
    action === null || action.do === 'stay' ? [] : action.end,
  );
  // Not `Math.max(...ends)`: a plan may have more actions than a call allows arguments.
  const finish = ends.reduce<number | null>((last, end) => Math.max(last ?? end, end), null);
  judgeClaims(plan, metres, finish, report);
  return { valid: violations.length === 0, violations: sortViolations(violations), metres, finish };
}

/** Whether an action names existing things and has a duration. If not, it is not judged any further. */
function isSound(
  problem: Problem,
  action: Action,
  at: number,
  report: (violation: Violation) => void,
): boolean {
  let sound = true;
  const refuse = (code: 'unknown_name' | 'wrong_times' | 'repeated_person', message: string) => {
    sound = false;
    report({ code, message, action: at });
  };
  const { people, vehicles, places, activities } = problem;
  const isPlace = (name: string) => places.has(name) || parseRoadPoint(problem, name) !== null;
  const who =
    action.do === 'drive'
      ? [...(action.who === null ? [] : [action.who]), ...action.with]
      : action.who;
  const where = action.do === 'drive' ? [action.from, action.to] : [action.at];
  for (const name of who)
    if (!people.has(name)) refuse('unknown_name', `there is nobody '${name}'`);
  for (const name of where)
    if (!isPlace(name)) refuse('unknown_name', `there is no place '${name}'`);
  if (action.do === 'drive' && !vehicles.has(action.vehicle)) {
    refuse('unknown_name', `there is no vehicle '${action.vehicle}'`);
  }
  if (action.do === 'activity' && !activities.has(action.activity)) {
    refuse('unknown_name', `there is no activity '${action.activity}'`);
  }
  if (action.end < action.start) {
    const [start, end] = [formatClock(action.start), formatClock(action.end)];
    refuse('wrong_times', `it ends at ${end}, before it starts at ${start}`);
  }
  const twice = who.find((name, i) => who.indexOf(name) !== i);
  if (twice !== undefined) refuse('repeated_person', `'${twice}' takes part in it twice`);
  return sound;
}

/** Checks the activities required before people leave their first place. */
function judgeLeaving(
  { id: person, name, leavesAfter, at }: Person,
  { engagements }: Timeline,
  actions: readonly (Action | null)[],
  report: (violation: Violation) => void,
): void {
  const leaves = engagements.find(({ isDrive }) => isDrive);
  if (leaves === undefined) return;
  for (const activity of leavesAfter) {
    const isDone = actions.some(
      (one) => one?.do === 'activity' && one.activity === activity && one.end <= leaves.start,
    );
    if (isDone) continue;
    const message = `${name} leaves ${at} at ${formatClock(leaves.start)}, before '${activity}' is done`;
    const proof = { action: leaves.action, person, activity, found: leaves.start };
    report({ code: 'left_early', message, ...proof });
  }
}

/** Checks that people are where stays claim they are. */
function judgeStays(
  actions: readonly (Action | null)[],
  timelines: ReadonlyMap<string, Timeline>,
  report: (violation: Violation) => void,
): void {
  for (const [action, stay] of actions.entries()) {
    if (stay?.do !== 'stay') continue;
    for (const person of stay.who) {
      if (isPresent(timelines.get(person) as Timeline, stay.at, stay.start, stay.end)) continue;
      const times = `${formatClock(stay.start)} to ${formatClock(stay.end)}`;
      const message = `${person} is not at ${stay.at} all the time from ${times}`;
      report({ code: 'not_there', message, action, person, found: stay.start });
    }
  }
}

function judgeClaims(
  { claims }: CoordinationPlan,
  metres: number,
  finish: number | null,
  report: (violation: Violation) => void,
): void {
  if (claims.metres !== undefined && Math.abs(claims.metres - metres) > 50) {
    const [claimed, found] = [(claims.metres / 1000).toFixed(1), (metres / 1000).toFixed(1)];
    const message = `it claims ${claimed} km, and its vehicles drive ${found} km`;
    report({ code: 'false_claim', message, expected: metres, found: claims.metres });
  }
  if (claims.finish !== undefined && finish !== null && claims.finish !== finish) {
    const message = `it claims to end at ${formatClock(claims.finish)}, and ends at ${formatClock(finish)}`;
    report({ code: 'false_claim', message, expected: finish, found: claims.finish });
  }
}
