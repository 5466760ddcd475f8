import type { Drive } from '../model/plan.js';
import type { Ride } from '../model/problem.js';
import { isWithin, type Window } from '../model/window.js';
import type { Engagement } from './timeline.js';

/** A drive of a person, and the minute from which the person can be aboard. */
export interface Leg {
  readonly action: number;
  readonly drive: Drive;
  /**
   * The minute from which both person and vehicle are at its start; the start of the drive if one arrives only then.
   */
  readonly boards: number;
}

/** The drives of one person of a ride, from the pick-up to the arrival. */
export interface Trip {
  readonly person: string;
  readonly legs: readonly Leg[];
}

/**
 * Whether a person is picked up in the window: the vehicle leaves late enough, and the person can board early enough.
 */
export function isPickedUp({ drive, boards }: Leg, { earliest, latest }: Window): boolean {
  return drive.start >= earliest && boards <= latest;
}

export function mayCarry({ vehicles }: Ride, { drive }: Leg): boolean {
  return vehicles === null || vehicles.includes(drive.vehicle);
}

/**
 * The trips that may serve a ride of a person, from any departure at its start to any later arrival at its end: those
 * with the fewest faults, later departures first, then earlier arrivals. Other visits to either place, aboard or not,
 * are no faults.
 */
export function* tripsOf(ride: Ride, person: string, legs: readonly Leg[]): Generator<Trip> {
  const { from, to, pickup, arrive } = ride;
  /**
   * The faults of a trip are those of its beginning and of its end, plus the difference of prefix sums of `wrong` over
   * its legs.
   */
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

/** The minute from which a person or a vehicle waits at the start of each engagement without leaving, by action. */
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
