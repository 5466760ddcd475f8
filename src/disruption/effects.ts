import { InputError } from '@alas-jssp/core/errors';
import { downtimesOf } from '../jssp/calendar.js';
import { addDowntime, endDowntime, endEstimate } from './downtimes.js';
import {
  changeDowntimes,
  type Draft,
  firstUnstarted,
  loseOverload,
  loseWork,
  type OpenDraft,
  pendingOn,
} from './draft.js';
import { requireMachine } from './draft-checks.js';
import type {
  Arrival,
  Delay,
  DisruptionEvent,
  EffectiveEvent,
  Restored,
  TimedBreakdown,
} from './event.js';
import { findOperation, refuse, refusePast, requireJob, time } from './refusals.js';
import { addAlternative, capacityEnd, changeCapacity } from './shop-effects.js';
import { cancel, changeDuration } from './work-effects.js';

/**
 * Applies an event to a draft.
 *
 * @returns undefined, or the reason why it cannot take effect; the draft is then unchanged
 * @throws InputError `unknown_machine` or `unknown_job`
 */
export function takeEffect(draft: OpenDraft, event: EffectiveEvent): InputError | undefined {
  const { now } = draft;
  if (event.at > now) {
    return refuse(
      draft,
      'not_known_yet',
      event,
      `it becomes known at ${time(draft, event.at)}, and now is ${time(draft, now)}`,
      `apply it at ${time(draft, event.at)} or let it become known earlier`,
      { at: event.at },
    );
  }
  const reason = applyKind(draft, event);
  if (reason === undefined) loseOverload(draft);
  return reason;
}

function applyKind(draft: OpenDraft, event: EffectiveEvent): InputError | undefined {
  switch (event.kind) {
    case 'breakdown':
      return breakDown(draft, event);
    case 'duration':
      return changeDuration(draft, event);
    case 'arrival':
      return arrive(draft, event);
    case 'cancellation':
      return cancel(draft, event);
    case 'delay':
      return delay(draft, event);
    case 'restored':
      return restore(draft, event);
    case 'capacity':
      return changeCapacity(draft, event);
    case 'alternative':
      return addAlternative(draft, event);
  }
}

/** The default duration of a breakdown without a known end, as a share of the makespan. */
const ESTIMATED_SHARE = 0.05;

/**
 * An event completed at the moment when it takes effect: the step of a delay of a job, which is the first one that has
 * not started, if any; the estimated end of a breakdown or of another capacity.
 *
 * @param estimate the duration of either; null for 5 % of the makespan of the schedule
 */
export function resolveEvent(
  draft: Draft,
  event: DisruptionEvent,
  estimate: number | null,
): EffectiveEvent {
  if (event.kind === 'breakdown' || event.kind === 'capacity') {
    if (event.to !== undefined) return { ...event, to: event.to };
    const back = event.kind === 'capacity' ? capacityEnd(draft, event) : undefined;
    if (event.kind === 'capacity' && back !== undefined) return { ...event, to: back };
    const makespan = () => draft.schedule.end.reduce((latest, end) => Math.max(latest, end), 0);
    const length = Math.max(1, estimate ?? Math.ceil(ESTIMATED_SHARE * makespan()));
    return { ...event, to: event.from + length, estimated: true };
  }
  if (event.kind !== 'delay' || event.step !== undefined || event.job >= draft.jobs) return event;
  const op = firstUnstarted(draft, event.job);
  return op < 0 ? event : { ...event, step: op - draft.jobOffset[event.job] };
}

/** The new end replaces an estimated one of the same downtime. */
function breakDown(draft: OpenDraft, event: TimedBreakdown): InputError | undefined {
  const { machine, from, to, resumable, estimated } = event;
  requireMachine(machine, draft.facts.machines);
  const refusal = refusePast(draft, event, from, 'it begins');
  if (refusal !== undefined) return refusal;
  const added = { from, to, resumable, ...(estimated && { estimated }) };
  changeDowntimes(draft, machine, (known) => addDowntime(endEstimate(known, from), added));
  loseWork(draft, pendingOn(draft, machine));
  return undefined;
}

function restore(draft: OpenDraft, event: Restored): InputError | undefined {
  const { machine, at } = event;
  requireMachine(machine, draft.facts.machines);
  const refusal = refusePast(draft, event, at, 'the machine is back');
  if (refusal !== undefined) return refusal;
  const downtimes = endDowntime(downtimesOf(draft.facts.calendar, machine), at);
  if (downtimes === undefined) {
    return refuse(
      draft,
      'machine_up',
      event,
      `it is not down at ${time(draft, at)}`,
      'restore a machine that is down',
      { at },
    );
  }
  changeDowntimes(draft, machine, () => downtimes);
  return undefined;
}

function arrive(draft: OpenDraft, event: Arrival): InputError | undefined {
  const refusal = refusePast(draft, event, event.job.release, 'the job is released');
  if (refusal === undefined) draft.jobs++;
  return refusal;
}

function delay(draft: OpenDraft, event: Delay): InputError | undefined {
  const { job, step, until } = event;
  requireJob(draft, event, job);
  const refusal = refusePast(draft, event, until, 'it ends');
  if (refusal !== undefined) return refusal;
  if (step === undefined) {
    const problem = 'every operation of the job has started';
    return refuse(draft, 'operation_started', event, problem, 'delay what has not started');
  }
  const op = findOperation(draft, event, job, step);
  if (op instanceof InputError) return op;
  if (draft.started[op] >= 0) {
    const started = draft.started[op];
    const problem = `the operation started at ${time(draft, started)}, and now is ${time(draft, draft.now)}`;
    const hint = 'delay what has not started';
    return refuse(draft, 'operation_started', event, problem, hint, { started });
  }
  draft.write(draft.release, op, Math.max(draft.release[op], until));
  return undefined;
}
