import type { Drive } from '../model/plan.js';
import type { Ride } from '../model/problem.js';
import { isWithin, type Window } from '../model/window.js';
import type { Engagement } from './timeline.js';

/** A drive of a person, and the minute from which on they could be aboard. */
export interface Leg {
  readonly action: number;
  readonly drive: Drive;
  /** They and the vehicle stand where it begins from then on; its start if one of them comes at the last minute. */
  readonly boards: number;
}

/** The drives of one person of a ride, from the pick-up to the arrival. */
export interface Trip {
  readonly person: string;
  readonly legs: readonly Leg[];
}

/** Whether a person is picked up in time: the vehicle leaves late enough, and they could be aboard early enough. */
export function isPickedUp({ drive, boards }: Leg, { earliest, latest }: Window): boolean {
  return drive.start >= earliest && boards <= latest;
}

export function mayCarry({ vehicles }: Ride, { drive }: Leg): boolean {
  return vehicles === null || vehicles.includes(drive.vehicle);
}

/**
 * The trips of a person that a ride may be about, from any departure at its beginning to any later arrival at its end:
 * those with the fewest faults, later departures first, and of one departure earlier arrivals. Whoever comes by either place again, aboard or not, is not judged by that.
 */
export function* tripsOf(ride: Ride, person: string, legs: readonly Leg[]): Generator<Trip> {
  const { from, to, pickup, arrive } = ride;
  /** Faults of a trip are the sum of its beginning, its end, and `wrong` of all legs up to it, less those before it. */
  const begins: number[] = [];
  const ends: number[] = [];
  let [wrong, leastBegin, fewest] = [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const leg of legs) {
    const { drive } = leg;
    begins.push(
      drive.from === from ? Number(!isPickedUp(leg, pickup)) - wrong : Number.POSITIVE_INFINITY,
    );
    leastBegin = Math.min(leastBegin, begins[begins.length - 1]);
    wrong += Number(!mayCarry(ride, leg));
    ends.push(
      drive.to === to ? Number(!isWithin(drive.end, arrive)) + wrong : Number.POSITIVE_INFINITY,
    );
    fewest = Math.min(fewest, leastBegin + ends[ends.length - 1]);
  }
  if (fewest === Number.POSITIVE_INFINITY) return;
  let leastEnd = Number.POSITIVE_INFINITY;
  for (let first = legs.length - 1; first >= 0; first--) {
    leastEnd = Math.min(leastEnd, ends[first]);
    if (begins[first] + leastEnd !== fewest) continue;
    for (let last = first; last < legs.length; last++) {
      if (begins[first] + ends[last] === fewest) {
        yield { person, legs: legs.slice(first, last + 1) };
      }
    }
  }
}

/**
 * The minute from which on something or somebody is ready where each engagement begins, and does not go elsewhere until then;
 * by the action.
 */
export function readySince(
  { at, from }: { readonly at: string; readonly from: number },
  engagements: readonly Engagement[],
): Map<number, number> {
  const found = new Map<number, number>();
  let [place, since] = [at, from];
  for (const { action, start, end, from: begin, to } of engagements) {
    found.set(action, begin === place ? Math.min(start, since) : start);
    since = Math.max(since, end);
    place = to;
  }
  return found;
}
