import type { CoordinationPlan, Doing, Drive } from '../../src/model/plan.js';
import type { Problem } from '../../src/model/problem.js';
import type { Fault } from './faults.js';
import { judgeDoing, judgeDrive, unsoundFaults } from './oracle-actions.js';
import { type Mover, moversOf, moveTo } from './oracle-movers.js';
import { findPastFaults, type OraclePast } from './oracle-past.js';
import { findRideFaults } from './oracle-rides.js';

type Report = (fault: Fault) => void;

/**
 * All that is wrong with a plan, found by going through it minute by minute: everybody and every vehicle is moved
 * as the plan says, and looked at every minute. It shares the types of the model with the judge, and no
 * arithmetic.
 */
export function findFaults(problem: Problem, plan: CoordinationPlan, past?: OraclePast): Fault[] {
  const faults: Fault[] = [];
  const report: Report = (fault) => void faults.push(fault);
  const actions = plan.actions.map((action, at) => {
    const unsound = unsoundFaults(problem, action, at);
    faults.push(...unsound);
    return unsound.length === 0 ? action : null;
  });
  if (past !== undefined) findPastFaults(problem, plan.actions, past, report);
  const doings = new Map<number, Doing>();
  const metres = new Map<number, number>();
  for (const [at, action] of actions.entries()) {
    if (action?.do === 'activity') doings.set(at, action);
    if (action?.do === 'drive') metres.set(at, judgeDrive(problem, action, at, report));
  }
  walk(problem, actions, metres, report);
  judgeDoings(problem, doings, report);
  findRideFaults(problem, actions, report);
  let finish = -1;
  for (const action of actions) {
    if (action !== null && action.do !== 'stay') finish = Math.max(finish, action.end);
  }
  let driven = 0;
  for (const each of metres.values()) driven += each;
  const { claims } = plan;
  const isFar = claims.metres !== undefined && Math.abs(claims.metres - driven) > 50;
  const isLate = claims.finish !== undefined && finish >= 0 && claims.finish !== finish;
  if (isFar || isLate) report({ code: 'false_claim' });
  return faults;
}

/** Goes through the minutes. */
function walk(
  problem: Problem,
  actions: readonly (CoordinationPlan['actions'][number] | null)[],
  metres: ReadonlyMap<number, number>,
  report: Report,
): void {
  const sound = actions.flatMap((action, at) => (action === null ? [] : [{ action, at }]));
  const first = Math.min(...sound.map(({ action }) => action.start)) - 1;
  const last = Math.max(...sound.map(({ action }) => action.end));
  const movers = moversOf(problem, actions);
  const people = new Map(movers.flatMap((one) => (one.isVehicle ? [] : [[one.id, one]])));
  const isDone = (activity: string, time: number) =>
    sound.some(
      ({ action }) =>
        action.do === 'activity' && action.activity === activity && action.end <= time,
    );
  const isAt = (person: string, place: string) => people.get(person)?.here === place;
  spend(problem, movers, metres, report);
  for (let minute = first; minute <= last; minute++) {
    for (const mover of movers) moveTo(mover, minute, report);
    for (const { action, at } of sound) {
      if (action.do === 'drive' && action.start === minute) {
        leave(problem, action, at, minute, movers, isDone, report);
      }
      const isOn = action.start <= minute && minute < action.end;
      if (action.do === 'stay') {
        const isInstant = action.start === minute && action.end === minute;
        for (const person of action.who) {
          const touched = people.get(person)?.touched ?? [];
          const isMissing = isInstant ? !touched.includes(action.at) : !isAt(person, action.at);
          if ((isInstant || isOn) && isMissing) report({ code: 'not_there', action: at, person });
        }
      }
      if (action.do !== 'activity' || !isOn) continue;
      const id = action.activity;
      const watchedBy = problem.activities.get(id)?.watchedBy ?? null;
      if (watchedBy !== null && !watchedBy.some((person) => isAt(person, action.at))) {
        report({ code: 'unwatched', action: at, activity: id });
      }
      const open = problem.facts.places.find((place) => place.id === action.at)?.open;
      if (open !== undefined && !open.some((pair) => isOpen(pair, minute, minute + 1))) {
        report({ code: 'closed_place', action: at, activity: id });
      }
    }
    countResources(problem, sound, minute, report);
  }
}

