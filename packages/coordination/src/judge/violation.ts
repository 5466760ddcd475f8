/** All kinds of violations, in the order in which they are listed: causes before their consequences. */
export const VIOLATION_CODES = [
  'unknown_name',
  'wrong_times',
  'repeated_person',
  'past_rewritten',
  'past_invented',
  'no_road',
  'closed_road',
  'too_fast',
  'not_available',
  'not_there',
  'overlap',
  'left_early',
  'vehicle_not_ready',
  'no_driver',
  'wrong_driver',
  'too_many_passengers',
  'out_of_range',
  'wrong_place',
  'too_short',
  'wrong_person',
  'too_few_people',
  'outside_window',
  'closed_place',
  'order',
  'unwatched',
  'over_capacity',
  'repeated_activity',
  'missing_activity',
  'not_served',
  'wrong_vehicle',
  'pickup_outside',
  'arrival_outside',
  'not_together',
  'not_apart',
  'false_claim',
] as const;

export type ViolationCode = (typeof VIOLATION_CODES)[number];

/** Codes of unreadable actions, which are excluded from all other checks. */
export const UNSOUND_CODES: readonly ViolationCode[] = [
  'unknown_name',
  'wrong_times',
  'repeated_person',
];

/** One violation, with the numbers that prove it. */
export interface Violation {
  readonly code: ViolationCode;
  /** One line for people. */
  readonly message: string;
  /** Position in `plan.actions`, if the violation is about an action. */
  readonly action?: number;
  readonly person?: string;
  readonly vehicle?: string;
  readonly activity?: string;
  readonly ride?: string;
  /** The required and the actual value: minutes since midnight or of a duration, metres, or people. */
  readonly expected?: number;
  readonly found?: number;
}

export type ReportViolation = (violation: Violation) => void;

/** Sorts violations by the order of their codes, then by their actions. */
export function sortViolations(violations: readonly Violation[]): Violation[] {
  const rank = ({ code }: Violation) => VIOLATION_CODES.indexOf(code);
  const place = ({ action = Number.POSITIVE_INFINITY }: Violation) => action;
  return violations.toSorted(
    (a, b) => rank(a) - rank(b) || (place(a) === place(b) ? 0 : place(a) - place(b)),
  );
}
