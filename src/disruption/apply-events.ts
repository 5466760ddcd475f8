import type { InputError } from '@alas-jssp/core/errors';
import { faultError } from '@alas-jssp/core/json-fault';
import type { Instance } from '../jssp/instance.js';
import type { Schedule } from '../jssp/schedule.js';
import type { Arrival } from './arriving.js';
import { finishDraft, type OpenDraft, openDraft } from './draft.js';
import { resolveEvent, takeEffect } from './effects.js';
import type { DisruptionEvent, EffectiveEvent, EventInput } from './event.js';
import { readEvent } from './event-schema.js';
import { type EventLabels, labelsWith, withNumbers } from './labels.js';
import { startedOperations } from './progress.js';
import { TOO_LATE } from './refusals.js';

/** Options of {@link applyEvents}. */
export interface ApplyOptions {
  /**
   * The treatment of an event that comes too late, for example for a finished operation: `refuse` (the default) throws,
   * `skip` lists it in the result. Simulations of given events use the latter.
   */
  readonly tooLate?: 'refuse' | 'skip' | undefined;
  /** The duration of a breakdown without a known end; null (the default): 5 % of the makespan, rounded up. */
  readonly breakdownEstimate?: number | null | undefined;
}

/** A job that has arrived, and its name, which the instance does not contain. */
export interface ArrivedJob {
  readonly job: number;
  readonly name: string | undefined;
}

/** The next instance in execution, and its relation to the one before. */
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
  /** Events that took effect, in the order given, completed (delays name their step, too). */
  readonly events: readonly EffectiveEvent[];
  /** Events that came too late, with the reason. */
  readonly skipped: readonly { readonly event: DisruptionEvent; readonly reason: InputError }[];
}

/**
 * Applies events to an instance in execution at time `now`: the schedule determines the operations started by then (all
 * with a start before `now`), the events change the rest. Started operations are frozen at their start. A running
 * operation is stretched by resumable downtimes; one that meets a non-resumable downtime before it is done is lost and
 * free again, and its use of the machine so far no longer constrains others. So is one for which a resource is no longer
 * enough: of several, the one that started last. Events take effect one after the other, as
 * if each were handled separately at the same time. O(N), plus O(downtimes + operations of a machine) for each event.
 *
 * The arguments are not changed. Jobs keep their numbers permanently: arriving ones get the next ones in the order of
 * the events, cancelled ones keep their started operations, or are empty.
 *
 * @param schedule a feasible schedule of the instance in execution; unscheduled operations (−1) have not started
 * @param events the events known by `now`, in the order in which they take effect; a missing `at` is `now` or the time
 *   of the effect
 * @throws InputError `bad_event` for a malformed event; `not_known_yet`; `before_now` if it changes the past; one of
 *   {@link TOO_LATE}; `cannot_do`; `unknown_machine`, `unknown_resource` or `unknown_job`; `bad_now` and
 *   `bad_execution` if clock and schedule are incompatible; `bad_instance` if times become too large
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
 * Checks events and adds defaults, see {@link applyEvents}; without `now` they must have times.
 *
 * @param instance the shop of the events, whose names they may use; without it numbers only
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
 * Applies events to a draft, one after the other.
 *
 * @throws InputError as {@link applyEvents} does; the draft is then invalid
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
 * The planned starts in the numbers of operations after events. N entries, −1 for operations that are new or had no
 * start. Lost operations keep the start they had taken.
 */
export function carrySchedule({ start }: Schedule, { oldOf }: AppliedEvents): Int32Array {
  return oldOf.map((op) => (op < 0 ? -1 : start[op]));
}

function completeEvent(
  event: EventInput,
  i: number,
  now: number | undefined,
  labels: EventLabels | undefined,
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
