import * as z from 'zod';
import type { Draft } from '../draft.js';

// The parts of events that last from `from` to `to`, which may be unknown or an estimate.

/** A test whether an event ends after it begins; {@link endsLater} is its hint. */
export function endsAfterBegin({
  from,
  to = from + 1,
}: {
  readonly from: number;
  readonly to?: number | undefined;
}): boolean {
  return to > from;
}

/** The hint of {@link endsAfterBegin}. */
export const endsLater = { message: 'let it end after it begins', path: ['to'] };

/** The mark of an event whose end is an estimate. */
export const estimated = z.literal(true, 'give true, or leave it out').optional();

/** The event if it is processed at `now`, after its report: one in progress begins now, one that has ended is unchanged. */
export function beginNow<
  Event extends { readonly at: number; readonly from: number; readonly to?: number | undefined },
>(event: Event, now: number): Event {
  const isPast = event.from < now && (event.to ?? now + 1) > now;
  return isPast ? { ...event, from: now, at: now } : event;
}

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
