import { DAY } from '../model/moment.js';
import { costOfTravel, type TravelCost } from '../model/travel-cost.js';
import { bookingKey, type TravelBooking, type TravelPlan } from '../model/travel-plan.js';
import { formatMoney, type TravelProblem } from '../model/travel-problem.js';
import { judgeJourney } from './judge-journey.js';
import {
  isKnownBooking,
  judgeAvailability,
  judgeBookingClaims,
  judgePasses,
} from './judge-offers.js';
import {
  type ReportTravel,
  sortTravelViolations,
  type TravelViolation,
} from './travel-violation.js';

/** The verdict about a plan of a trip. */
export interface TravelVerdict {
  readonly valid: boolean;
  /** All violations, causes before their consequences. */
  readonly violations: readonly TravelViolation[];
  readonly cost: TravelCost;
}

/** The bookings before a change, and the minute in UTC up to which the trip has been made. */
export interface TravelPast {
  readonly bookings: readonly TravelBooking[];
  readonly now: number;
}

/**
 * Judges a plan of a trip: offers, seats and rooms, the journey from home and back, times between hotels and terminals,
 * nights, passes, budget, required preferences, and what the plan says of itself. With `past`, it also checks that the
 * plan does not rewrite the past. It imports only the model.
 */
export function judgeTravel(
  problem: TravelProblem,
  plan: Pick<TravelPlan, 'bookings' | 'claimed'>,
  past?: TravelPast,
): TravelVerdict {
  const violations: TravelViolation[] = [];
  const report: ReportTravel = (violation) => void violations.push(violation);
  const bookings = plan.bookings.map((booking, at) =>
    isKnownBooking(problem, booking, at, report) ? booking : null,
  );
  if (past !== undefined) judgeTravelPast(problem, plan.bookings, past, report);
  judgeAvailability(problem, bookings, report);
  const { nights, start } = judgeJourney(problem, bookings, report);
  judgePasses(problem, bookings, report);
  for (const [at, booking] of bookings.entries()) {
    if (booking !== null) judgeBookingClaims(problem, booking, at, report);
  }
  const known = bookings.filter((booking) => booking !== null);
  const cost = costOfTravel(problem, known, nights, start);
  judgeMoney(problem, plan, cost, report);
  return { valid: violations.length === 0, violations: sortTravelViolations(violations), cost };
}

function judgeMoney(
  { budget, currency }: TravelProblem,
  { claimed }: Pick<TravelPlan, 'claimed'>,
  { money, broken }: TravelCost,
  report: ReportTravel,
): void {
  for (const { preference, times } of broken) {
    if (!preference.required) continue;
    const message = `required, but broken ${times === 1 ? 'once' : `${times} times`}: ${preference.kind}`;
    report({ code: 'preference_required', message, bookings: [], expected: 0, found: times });
  }
  if (money > budget) {
    const message = `the bookings cost ${formatMoney(money)} ${currency}, more than ${formatMoney(budget)}`;
    report({ code: 'over_budget', message, bookings: [], expected: budget, found: money });
  }
  if (claimed !== null && claimed !== money) {
    const message = `the plan says it costs ${formatMoney(claimed)}, by the offers it costs ${formatMoney(money)}`;
    report({ code: 'false_claim', message, bookings: [], expected: money, found: claimed });
  }
}

/** The minute in UTC at which a booking begins to be used; null for passes, which have no time of their own. */
export function beginsAt(problem: TravelProblem, booking: TravelBooking): number | null {
  if (booking.kind === 'pass') return null;
  if (booking.kind !== 'hotel') return problem.transports.get(booking.offer)?.departsUtc ?? null;
  const hotel = problem.hotels.get(booking.offer);
  if (hotel === undefined) return null;
  return DAY * booking.from + hotel.checkIn[0] - (problem.offsets.get(hotel.city) ?? 0);
}

/** Checks that what has begun stays as it was, and that nothing new begins before now. */
function judgeTravelPast(
  problem: TravelProblem,
  bookings: readonly TravelBooking[],
  { bookings: before, now }: TravelPast,
  report: ReportTravel,
): void {
  const kept = new Set(bookings.map(bookingKey));
  const known = new Set(before.map(bookingKey));
  for (const booking of before) {
    const begins = beginsAt(problem, booking);
    if (begins === null || begins >= now || kept.has(bookingKey(booking))) continue;
    const message = `${booking.offer} has begun, but the plan leaves it out`;
    report({ code: 'past_rewritten', message, bookings: [] });
  }
  for (const [at, booking] of bookings.entries()) {
    const begins = beginsAt(problem, booking);
    if (begins === null || begins >= now || known.has(bookingKey(booking))) continue;
    const message = `${booking.offer} begins before now`;
    report({ code: 'past_invented', message, bookings: [at] });
  }
}
