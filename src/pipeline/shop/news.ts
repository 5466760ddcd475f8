import { canonicalJson } from '../../core/canonical-json.js';
import { AlasError, type ErrorFacts, InputError } from '../../core/errors.js';
import { sha256 } from '../../core/sha256.js';
import type { DisruptionEvent } from '../../disruption/event.js';
import { readEventList } from '../../disruption/events-json.js';
import { labelEvent, labelsWith } from '../../disruption/labels.js';
import type { Instance } from '../../jssp/instance.js';
import type { RefusalReason } from '../../jssp/sentences/english.js';
import type { LoggedEvent, TellerNote } from './shop-values.js';

/**
 * Events as the log has them: in the form of files, without what is undefined.
 *
 * @param instance the shop to which they happen one after the other
 */
export function logEvents(events: readonly DisruptionEvent[], instance: Instance): LoggedEvent[] {
  const labels = labelsWith(instance, events);
  return events.map((event) => withoutUndefined(labelEvent(event, labels)) as LoggedEvent);
}

/** An object without the keys that JSON would not have, here and in objects inside of it. */
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
 * Reads events of a log, or of a message.
 *
 * @param instance the shop to which they happen one after the other
 * @param now when they are known at the latest, where they do not say it
 * @throws InputError `bad_event`
 */
export function readLoggedEvents(
  events: readonly LoggedEvent[],
  instance: Instance,
  now?: number,
): DisruptionEvent[] {
  return readEventList(events, { instance, knownBy: now });
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

/** An error in the words of a foreman: what is wrong, without where it stands in a program; with its facts. */
export function refusalOf(error: unknown): RefusalReason {
  if (error instanceof InputError) {
    return { reason: `${error.problem}; ${error.hint}`, ...loggedFacts(error) };
  }
  if (error instanceof AlasError) return { reason: error.message, ...loggedFacts(error) };
  throw error;
}

/** Code and facts of an error as the log keeps them; it has the event and the scale elsewhere. */
export function loggedFacts({ code, facts = {} }: AlasError): Omit<RefusalReason, 'reason'> {
  const { event: _, scale: __, ...rest } = facts;
  return { code, ...(Object.keys(rest).length > 0 && { facts: rest as ErrorFacts }) };
}

/** A name that the log can take. @throws InputError `bad_name` */
export function nameOf(by: unknown): string {
  if (typeof by === 'string' && by !== '') return by;
  throw new InputError('bad_name', `who says so is ${JSON.stringify(by)}`, 'give a name', {}, by);
}

/** The digest of a request, which tells it from another one with the same key. */
export function requestDigest(request: unknown): string {
  return sha256(canonicalJson(request)).slice(0, 16);
}

/** Another request with a key that one had. */
export function otherRequest(key: string): InputError {
  const problem = `the idempotency key ${JSON.stringify(key.slice(0, 80))} belongs to another request`;
  return new InputError('other_request', problem, 'give each request a key of its own');
}

/** The members of a note that are there, for the log. */
export function loggedNote({ by, role, key, asked }: TellerNote = {}): Record<string, string> {
  return {
    ...(by !== undefined && { by: nameOf(by) }),
    ...(role !== undefined && { role }),
    ...(key !== undefined && asked !== undefined && { key, asked }),
  };
}