/** What has to be done before somebody leaves, and before a vehicle is used: at their first drives. */
function leave(
  problem: Problem,
  { vehicle, who, with: others }: Drive,
  at: number,
  minute: number,
  movers: readonly Mover[],
  isDone: (activity: string, time: number) => boolean,
  report: Report,
): void {
  for (const mover of movers) {
    if (mover.firstDrive !== at) continue;
    if (mover.isVehicle && mover.id === vehicle) {
      for (const activity of problem.vehicles.get(vehicle)?.after ?? []) {
        if (isDone(activity, minute)) continue;
        report({ code: 'vehicle_not_ready', action: at, vehicle, activity });
      }
    }
    if (mover.isVehicle || (mover.id !== who && !others.includes(mover.id))) continue;
    for (const activity of problem.people.get(mover.id)?.leavesAfter ?? []) {
      if (isDone(activity, minute)) continue;
      report({ code: 'left_early', action: at, person: mover.id, activity });
    }
  }
}

/** Range that is used up, told once a vehicle. */
function spend(
  problem: Problem,
  movers: readonly Mover[],
  metres: ReadonlyMap<number, number>,
  report: Report,
): void {
  for (const { id: vehicle, isVehicle, order } of movers) {
    let left = problem.vehicles.get(vehicle)?.range ?? 0;
    const empty = order.find((at) => {
      left -= metres.get(at) ?? 0;
      return left < -1e-6;
    });
    if (isVehicle && empty !== undefined) report({ code: 'out_of_range', action: empty, vehicle });
  }
}

function countResources(
  problem: Problem,
  sound: readonly { readonly action: CoordinationPlan['actions'][number]; readonly at: number }[],
  minute: number,
  report: Report,
): void {
  for (const { id, capacity } of problem.resources.values()) {
    let count = 0;
    let begins = -1;
    for (const { action, at } of sound) {
      if (action.do !== 'activity' || action.start > minute || action.end <= minute) continue;
      if (problem.activities.get(action.activity)?.uses.includes(id) !== true) continue;
      count++;
      if (action.start === minute && begins < 0) begins = at;
    }
    if (count > capacity && begins >= 0) report({ code: 'over_capacity', action: begins });
  }
}

/** What is judged of activities at their starts and ends, and over all of them. */
function judgeDoings(problem: Problem, doings: ReadonlyMap<number, Doing>, report: Report): void {
  const firsts = new Map<string, number>();
  for (const [at, doing] of doings) {
    const { activity } = doing;
    if (firsts.has(activity)) report({ code: 'repeated_activity', action: at, activity });
    else firsts.set(activity, at);
    judgeDoing(problem, doing, at, report);
    const open = problem.facts.places.find(({ id }) => id === doing.at)?.open;
    const isInstant = doing.start === doing.end;
    if (
      isInstant &&
      open !== undefined &&
      !open.some((one) => isOpen(one, doing.start, doing.end))
    ) {
      report({ code: 'closed_place', action: at, activity });
    }
  }
  for (const { id: activity, optional, after } of problem.activities.values()) {
    const at = firsts.get(activity);
    if (at === undefined) {
      if (!optional) report({ code: 'missing_activity', activity });
      continue;
    }
    for (const before of after) {
      const ends = doings.get(firsts.get(before) ?? -1)?.end;
      const starts = doings.get(at)?.start ?? 0;
      if (ends !== undefined && ends > starts) report({ code: 'order', action: at, activity });
    }
  }
}

function isOpen(pair: readonly string[], from: number, until: number): boolean {
  const [opens, closes] = pair.map((text) => {
    const [hours, minutes] = text.split(':');
    return 60 * Number(hours) + Number(minutes);
  });
  return opens <= from && until <= closes;
}
