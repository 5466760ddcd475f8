import { InputError } from '@alas-jssp/core/errors';
import type { CheckedJson } from '@alas-jssp/core/json-fault';
import { isObject } from '@alas-jssp/core/json-path';
import { readTimes, writeTimes } from '../jssp/formats/time-fields.js';
import type { TimeScale } from '../jssp/shop-clock.js';
import { findKind } from './kind-of.js';

const EVENT_TIMES = ['at', 'from', 'to', 'until'];
const JOB_TIMES = ['release', 'due'];

/** An event of a file with dates replaced by numbers, if the shop has a clock. */
export function withoutDates(
  event: unknown,
  scale: TimeScale | null | undefined,
): CheckedJson<unknown> {
  if (!scale || !isObject(event)) return { data: event };
  try {
    const data = readTimes(event, timesOf(event), scale, { code: 'bad_event', path: [] });
    if (!isObject(event.job)) return { data };
    const place = { code: 'bad_event', path: ['job'] };
    return { data: { ...data, job: readTimes(event.job, JOB_TIMES, scale, place) } };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problem, hint, value: found, location, facts } = error;
    const path = (location.path ?? '$').split('.').slice(1);
    return { fault: { path, problem, hint, found, facts } };
  }
}

/** An event for a file, with dates in place of numbers if the shop has a clock. */
export function withDates(
  event: Record<string, unknown>,
  scale: TimeScale | null | undefined,
): Record<string, unknown> {
  if (!scale) return event;
  const dated = writeTimes(event, timesOf(event), scale);
  return isObject(event.job) ? { ...dated, job: writeTimes(event.job, JOB_TIMES, scale) } : dated;
}

/** The members of an event that are times. */
function timesOf({ kind }: Record<string, unknown>): readonly string[] {
  const more = findKind(kind)?.times;
  return more === undefined ? EVENT_TIMES : [...EVENT_TIMES, ...more];
}
