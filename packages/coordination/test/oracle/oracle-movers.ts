import type { Action } from '../../src/model/plan.js';
import type { Problem } from '../../src/model/problem.js';
import type { Fault } from './faults.js';

interface Errand {
  readonly at: number;
  readonly start: number;
  readonly end: number;
  readonly from: string;
  readonly to: string;
  readonly isDrive: boolean;
}

/** Somebody or a vehicle that is moved through the minutes. */
export interface Mover {
  readonly id: string;
  readonly isVehicle: boolean;
  readonly from: number;
  readonly until: number;
  readonly errands: readonly Errand[];
  /** Positions of its actions in the plan, in the order in which they begin. */
  readonly order: readonly number[];
  readonly firstDrive: number | undefined;
  /** Where it is at first. */
  readonly home: string;
  next: number;
  place: string;
  engagedUntil: number;
  drivingUntil: number;
  /** Where it is in the minute that begins now; empty on the road and where it is not available. */
  here: string;
  /** Where it is at the stroke of now: where it was, arrives and leaves. */
  touched: string[];
}

export function moversOf(problem: Problem, actions: readonly (Action | null)[]): Mover[] {
  const mover = (
    one: {
      readonly id: string;
      readonly at: string;
      readonly from: number;
      readonly until: number;
    },
    isVehicle: boolean,
  ): Mover => {
    const errands = errandsOf(problem, actions, one.id, isVehicle);
    return {
      ...{ id: one.id, isVehicle, from: one.from, until: one.until, errands },
      order: errands.map(({ at }) => at),
      firstDrive: errands.find(({ isDrive }) => isDrive)?.at,
      ...{ next: 0, place: one.at, home: one.at },
      ...{ engagedUntil: -1e9, drivingUntil: -1e9, here: '', touched: [] },
    };
  };
  return [
    ...[...problem.vehicles.values()].map((one) => mover(one, true)),
    ...[...problem.people.values()].map((one) => mover(one, false)),
  ];
}

function errandsOf(
  problem: Problem,
  actions: readonly (Action | null)[],
  id: string,
  isVehicle: boolean,
): Errand[] {
  const errands: Errand[] = [];
  for (const [at, action] of actions.entries()) {
    if (action?.do === 'drive') {
      const isIn = isVehicle
        ? action.vehicle === id
        : action.who === id || action.with.includes(id);
      const { start, end, from, to } = action;
      if (isIn) errands.push({ at, start, end, from, to, isDrive: true });
    }
    if (action?.do === 'activity' && !isVehicle && action.who.includes(id)) {
      const busy = problem.activities.get(action.activity)?.busy ?? 0;
      const { start, at: place } = action;
      const end = Math.min(action.end, start + busy);
      errands.push({ at, start, end, from: place, to: place, isDrive: false });
    }
  }
  return errands.sort((a, b) => a.start - b.start || a.end - b.end || a.at - b.at);
}

/** Moves somebody or a vehicle on to a minute: what begins now is begun where the plan says. */
export function moveTo(mover: Mover, minute: number, report: (fault: Fault) => void): void {
  const isAround = mover.from <= minute && minute <= mover.until;
  mover.touched = mover.here === '' ? [] : [mover.here];
  const touch = () => {
    if (isAround && mover.drivingUntil <= minute) mover.touched.push(mover.place);
  };
  touch();
  for (; mover.errands[mover.next]?.start === minute; mover.next++) {
    const { at: action, end, from, to, isDrive } = mover.errands[mover.next];
    const about = { action, ...(mover.isVehicle ? { vehicle: mover.id } : { person: mover.id }) };
    if (minute < mover.from || end > mover.until) report({ code: 'not_available', ...about });
    if (minute < mover.engagedUntil) report({ code: 'overlap', ...about });
    if (from !== mover.place) report({ code: 'not_there', ...about });
    mover.place = from;
    touch();
    mover.engagedUntil = Math.max(mover.engagedUntil, end);
    if (!isDrive) continue;
    mover.place = to;
    mover.drivingUntil = Math.max(mover.drivingUntil, end);
    touch();
  }
  const isHere = isAround && minute < mover.until && mover.drivingUntil <= minute;
  mover.here = isHere ? mover.place : '';
}
