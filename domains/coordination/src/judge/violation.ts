/**
 * Everything that can be wrong with a plan, in the order in which violations are listed: causes before what they
 * lead to.
 */
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

/** Codes of actions that cannot be read: such an action is left out of all else that is judged. */
export const UNSOUND_CODES: readonly ViolationCode[] = [
  'unknown_name',
  'wrong_times',
  'repeated_person',
];

/** One thing that is wrong, with the numbers that prove it. */
export interface Violation {
  readonly code: ViolationCode;
  /** One line for people. */
  readonly message: string;
  /** Position in `plan.actions`, if it is about an action. */
  readonly action?: number;
  readonly person?: string;
  readonly vehicle?: string;
  readonly activity?: string;
  readonly ride?: string;
  /** Minutes since midnight or of a duration, metres, people: asked for and found. */
  readonly expected?: number;
  readonly found?: number;
}

/** Violations by the order of their codes, then by the actions they are about. */
export function sortViolations(violations: readonly Violation[]): Violation[] {
  const rank = ({ code }: Violation) => VIOLATION_CODES.indexOf(code);
  const place = ({ action = Number.POSITIVE_INFINITY }: Violation) => action;
  return violations.toSorted(
    (a, b) => rank(a) - rank(b) || (place(a) === place(b) ? 0 : place(a) - place(b)),
  );
}
