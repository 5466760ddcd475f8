import { formatClock } from '../model/clock.js';
import type { Action, Drive } from '../model/plan.js';
import type { Problem, Vehicle } from '../model/problem.js';
import { arrival, waysBetween } from '../model/travel.js';
import { drivesOf, follow } from './timeline.js';
import type { Violation } from './violation.js';

/**
 * Judges vehicles: roads and travel times, continuity, drivers, seats, prerequisites, range.
 *
 * @returns metres of each drive, by the position of its action
 */
export function judgeDrives(
  problem: Problem,
  actions: readonly (Action | null)[],
  report: (violation: Violation) => void,
): Map<number, number> {
  const metres = new Map<number, number>();
  for (const [at, action] of actions.entries()) {
    if (action?.do === 'drive') metres.set(at, judgeWay(problem, action, at, report));
  }
  for (const vehicle of problem.vehicles.values()) {
    const drives = drivesOf(actions, vehicle.id);
    follow(vehicle, drives, (violation) => report({ ...violation, vehicle: vehicle.id }));
    let driven = 0;
    for (const { action } of drives) {
      const drive = actions[action] as Drive;
      judgePeople(vehicle, drive, action, report);
      const before = driven;
      driven += metres.get(action) ?? 0;
      // Reported once, where the range is exceeded first.
      if (driven <= vehicle.range || before > vehicle.range) continue;
      const message = `${vehicle.name} goes ${km(vehicle.range)} km, and has driven ${km(driven)} km by then`;
      const proof = { action, vehicle: vehicle.id, expected: vehicle.range, found: driven };
      report({ code: 'out_of_range', message, ...proof });
    }
    const first = drives.at(0);
    if (first !== undefined) judgeReadiness(vehicle, first.start, first.action, actions, report);
  }
  return metres;
}

/** Judges the road and the travel time of a drive. */
function judgeWay(
  problem: Problem,
  { from, to, start, end, vehicle }: Drive,
  action: number,
  report: (violation: Violation) => void,
): number {
  const ways = waysBetween(problem, from, to).map((way) => ({
    metres: way.metres,
    arrives: arrival(problem, way, start),
  }));
  if (ways.length === 0) {
    report({ code: 'no_road', message: `no road leads from ${from} to ${to}`, action, vehicle });
    return 0;
  }
  const open = ways.filter(({ arrives }) => arrives !== null);
  if (open.length === 0) {
    const message = `the road from ${from} to ${to} is closed at ${formatClock(start)}`;
    report({ code: 'closed_road', message, action, vehicle, found: start });
    return Math.min(...ways.map((way) => way.metres));
  }
  const inTime = open.filter(({ arrives }) => (arrives as number) <= end);
  if (inTime.length > 0) return Math.min(...inTime.map((way) => way.metres));
  const needed = Math.min(...open.map(({ arrives }) => arrives as number)) - start;
  const message = `${from} to ${to} takes ${needed} min from ${formatClock(start)}, not ${end - start}`;
  report({ code: 'too_fast', message, action, vehicle, expected: needed, found: end - start });
  return Math.min(...open.map((way) => way.metres));
}

/** Judges the driver and the passengers. */
function judgePeople(
  { id, name, drivers, seats }: Vehicle,
  drive: Drive,
  action: number,
  report: (violation: Violation) => void,
): void {
  const proof = { action, vehicle: id };
  if (drivers !== null && drive.who === null) {
    report({ code: 'no_driver', message: `nobody drives ${name}`, ...proof });
  }
  if (drive.who !== null && !drivers?.includes(drive.who)) {
    const may = drivers === null ? 'it has a driver of its own' : `${drivers.join(', ')} may`;
    const message = `${drive.who} does not drive ${name}: ${may}`;
    report({ code: 'wrong_driver', message, ...proof, person: drive.who });
  }
  if (drive.with.length > seats) {
    const message = `${name} takes ${seats} passengers, not ${drive.with.length}`;
    const numbers = { expected: seats, found: drive.with.length };
    report({ code: 'too_many_passengers', message, ...proof, ...numbers });
  }
}

/** Judges the activities that a vehicle requires before its first use. */
function judgeReadiness(
  { id, name, after }: Vehicle,
  start: number,
  action: number,
  actions: readonly (Action | null)[],
  report: (violation: Violation) => void,
): void {
  for (const activity of after) {
    const isDone = actions.some(
      (one) => one?.do === 'activity' && one.activity === activity && one.end <= start,
    );
    if (isDone) continue;
    const message = `${name} is used at ${formatClock(start)}, before '${activity}' is done`;
    report({ code: 'vehicle_not_ready', message, action, vehicle: id, activity, found: start });
  }
}

function km(metres: number): string {
  return (metres / 1000).toFixed(1);
}
