import { AlasError, InputError } from '../../core/errors.js';
import { faultError } from '../../core/json-check.js';
import type { DisruptionEvent } from '../../disruption/event.js';
import { readEvent } from '../../disruption/event-schema.js';
import { labelEvent } from '../../disruption/labels.js';
import type { LoggedEvent } from './shop-values.js';

/** Events as the log has them: in the form of files, without what is undefined. */
export function logEvents(events: readonly DisruptionEvent[]): LoggedEvent[] {
  return events.map((event) => JSON.parse(JSON.stringify(labelEvent(event))) as LoggedEvent);
}

/**
 * Reads events of a log, or of a message.
 *
 * @param now when they are known at the latest, where they do not say it
 * @throws InputError `bad_event`
 */
export function readLoggedEvents(events: readonly LoggedEvent[], now?: number): DisruptionEvent[] {
  return events.map((event, i) => {
    const read = readEvent(event, 'labelled', now);
    if (read.fault === undefined) return read.data;
    throw faultError('bad_event', read.fault, undefined, ['events', i]);
  });
}

/** Events by the time at which they become known, in increasing order; of one instant in the order given. */
export function byInstant<E extends { readonly at: number }>(
  events: readonly E[],
): readonly (readonly [now: number, events: readonly E[]])[] {
  const instants = new Map<number, E[]>();
  for (const event of events) {
    const others = instants.get(event.at);
    if (others === undefined) instants.set(event.at, [event]);
    else others.push(event);
  }
  return [...instants].sort(([a], [b]) => a - b);
}

/** An error in the words of a foreman: what is wrong, without where it stands in a program. */
export function reasonOf(error: unknown): string {
  if (error instanceof InputError) return `${error.problem}; ${error.cure}`;
  if (error instanceof AlasError) return error.message;
  throw error;
}
