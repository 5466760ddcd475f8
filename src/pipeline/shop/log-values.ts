import type { LoggedEvent } from '@alas-jssp/living-plan';
import type { DisruptionEvent } from '../../disruption/event.js';
import { labelEvent } from '../../disruption/event-words.js';
import { readEventList } from '../../disruption/events-json.js';
import { labelsWith } from '../../disruption/labels.js';
import type { Instance } from '../../jssp/instance.js';

/**
 * Encodes events for the log, in the format of files and without undefined members.
 *
 * @param instance the shop before the first of the events
 */
export function logEvents(events: readonly DisruptionEvent[], instance: Instance): LoggedEvent[] {
  const labels = labelsWith(instance, events);
  return events.map(
    (event) => JSON.parse(JSON.stringify(labelEvent(event, labels))) as LoggedEvent,
  );
}

/**
 * Reads events of a log or of a message.
 *
 * @param instance the shop before the first of the events
 * @param now default of the time at which an event becomes known
 * @throws InputError `bad_event`
 */
export function readLoggedEvents(
  events: readonly LoggedEvent[],
  instance: Instance,
  now?: number,
): DisruptionEvent[] {
  return readEventList(events, { instance, knownBy: now });
}

/** Groups events by the time at which they become known, in increasing order; each group keeps the given order. */
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
