import type { InputError } from '../core/errors.js';
import { faultError } from '../core/json-check.js';
import type { Instance } from '../jssp/instance.js';
import type { Labels } from '../jssp/labels.js';
import type { Schedule } from '../jssp/schedule.js';
import { finishDraft, type OpenDraft, openDraft } from './draft.js';
import { resolveEvent, TOO_LATE, takeEffect } from './effects.js';
import type { Arrival, DisruptionEvent, EffectiveEvent, EventInput } from './event.js';
import { readEvent } from './event-schema.js';
import { labelsWith, withNumbers } from './labels.js';
import { startedOperations } from './progress.js';

/** Options of {@link applyEvents}. */
export interface ApplyOptions {
  /**
   * The fate of an event that comes too late, as for an operation that is done: `refuse` (the
   * default) throws, `skip` lists it in the result. Simulations of given events want the latter.
   */
  readonly tooLate?: 'refuse' | 'skip' | undefined;
  /** The time that a breakdown without a known end takes; null (the default): 5 % of the makespan, rounded up. */
  readonly breakdownEstimate?: number | null | undefined;
}

/** A job that has come, and its name, which an instance does not know. */
export interface ArrivedJob {
  readonly job: number;
  readonly name: string | undefined;
}

/** The next instance in execution, and how it came from the one before. */
export interface AppliedEvents {
  readonly now: number;
  /** Started operations are frozen; all others are free and not released before `now`. */
  readonly instance: Instance;
  /** For each operation before: its number now, −1 if it was cancelled. Jobs keep their numbers. */
  readonly newOf: Int32Array;
  /** For each operation now: its number before, −1 if it is of a new job. */
  readonly oldOf: Int32Array;
  /** The operations (numbers now) that were running and must start again, ascending. */
  readonly lost: Int32Array;
  readonly arrived: readonly ArrivedJob[];
  /** Events that took effect, in the order given, with nothing left out (delays name their step, too). */
  readonly events: readonly EffectiveEvent[];
  /** Events that came too late, and why. */
  readonly skipped: readonly { readonly event: DisruptionEvent; readonly reason: InputError }[];
}

/**
 * Takes an instance in execution through events at time `now`: a schedule says what has been
 * started by then (all that starts before `now`), the events what is different from now on. What
 * has started is frozen at its start. A running operation is stretched by resumable downtimes; one
 * that meets a non-resumable downtime before it is done is lost and free again, and the time it
 * has held its machine constrains no other any more. Events take effect one after the other, as if
 * each were handled on its own at the same time. O(N), and O(downtimes + operations of a machine) for each event.
 *
 * Nothing given is changed. Jobs keep their numbers for good: those that arrive get the next ones
 * in the order of the events, those that are cancelled keep what has started, or are empty.
 *
 * @param schedule a feasible schedule of the instance in execution; what is not scheduled (−1) has
 *   not started
 * @param events what has become known by `now`, in the order in which it takes effect; `at` is
 *   `now` or the time of the effect where it is left out
 * @throws InputError `bad_event` for an event that is not in form; `not_known_yet`; `before_now`
 *   if it changes the past; one of {@link TOO_LATE}; `unknown_machine` or `unknown_job`; `bad_now`
 *   and `bad_execution` if clock and schedule do not fit; `bad_instance` if times become too large
 */
export function applyEvents(
  schedule: Schedule,
  events: readonly EventInput[],
  now: number,
  options: ApplyOptions = {},
): AppliedEvents {
  const complete = completeEvents(events, now, schedule.instance);
  const arrivals = complete.filter((event): event is Arrival => event.kind === 'arrival');
  const draft = openDraft(schedule, startedOperations(schedule, now), arrivals, now);
  const effects = applyToDraft(draft, complete, options);
  const { instance, newOf, oldOf } = finishDraft(draft);
  const lost = Int32Array.from(draft.lost, (op) => newOf[op]).filter((op) => op >= 0);
  return {
    now,
    instance,
    newOf,
    oldOf,
    lost: lost.sort(),
    arrived: arrivals.map(({ job: { name } }, i) => ({ job: schedule.instance.jobs + i, name })),
    ...effects,
  };
}

/**
 * Checks the form of events and fills in what was left out, see {@link applyEvents}; without `now` they say when.
 *
 * @param instance the shop to which they happen one after the other, whose names they may have; without it numbers only
 */
export function completeEvents(
  events: readonly EventInput[],
  now?: number,
  instance?: Instance,
): DisruptionEvent[] {
  const labels = instance && labelsWith(instance, events);
  return events.map((event, i) => completeEvent(event, i, now, labels));
}

/**
 * Lets events take effect on a draft, one after the other.
 *
 * @throws InputError as {@link applyEvents} does; the draft is spoilt then
 */
export function applyToDraft(
  draft: OpenDraft,
  events: readonly DisruptionEvent[],
  { tooLate = 'refuse', breakdownEstimate = null }: ApplyOptions,
): Pick<AppliedEvents, 'events' | 'skipped'> {
  const skipped: { event: DisruptionEvent; reason: InputError }[] = [];
  const applied: EffectiveEvent[] = [];
  for (const one of events) {
    const event = resolveEvent(draft, one, breakdownEstimate);
    const reason = takeEffect(draft, event);
    if (reason === undefined) {
      applied.push(event);
      continue;
    }
    if (tooLate === 'refuse' || !isTooLate(reason)) throw reason;
    skipped.push({ event, reason });
  }
  return { events: applied, skipped };
}

/**
 * The starts of a schedule in the numbers that operations have after events: what was planned. N
 * entries, −1 for operations that are new or had no start. Those that were lost keep the start they
 * had taken.
 */
export function carrySchedule({ start }: Schedule, { oldOf }: AppliedEvents): Int32Array {
  return oldOf.map((op) => (op < 0 ? -1 : start[op]));
}

function completeEvent(
  event: EventInput,
  i: number,
  now: number | undefined,
  labels: Labels | undefined,
): DisruptionEvent {
  const counted = labels === undefined ? { data: event } : withNumbers(event, labels);
  if (counted.fault !== undefined) {
    throw faultError('bad_event', counted.fault, undefined, ['events', i]);
  }
  const read = readEvent(counted.data, 'counted', now);
  if (read.fault === undefined) return read.data;
  throw faultError('bad_event', read.fault, undefined, ['events', i]);
}

function isTooLate({ code }: InputError): boolean {
  return (TOO_LATE as readonly string[]).includes(code);
}
