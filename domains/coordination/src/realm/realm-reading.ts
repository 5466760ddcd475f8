import type { EventsFile } from '../events/events.js';
import type { ProblemFile } from '../model/problem-schema.js';

/** Kinds of findings in an instance: those that are read in a stated way … */
export const READ_CODES = [
  'reversed_window',
  'late_from_window_end',
  'roundabout_roads',
  'unequal_distances',
  'already_there',
] as const;

/** … and those for which it is refused. */
export const REFUSED_CODES = [
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
] as const;

export type RealmCode = (typeof READ_CODES)[number] | (typeof REFUSED_CODES)[number];

/** Something in an instance that contradicts itself, or that it does not say. */
export interface RealmFinding {
  readonly code: RealmCode;
  readonly message: string;
}

/** An instance of REALM-Bench as it was read. */
export interface RealmReading {
  readonly name: string;
  /** Null if the instance is refused. */
  readonly problem: ProblemFile | null;
  /** Its disruptions; null if there are none, or it is refused. */
  readonly events: EventsFile | null;
  /** Contradictions that are read in a stated way. */
  readonly contradictions: readonly RealmFinding[];
  /** Why it is refused; empty if it is not. */
  readonly refused: readonly RealmFinding[];
}

/** A reading of these findings, with a problem only if nothing speaks against it. */
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
