import { type ErrorFacts, InputError } from '@alas-jssp/core/errors';
import { formatTime } from '../jssp/time-scale.js';
import { wordsOf } from '../jssp/words.js';
import type { Draft } from './draft.js';
import { type DisruptionEvent, describeEvent } from './event.js';
import { hasNames, labelEvent, labelsWith } from './labels.js';

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
  'capacity_usual',
] as const;

/** The codes of events that cannot take effect. */
type RefusalCode =
  | (typeof TOO_LATE)[number]
  | 'before_now'
  | 'not_known_yet'
  | 'unknown_job'
  | 'cannot_do'
  | 'bad_event';

/** The operation of an event, or the reason why it no longer exists. */
export function findOperation(
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

/** @throws InputError `unknown_job`: the shop never had such a job */
export function requireJob(draft: Draft, event: DisruptionEvent, job: number): void {
  const { jobs } = draft;
  if (job < jobs) return;
  throw refuse(draft, 'unknown_job', event, 'there is no such job', `use job 1 to ${jobs}`);
}

/**
 * The refusal of an event whose effect begins in the past; undefined if it does not.
 *
 * @param what the beginning of the problem, before the time: `it begins`
 */
export function refusePast(
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
export function time({ facts }: Draft, at: number): string {
  return wordsOf(facts).time(at);
}

/**
 * An event that cannot take effect, in the words and times of the shop.
 *
 * @param problem what is wrong, as the end of a line that begins with the event
 * @param more facts for sentences in other languages
 */
export function refuse(
  { facts, now }: Draft,
  code: RefusalCode,
  event: DisruptionEvent,
  problem: string,
  hint: string,
  more: ErrorFacts = {},
): InputError {
  const words = `${describeEvent(event, facts)}: ${problem}`;
  const known = !hasNames(facts) ? undefined : labelsWith(facts, [event]);
  const refusalFacts = { event: labelEvent(event, known), now, scale: facts.timeScale, ...more };
  return new InputError(code, words, hint, {}, event, refusalFacts);
}
