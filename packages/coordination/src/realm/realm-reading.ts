import type { EventsFile } from '../events/events.js';
import type { ProblemFile } from '../model/problem-schema.js';

/** Codes of findings that are resolved by a stated rule. */
const READ_CODES = [
  'reversed_window',
  'late_from_window_end',
  'roundabout_roads',
  'unequal_distances',
  'already_there',
  'unused_fact',
  'read_as',
] as const;

/** Codes of findings for which an instance is refused. */
const REFUSED_CODES = [
  'unreadable',
  'repeated_instance',
  'unknown_place',
  'repeated_name',
  'unreachable',
  'out_of_fuel',
  'place_without_travel',
  'route_without_travel',
  'errand_without_place',
  'task_without_minutes',
  'unknown_task',
  'task_without_cook',
  'unsaid_goal',
  'unsaid_demand',
  'unsaid_price',
  'unsaid_speed',
  'unsaid_base',
  'unsaid_amount',
] as const;

export type RealmCode = (typeof READ_CODES)[number] | (typeof REFUSED_CODES)[number];

/** A contradiction or a gap in an instance. */
export interface RealmFinding {
  readonly code: RealmCode;
  readonly message: string;
}

/** The result of reading an instance of REALM-Bench. */
export interface RealmReading {
  readonly name: string;
  /** Null if the instance is refused. */
  readonly problem: ProblemFile | null;
  /** Its disruptions; null if there are none, or the instance is refused. */
  readonly events: EventsFile | null;
  /** Contradictions resolved by a stated rule. */
  readonly contradictions: readonly RealmFinding[];
  /** Reasons for the refusal; empty if it is accepted. */
  readonly refused: readonly RealmFinding[];
}

/** The result for some findings; it has a problem only if none of them is a reason for refusal. */
export function readingOf(
  name: string,
  findings: readonly RealmFinding[],
  make: () => Pick<RealmReading, 'problem' | 'events'>,
): RealmReading {
  const isRead = ({ code }: RealmFinding) => READ_CODES.some((one) => one === code);
  const refused = findings.filter((finding) => !isRead(finding));
  return {
    name,
    ...(refused.length === 0 ? make() : { problem: null, events: null }),
    contradictions: findings.filter(isRead),
    refused,
  };
}
