import { type ErrorFacts, InputError } from '@alas-jssp/core/errors';
import { downtimesOf } from '../jssp/calendar.js';
import { MAX_TIME } from '../jssp/instance.js';
import { formatTime } from '../jssp/time-scale.js';
import { wordsOf } from '../jssp/words.js';
import { addDowntime, endDowntime, endEstimate } from './downtimes.js';
import {
  changeDowntimes,
  completionOf,
  type Draft,
  firstUnstarted,
  isFinished,
  loseWork,
  type OpenDraft,
  pendingOn,
  requireMachine,
} from './draft.js';
import {
  type Arrival,
  type Cancellation,
  type Delay,
  type DisruptionEvent,
  type DurationChange,
  describeEvent,
  type EffectiveEvent,
  type Restored,
  type TimedBreakdown,
} from './event.js';
import { labelEvent, labelsWith } from './labels.js';
import { workedBy } from './progress.js';

/**
 * Codes of events that came too late to have an effect: their operation, job or downtime is over. Only these may be
 * skipped; any other problem of an event is an error of its author. (A step that does not exist may have been cancelled
 * earlier: an instance does not record that.)
 */
export const TOO_LATE = [
  'operation_finished',
  'operation_started',
  'unknown_step',
  'already_longer',
  'job_finished',
  'machine_up',
] as const;

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
  }
}

/** The default duration of a breakdown without a known end, as a share of the makespan. */
const ESTIMATED_SHARE = 0.05;

/**
 * An event completed at the moment when it takes effect: the step of a delay of a job, which is the first one that has
 * not started, if any; the estimated end of a breakdown.
 *
 * @param estimate the duration of a breakdown; null for 5 % of the makespan of the schedule
 */
export function resolveEvent(
  draft: Draft,
  event: DisruptionEvent,
  estimate: number | null,
): EffectiveEvent {
  if (event.kind === 'breakdown') {
    if (event.to !== undefined) return { ...event, to: event.to };
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

function changeDuration(draft: OpenDraft, event: DurationChange): InputError | undefined {
  const op = findOperation(draft, event, event.job, event.step);
  if (op instanceof InputError) return op;
  const { now, started } = draft;
  if (isFinished(draft, op)) {
    const done = completionOf(draft, op);
    const problem = `the operation was done at ${time(draft, done)}, and now is ${time(draft, now)}`;
    const hint = 'change what is running or to come';
    return refuse(draft, 'operation_finished', event, problem, hint, { done });
  }
  const duration = newDuration(event, draft.duration[op]);
  if (duration > MAX_TIME) {
    return refuse(draft, 'bad_event', event, `it is ${duration}`, `use at most ${MAX_TIME}`);
  }
  if (started[op] >= 0) {
    // If it would have been done before now with the new duration, the event would change the past.
    const least = workedBy(draft.facts, op, started[op], now - 1) + 1;
    if (duration < least) {
      const problem = `it is ${duration}, but at ${time(draft, now)} the operation has taken ${least} and is not done`;
      return refuse(draft, 'already_longer', event, problem, `give ${least} or more`);
    }
  }
  draft.write(draft.duration, op, duration);
  loseWork(draft, [op]);
  return undefined;
}

function newDuration({ duration, factor }: DurationChange, known: number): number {
  if (factor === undefined) return duration ?? known;
  return known === 0 ? 0 : Math.max(1, Math.round(known * factor));
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

function cancel(draft: Draft, event: Cancellation): InputError | undefined {
  const { job } = event;
  requireJob(draft, event, job);
  const { jobOffset, kept } = draft;
  const last = jobOffset[job] + kept[job] - 1;
  if (last < jobOffset[job] || isFinished(draft, last)) {
    const problem = 'nothing of the job is left to be done';
    return refuse(draft, 'job_finished', event, problem, 'cancel a job that is not finished');
  }
  const first = firstUnstarted(draft, job);
  if (first >= 0) kept[job] = first - jobOffset[job];
  draft.due[job] = -1;
  draft.deadline[job] = -1;
  return undefined;
}

/** The operation of an event, or the reason why it no longer exists. */
function findOperation(
  draft: Draft,
  event: DisruptionEvent,
  job: number,
  step: number,
): number | InputError {
  requireJob(draft, event, job);
  const { jobOffset, kept } = draft;
  if (step < kept[job]) return jobOffset[job] + step;
  const hint = kept[job] === 0 ? 'the job has no steps' : `use step 1 to ${kept[job]}`;
  const problem = `the job has no step ${step + 1}`;
  return refuse(draft, 'unknown_step', event, problem, hint, { step: step + 1 });
}

function requireJob(draft: Draft, event: DisruptionEvent, job: number): void {
  const { jobs } = draft;
  if (job < jobs) return;
  throw refuse(draft, 'unknown_job', event, 'there is no such job', `use job 1 to ${jobs}`);
}

function refusePast(
  draft: Draft,
  event: DisruptionEvent,
  begin: number,
  what: string,
): InputError | undefined {
  const { now } = draft;
  if (begin >= now) return undefined;
  return refuse(
    draft,
    'before_now',
    event,
    `${what} at ${time(draft, begin)}, which is past: now is ${time(draft, now)}`,
    `give ${draft.facts.timeScale === null ? now : formatTime(draft.facts.timeScale, now)} or later`,
    { begin, kind: event.kind },
  );
}

/** A time in the words of the shop. */
function time({ facts }: Draft, at: number): string {
  return wordsOf(facts).time(at);
}

function refuse(
  { facts, now }: Draft,
  code: (typeof TOO_LATE)[number] | 'before_now' | 'not_known_yet' | 'unknown_job' | 'bad_event',
  event: DisruptionEvent,
  problem: string,
  hint: string,
  more: ErrorFacts = {},
): InputError {
  const words = `${describeEvent(event, facts)}: ${problem}`;
  const known = facts.names === null ? undefined : labelsWith(facts, [event]);
  const refusalFacts = { event: labelEvent(event, known), now, scale: facts.timeScale, ...more };
  return new InputError(code, words, hint, {}, event, refusalFacts);
}
