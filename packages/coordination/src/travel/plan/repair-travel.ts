import type { TravelVerdict } from '../judge/judge-travel.js';
import {
  bookingEdits,
  bookingKey,
  type TravelBooking,
  type TravelPlan,
} from '../model/travel-plan.js';
import type { TravelProblem } from '../model/travel-problem.js';
import { dependenciesOf, distancesFrom, inBookingOrder } from '../trip/dependencies.js';
import { planTravel } from './plan-travel.js';

/** A repaired plan of a trip. */
export interface TravelRepair {
  readonly plan: TravelPlan;
  /** How far from a violation bookings were given up; 0 only those that break a rule. */
  readonly level: number;
  /** Bookings that were given up or added. */
  readonly edits: number;
  /** Their share of all bookings before and after. */
  readonly editRadius: number;
}

/**
 * Repairs a plan with the least change, by levels: gives up the bookings that break a rule, then those next to them, and
 * so on, and searches for the cheapest plan that keeps all others. Null if no level leads to a plan.
 */
export function repairTravel(
  problem: TravelProblem,
  { bookings }: TravelPlan,
  { violations, valid }: Pick<TravelVerdict, 'violations' | 'valid'>,
): TravelRepair | null {
  if (valid) {
    const plan = { problem: problem.name, bookings, claimed: null };
    return { plan, level: 0, edits: 0, editRadius: 0 };
  }
  const broken = new Set(
    violations.flatMap((one) => one.bookings.map((at) => keyAt(bookings, at))),
  );
  const distinct = [...new Map(bookings.map((one) => [bookingKey(one), one])).values()];
  const ordered = inBookingOrder(problem, distinct);
  const on = dependenciesOf(ordered);
  const nodes = ordered.map((one, i) => {
    return { id: bookingKey(one), after: on[i].map((at) => bookingKey(ordered[at])) };
  });
  const struck = nodes.map(({ id }) => id).filter((id) => broken.has(id));
  const distances = distancesFrom(nodes, struck);
  const farthest = nodes.length;
  let tried = -1;
  for (let level = 0; level <= farthest; level++) {
    const keep = ordered.filter((one) => (distances.get(bookingKey(one)) ?? farthest) > level);
    if (keep.length === tried) continue;
    tried = keep.length;
    const [found] = planTravel(problem, { keep }).found;
    if (found !== undefined) return repairOf(distinct, found.plan, level);
  }
  return null;
}

function keyAt(bookings: readonly TravelBooking[], at: number): string {
  const booking = bookings[at];
  return booking === undefined ? '' : bookingKey(booking);
}

function repairOf(before: readonly TravelBooking[], plan: TravelPlan, level: number): TravelRepair {
  const { edits, radius } = bookingEdits(before.map(bookingKey), plan.bookings.map(bookingKey));
  return { plan, level, edits, editRadius: radius };
}
