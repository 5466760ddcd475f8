import type { Draft } from '../draft.js';

/** The default duration of a breakdown without a known end, as a share of the makespan. */
const ESTIMATED_SHARE = 0.05;

/**
 * The end of an event whose end is unknown.
 *
 * @param estimate the duration; null for 5 % of the makespan of the schedule
 */
export function estimatedEnd({ schedule }: Draft, from: number, estimate: number | null): number {
  const makespan = () => schedule.end.reduce((latest, end) => Math.max(latest, end), 0);
  return from + Math.max(1, estimate ?? Math.ceil(ESTIMATED_SHARE * makespan()));
}
