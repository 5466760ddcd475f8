import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError, type ErrorFacts, InputError } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import type { DisruptionEvent } from '../../disruption/event.js';
import { readEventList } from '../../disruption/events-json.js';
import { labelEvent, labelsWith } from '../../disruption/labels.js';
import type { Instance } from '../../jssp/instance.js';
import type { RefusalReason } from '../../jssp/sentences/english.js';
import type { CommandMeta, LoggedEvent } from './shop-values.js';

/**
 * Encodes events for the log, in the format of files and without undefined members.
 *
 * @param instance the shop before the first of the events
 */
export function logEvents(events: readonly DisruptionEvent[], instance: Instance): LoggedEvent[] {
  const labels = labelsWith(instance, events);
  return events.map((event) => withoutUndefined(labelEvent(event, labels)) as LoggedEvent);
}

/** Removes undefined members, also in nested objects. */
function withoutUndefined(object: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    kept[key] = isObject ? withoutUndefined(value as Record<string, unknown>) : value;
  }
  return kept;
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

/** Converts an error to a refusal: the problem without its location in a file, and its facts. @throws any other error */
export function refusalOf(error: unknown): RefusalReason {
  if (error instanceof InputError) {
    return { reason: `${error.problem}; ${error.hint}`, ...loggedFacts(error) };
  }
  if (error instanceof AlasError) return { reason: error.message, ...loggedFacts(error) };
  throw error;
}

/** The code and facts of an error for the log, which holds the event and the scale elsewhere. */
export function loggedFacts({ code, facts = {} }: AlasError): Omit<RefusalReason, 'reason'> {
  const { event: _, scale: __, ...rest } = facts;
  return { code, ...(Object.keys(rest).length > 0 && { facts: rest as ErrorFacts }) };
}

/** Checks the name of a caller for the log. @throws InputError `bad_name` */
export function nameOf(by: unknown): string {
  if (typeof by === 'string' && by !== '') return by;
  throw new InputError(
    'bad_name',
    `the name of the caller is ${JSON.stringify(by)}`,
    'give a name',
    {},
    by,
  );
}

/** A digest of a request, which distinguishes it from another one with the same key. */
export function requestDigest(request: unknown): string {
  return sha256(canonicalJson(request)).slice(0, 16);
}

/** The error for a different request with a key that was used before. */
export function otherRequest(key: string): InputError {
  const problem = `the idempotency key ${JSON.stringify(key.slice(0, 80))} belongs to another request`;
  return new InputError('other_request', problem, 'give each request a key of its own');
}

/** The defined members of the metadata of a command, for the log. @throws InputError `bad_name` */
export function loggedMeta({ by, role, key, digest }: CommandMeta = {}): Record<string, string> {
  return {
    ...(by !== undefined && { by: nameOf(by) }),
    ...(role !== undefined && { role }),
    ...(key !== undefined && digest !== undefined && { key, digest }),
  };
}
