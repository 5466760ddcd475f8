/** All kinds of violations of a trip, in the order in which they are listed: causes before their consequences. */
export const TRAVEL_VIOLATION_CODES = [
  'unknown_offer',
  'cancelled_offer',
  'wrong_dates',
  'past_rewritten',
  'past_invented',
  'booked_twice',
  'sold_out',
  'too_few_beds',
  'not_there',
  'not_home',
  'missing_stay',
  'unasked_stay',
  'wrong_order',
  'outside_period',
  'too_tight',
  'wrong_nights',
  'no_bed',
  'two_beds',
  'bed_elsewhere',
  'moves_hotel',
  'late_check_in',
  'early_departure',
  'no_pass',
  'pass_not_valid',
  'pass_used_up',
  'preference_required',
  'over_budget',
  'false_claim',
] as const;

export type TravelViolationCode = (typeof TRAVEL_VIOLATION_CODES)[number];

/** One violation, with the numbers that prove it. */
export interface TravelViolation {
  readonly code: TravelViolationCode;
  /** One line for people. */
  readonly message: string;
  /** Positions in `plan.bookings` that the violation is about. */
  readonly bookings: readonly number[];
  readonly city?: string;
  /** The required and the actual value: minutes, days since 1970, nights, travellers, or hundredths. */
  readonly expected?: number;
  readonly found?: number;
}

export type ReportTravel = (violation: TravelViolation) => void;

/** Sorts violations by the order of their codes, then by their bookings. */
export function sortTravelViolations(violations: readonly TravelViolation[]): TravelViolation[] {
  const rank = ({ code }: TravelViolation) => TRAVEL_VIOLATION_CODES.indexOf(code);
  const place = ({ bookings }: TravelViolation) => bookings[0] ?? Number.MAX_SAFE_INTEGER;
  return violations.toSorted((a, b) => rank(a) - rank(b) || place(a) - place(b));
}
