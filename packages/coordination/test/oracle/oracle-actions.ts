import type { Action, Doing, Drive } from '../../src/model/plan.js';
import type { Problem } from '../../src/model/problem.js';
import type { Fault } from './faults.js';
import { arrivalOf, pointOf, routesOf } from './oracle-travel.js';

type Report = (fault: Fault) => void;

/** What keeps an action from being judged at all. */
export function unsoundFaults(problem: Problem, action: Action, at: number): Fault[] {
  const { people, places, vehicles, activities } = problem;
  const isPlace = (name: string) => places.has(name) || pointOf(problem, name) !== null;
  const who = action.do === 'drive' ? [...action.with] : [...action.who];
  if (action.do === 'drive' && action.who !== null) who.push(action.who);
  const isKnown =
    who.every((name) => people.has(name)) &&
    (action.do === 'drive'
      ? isPlace(action.from) && isPlace(action.to) && vehicles.has(action.vehicle)
      : isPlace(action.at)) &&
    (action.do !== 'activity' || activities.has(action.activity));
  const faults: Fault[] = [];
  if (!isKnown) faults.push({ code: 'unknown_name', action: at });
  if (action.start > action.end) faults.push({ code: 'wrong_times', action: at });
  if (new Set(who).size < who.length) faults.push({ code: 'repeated_person', action: at });
  return faults;
}

/** Judges roads, driver and seats of a drive; returns its metres. */
export function judgeDrive(problem: Problem, drive: Drive, at: number, report: Report): number {
  const about = { action: at, vehicle: drive.vehicle };
  const { drivers = null, seats = 0 } = problem.vehicles.get(drive.vehicle) ?? {};
  if (drive.who === null && drivers !== null) report({ code: 'no_driver', ...about });
  if (drive.who !== null && (drivers === null || !drivers.includes(drive.who))) {
    report({ code: 'wrong_driver', ...about, person: drive.who });
  }
  if (seats < drive.with.length) report({ code: 'too_many_passengers', ...about });
  const routes = routesOf(problem, drive.from, drive.to).map((route) => ({
    metres: route.reduce((sum, { metres }) => sum + metres, 0),
    arrives: arrivalOf(problem, route, drive.start) ?? Number.NaN,
  }));
  const shortest = (among: typeof routes) => Math.min(...among.map(({ metres }) => metres));
  const open = routes.filter(({ arrives }) => !Number.isNaN(arrives));
  const inTime = open.filter(({ arrives }) => arrives <= drive.end);
  if (routes.length === 0) report({ code: 'no_road', ...about });
  else if (open.length === 0) report({ code: 'closed_road', ...about });
  else if (inTime.length === 0) report({ code: 'too_fast', ...about });
  if (routes.length === 0) return 0;
  return shortest(inTime.length > 0 ? inTime : open.length > 0 ? open : routes);
}

/** Judges place, length, windows and people of an activity. */
export function judgeDoing(problem: Problem, doing: Doing, at: number, report: Report): void {
  const activity = problem.activities.get(doing.activity);
  if (activity === undefined) return;
  const { id, start, end, all, any, count } = activity;
  const about = { action: at, activity: id };
  if (activity.at.every((place) => place !== doing.at)) report({ code: 'wrong_place', ...about });
  if (doing.start + activity.minutes > doing.end) report({ code: 'too_short', ...about });
  const startsWell = start.earliest <= doing.start && doing.start <= start.latest;
  const endsWell = end.earliest <= doing.end && doing.end <= end.latest;
  if (!startsWell || !endsWell) report({ code: 'outside_window', ...about });
  const asked = new Set([...all, ...any]);
  for (const person of doing.who) {
    if (asked.size > 0 && !asked.has(person)) report({ code: 'wrong_person', ...about, person });
  }
  for (const person of all) {
    if (!doing.who.includes(person)) report({ code: 'too_few_people', ...about, person });
  }
  const found = doing.who.filter((person) => any.includes(person)).length;
  if (found < count) report({ code: 'too_few_people', ...about });
}
