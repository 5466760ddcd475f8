import { formatClock } from '../model/clock.js';
import type { Action, Doing } from '../model/plan.js';
import type { Activity, Problem } from '../model/problem.js';
import { isWithin, windowInWords } from '../model/window.js';
import type { Timeline } from './timeline.js';
import type { ReportViolation } from './violation.js';

/** Judges activities: place, time, people, order, continuous presence, resources. */
export function judgeActivities(
  problem: Problem,
  actions: readonly (Action | null)[],
  timelines: ReadonlyMap<string, Timeline>,
  report: ReportViolation,
): void {
  const done = new Map<string, { readonly action: number; readonly doing: Doing }>();
  for (const [action, doing] of actions.entries()) {
    if (doing?.do !== 'activity') continue;
    const activity = problem.activities.get(doing.activity) as Activity;
    if (done.has(activity.id)) {
      const message = `'${activity.name}' is done again`;
      report({ code: 'repeated_activity', message, action, activity: activity.id });
    } else done.set(activity.id, { action, doing });
    judgePlaceAndTime(problem, activity, doing, action, report);
    judgePerformers(activity, doing, action, report);
    judgeWatch(activity, doing, action, timelines, report);
  }
  for (const activity of problem.activities.values()) {
    const one = done.get(activity.id);
    if (one !== undefined) judgeOrder(activity, one, done, report);
    else if (!activity.optional) {
      const message = `'${activity.name}' is missing`;
      report({ code: 'missing_activity', message, activity: activity.id });
    }
  }
  judgeResources(problem, actions, report);
}

function judgePlaceAndTime(
  problem: Problem,
  { id: activity, name, at, minutes, start, end }: Activity,
  doing: Doing,
  action: number,
  report: ReportViolation,
): void {
  if (!at.includes(doing.at)) {
    const message = `'${name}' is done at ${at.join(' or ')}, not at ${doing.at}`;
    report({ code: 'wrong_place', message, action, activity });
  }
  const takes = doing.end - doing.start;
  if (takes < minutes) {
    const message = `'${name}' takes ${minutes} min, not ${takes}`;
    report({ code: 'too_short', message, action, activity, expected: minutes, found: takes });
  }
  for (const [word, time, window] of [
    ['starts', doing.start, start],
    ['ends', doing.end, end],
  ] as const) {
    if (isWithin(time, window)) continue;
    const message = `'${name}' ${word} at ${formatClock(time)}, not ${windowInWords(window)}`;
    const expected = time < window.earliest ? window.earliest : window.latest;
    report({ code: 'outside_window', message, action, activity, expected, found: time });
  }
  const open = problem.places.get(doing.at)?.open ?? null;
  if (open === null || open.some((one) => isWithin(doing.start, one) && isWithin(doing.end, one))) {
    return;
  }
  const message = `${doing.at} is open ${open.map(windowInWords).join(' and ')}, not ${formatClock(doing.start)} to ${formatClock(doing.end)}`;
  report({ code: 'closed_place', message, action, activity, found: doing.start });
}

function judgePerformers(
  { id: activity, name, all, any, count }: Activity,
  { who }: Doing,
  action: number,
  report: ReportViolation,
): void {
  for (const person of who) {
    if ((all.length === 0 && any.length === 0) || all.includes(person) || any.includes(person)) {
      continue;
    }
    const message = `'${name}' is not for ${person} to do`;
    report({ code: 'wrong_person', message, action, activity, person });
  }
  for (const person of all.filter((one) => !who.includes(one))) {
    const message = `'${name}' is done without ${person}`;
    report({ code: 'too_few_people', message, action, activity, person });
  }
  const found = who.filter((one) => any.includes(one)).length;
  if (found >= count) return;
  const message = `'${name}' is done by ${found} of ${any.join(', ')}, at least ${count} are needed`;
  report({ code: 'too_few_people', message, action, activity, expected: count, found });
}

/** Checks that an activity is watched at its place at all times. */
function judgeWatch(
  { id: activity, name, watchedBy }: Activity,
  { at, start, end }: Doing,
  action: number,
  timelines: ReadonlyMap<string, Timeline>,
  report: ReportViolation,
): void {
  if (watchedBy === null) return;
  const presences = watchedBy
    .flatMap((person) => timelines.get(person)?.presences ?? [])
    .filter((one) => one.at === at && one.from < one.until)
    .toSorted((a, b) => a.from - b.from);
  let covered = start;
  const gaps: string[] = [];
  let first: number | undefined;
  for (const { from, until } of [...presences, { from: end, until: end }]) {
    if (from > covered && covered < end) {
      first ??= covered;
      gaps.push(`${formatClock(covered)} to ${formatClock(Math.min(from, end))}`);
    }
    covered = Math.max(covered, until);
  }
  if (first === undefined) return;
  const message = `nobody of ${watchedBy.join(', ')} is at ${at} from ${gaps.join(', ')}, while '${name}' goes on`;
  report({ code: 'unwatched', message, action, activity, found: first });
}

function judgeOrder(
  { id: activity, name, after }: Activity,
  { action, doing }: { readonly action: number; readonly doing: Doing },
  done: ReadonlyMap<string, { readonly doing: Doing }>,
  report: ReportViolation,
): void {
  for (const before of after) {
    const ends = done.get(before)?.doing.end;
    if (ends === undefined || ends <= doing.start) continue;
    const message = `'${name}' starts at ${formatClock(doing.start)}, before '${before}' ends at ${formatClock(ends)}`;
    report({ code: 'order', message, action, activity, expected: ends, found: doing.start });
  }
}

function judgeResources(
  problem: Problem,
  actions: readonly (Action | null)[],
  report: ReportViolation,
): void {
  for (const { id, capacity } of problem.resources.values()) {
    const uses = actions.flatMap((action, at) =>
      action?.do === 'activity' &&
      action.start < action.end &&
      problem.activities.get(action.activity)?.uses.includes(id)
        ? [{ at, start: action.start, end: action.end }]
        : [],
    );
    for (const { at, start } of uses) {
      const found = uses.filter((one) => one.start <= start && start < one.end).length;
      const isFirst = !uses.some((one) => one.start === start && one.at < at);
      if (found <= capacity || !isFirst) continue;
      const message = `${found} use '${id}' at ${formatClock(start)}, ${capacity} can`;
      report({ code: 'over_capacity', message, action: at, expected: capacity, found });
    }
  }
}
